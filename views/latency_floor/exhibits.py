"""The charts of /latency-floor: time by number of chips, by part, by lever, and the chips side by side."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.latency_floor.floor import (
    ENOUGH,
    Chip,
    Floor,
    Request,
    best_chips,
    fastest_by_chips,
    fewest_chips,
    groups_under_way,
    stages_needed,
)
from analysis.model.decoder import Decoder
from charts.chart import Bar, BarChart, Line, Mark, Points, Role, XYChart
from views import wording
from views.axes import linear_axis, log_axis
from views.result import Column, Exhibit, Table

MOST_CHIPS = 4096
PARTS = {
    "weights_s": "reading weights",
    "cache_s": "reading the KV cache",
    "compute_s": "computing that takes longer than reading",
    "steps_s": "steps of a layer, one after another",
    "latency_s": "latency of collectives",
    "transfer_s": "transfer in collectives",
    "stages_s": "handing from stage to stage",
    "draft_s": "proposing tokens",
}
BRIEF = {
    "cache_s": "reading KV cache",
    "compute_s": "computing",
    "steps_s": "steps of layers",
    "latency_s": "link latency",
    "transfer_s": "transfer",
    "stages_s": "handing on",
}
"""Parts in words that fit below a key figure; others as in ``PARTS``."""
ROLES: dict[str, Role] = {
    "weights_s": "memory",
    "cache_s": "memory",
    "compute_s": "compute",
    "steps_s": "compute",
    "latency_s": "links",
    "transfer_s": "links",
    "stages_s": "links",
    "draft_s": "context",
}
ROOM = 30
"""How far the axis goes beyond the last number of chips: the room that names of lines take on a phone."""

SHORT = {"groq-lpu": "Groq LPU", "ddr5-server": "DDR5"}
"""Names short enough to stand beside a line's end on a phone."""

LABELLED = 5
"""How many curves are drawn: the chosen chip and the fastest others."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """A model and its requests on one kind of chip."""

    name: str
    chip: Chip
    model: Decoder
    request: Request

    def times(self, chips: NDArray[np.floating] | NDArray[np.integer]) -> NDArray[np.floating]:
        """Return the least time per token by number of chips sharing each layer; inf where none holds it. [s]"""
        return fastest_by_chips(self.model, self.request, chip=self.chip, chips=chips)

    def groups(self, *, tensor: int, stages: int) -> int:
        """Return how many batches can be under way at once: one in each stage, as far as their KV caches fit."""
        found = groups_under_way(
            self.model, self.request, chip=self.chip, tensor_parallel=tensor, pipeline_parallel=stages
        )
        return int(found)

    @property
    def best(self) -> int | None:
        """Return how many chips sharing each layer are enough, None where no number holds the model."""
        return best_chips(self.model, self.request, chip=self.chip, most=MOST_CHIPS)


def slows(case: Case, tensor: int, best: int) -> bool:
    """Return whether sharing a layer over ``tensor`` chips is slower than over the ``best`` number of them."""
    fewer, many = case.times(np.array([best, tensor]))
    return tensor > best and bool(many > fewer * (1 + ENOUGH))


def _most_title(case: Case) -> str:
    """Return what more chips sharing each layer do, as a title."""
    optimum = case.best
    if optimum is None:
        return f"No number of {case.name} up to {MOST_CHIPS:,} a layer holds the model"
    if optimum == MOST_CHIPS:
        return f"Up to {MOST_CHIPS:,} × {case.name}, more chips keep helping"
    times = case.times(np.arange(optimum, MOST_CHIPS + 1))
    if float(np.min(times[1:])) > float(times[0]):
        count = "One" if optimum == 1 else f"{optimum:,} ×"
        return f"{count} {case.name} a layer is fastest; sharing over more slows it"
    return (
        f"Beyond {optimum:,} × {case.name} sharing each layer, more chips save under {wording.percent(ENOUGH)} of the "
        "time of a token"
    )


def _milliseconds(seconds: float) -> str:
    return f"{wording.significant(seconds * 1e3)} ms"


def by_chips_exhibit(cases: Mapping[str, Case], *, chosen: str, tensor: int, source: str) -> Exhibit:
    """Return time per token against chips sharing each layer, the chosen kind before all others."""
    counts = np.unique(
        np.concatenate([2.0 ** np.arange(13), np.round(2.0 ** np.arange(0, 12.5, 0.5)), [tensor]])
    )
    curves = {word: case.times(counts) for word, case in cases.items()}
    best = {word: float(np.min(times)) for word, times in curves.items()}
    fastest = sorted((word for word in curves if word != chosen), key=lambda word: best[word])
    lines: list[Mark] = []
    for word in [*reversed(fastest[: LABELLED - 1]), chosen]:
        held = np.isfinite(curves[word])
        if not held.any():
            continue
        own = word == chosen
        lines.append(
            Line(
                series=cases[word].name,
                role="memory" if own else "context",
                x=tuple(counts[held].tolist()),
                y=tuple((curves[word][held]).tolist()),
                end_label=(SHORT.get(word, cases[word].name),),
                faded=not own,
            )
        )
    case = cases[chosen]
    at = float(case.times(np.array([tensor]))[0])
    if np.isfinite(at):
        lines.append(
            Points(
                series="Your choice",
                role="compute",
                x=(float(tensor),),
                y=(at,),
                names=(f"{tensor:,} × {case.name}",),
                details=((f"{_milliseconds(at)} per token",),),
                marked=((0, f"{tensor:,} chips: {_milliseconds(at)}"),),
            )
        )
    title = _most_title(case)
    values = [value for mark in lines if isinstance(mark, Line) for value in mark.y]
    chart = XYChart(
        title=title,
        subtitle="Least time per token of one request, log scales; stages are added where memory needs them; "
        "the chosen kind and the four fastest others. Reading falls with every chip, agreeing does not.",
        alt=f"{title}.",
        source=source,
        x=log_axis("Chips that share every layer", [1, MOST_CHIPS * ROOM], lambda value: f"{value:,.0f}"),
        y=log_axis("Time per token", values, lambda value: f"{value * 1e3:,g} ms"),
        marks=tuple(lines),
    )
    rows = tuple(
        (
            cases[word].name,
            int(count),
            int(
                stages_needed(
                    cases[word].model, cases[word].request, chip=cases[word].chip, tensor_parallel=count
                )
            ),
            float(time),
            1 / float(time),
        )
        for word in [chosen, *fastest]
        for count, time in zip(counts, curves[word], strict=True)
        if np.isfinite(time)
    )
    return Exhibit(
        chart=chart,
        table=Table(
            columns=(
                Column(name="chip", label="Chip", kind="text"),
                Column(name="tensor_parallel", label="Chips per layer"),
                Column(name="pipeline_parallel", label="Stages"),
                Column(name="time_per_output_token_s", label="Time per token", unit="s", kind="scientific"),
                Column(name="output_tokens_per_s", label="Tokens a second", unit="tokens/s"),
            ),
            rows=rows,
        ),
    )


def parts_exhibit(case: Case, floor: Floor, *, headline: str, source: str) -> Exhibit:
    """Return where the time of a token goes, by part."""
    parts = {name: float(getattr(floor, name)) for name in PARTS}
    total = float(floor.total_s)
    largest = max(parts, key=lambda name: parts[name])
    shown = [name for name in PARTS if parts[name] > 0]
    title = (
        f"{wording.sentence_case(PARTS[largest])} takes {wording.percent(min(parts[largest] / total, 1.0))} of the "
        "time of a token"
    )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=f"Milliseconds per token of one request on the {case.name}, each part as far as it is not "
            "hidden behind another.",
            alt=f"{title}.",
            source=source,
            x=linear_axis(
                "Time per token [ms]",
                [0.0, *(parts[name] * 1e3 for name in shown)],
                lambda value: f"{value:g}",
            ),
            base=0.0,
            bars=tuple(
                Bar(
                    label=wording.sentence_case(PARTS[name]),
                    value=parts[name] * 1e3,
                    text=_milliseconds(parts[name]),
                    role=ROLES[name],
                    emphasised=name == largest,
                )
                for name in shown
            ),
        ),
        table=Table(
            columns=(
                Column(name="part", label="Part", kind="text"),
                Column(name="time_s", label="Time per token", unit="s", kind="scientific"),
                Column(name="share", label="Share", unit="1"),
            ),
            rows=tuple(
                (wording.sentence_case(PARTS[name]), parts[name], parts[name] / total) for name in PARTS
            ),
        ),
    )


def chips_exhibit(cases: Mapping[str, Case], *, chosen: str, source: str) -> Exhibit:
    """Return the chips side by side: how many hold the model, and how fast each kind can be at best."""
    rows = []
    for word, case in cases.items():
        need, best = fewest_chips(case.model, case.request, case.chip), case.best
        if best is None:
            continue
        time = float(case.times(np.array([best]))[0])
        stages = int(stages_needed(case.model, case.request, chip=case.chip, tensor_parallel=best))
        rows.append((word, case.name, need, best, stages, 1 / time, case.chip))
    rows.sort(key=lambda row: -row[5])
    needs = {row[0]: row[2] for row in rows}
    title = (
        f"{rows[0][1]} sets the pace at {wording.significant(rows[0][5])} tokens a second{_holding(needs)}"
        if rows
        else f"No kind of chip holds the model with {MOST_CHIPS:,} chips a layer"
    )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle="Tokens a second of one request with as many chips a layer as are enough, log scale from 1; "
            f"stages are added where memory needs them. A plus: {MOST_CHIPS:,} a layer are the most tried, and more "
            "would still help.",
            alt=f"{title}.",
            source=source,
            x=log_axis(
                "Tokens a second, one request, at best",
                [1.0, *(row[5] for row in rows)],
                lambda value: f"{value:,g}",
            ),
            base=1.0,
            bars=tuple(
                Bar(
                    label=row[1],
                    value=row[5],
                    text=f"{wording.significant(row[5])} with {_chips(row[3], row[4])}"
                    f"{f'; {row[2]:,} hold it' if row[2] > 1 else ''}",
                    detail=(f"{wording.counted(row[2], 'chip')} hold{'s' if row[2] == 1 else ''} the model",),
                    role="memory" if row[0] == chosen else "context",
                    emphasised=row[0] == chosen,
                )
                for row in rows
            ),
        ),
        table=Table(
            columns=(
                Column(name="chip", label="Chip", kind="text"),
                Column(name="chips_needed", label="Chips to hold it"),
                Column(name="tensor_parallel", label="Chips a layer, enough or most tried"),
                Column(name="pipeline_parallel", label="Stages then"),
                Column(name="output_tokens_per_s", label="Tokens a second", unit="tokens/s"),
                Column(
                    name="memory_bandwidth_byte_per_s", label="Bandwidth", unit="byte/s", kind="scientific"
                ),
                Column(name="memory_capacity_byte", label="Memory", unit="byte", kind="scientific"),
                Column(name="link_bandwidth_byte_per_s", label="Link", unit="byte/s", kind="scientific"),
                Column(name="domain_size", label="Chips in a domain"),
            ),
            rows=tuple(
                (
                    name,
                    need,
                    best,
                    stages,
                    speed,
                    chip.memory_bandwidth_byte_per_s,
                    chip.memory_capacity_byte,
                    chip.link_bandwidth_byte_per_s,
                    chip.domain_size,
                )
                for _, name, need, best, stages, speed, chip in rows
            ),
        ),
    )


def _holding(needs: Mapping[str, int]) -> str:
    """Return how many wafers and SRAM chips hold the model, as the end of a title."""
    parts = []
    if "wse-3" in needs:
        parts.append(wording.counted(needs["wse-3"], "wafer"))
    if "groq-lpu" in needs:
        parts.append(f"{needs['groq-lpu']:,} Groq {'chip' if needs['groq-lpu'] == 1 else 'chips'}")
    return f"; {' or '.join(parts)} hold the model" if parts else ""


def _chips(per_layer: int, stages: int) -> str:
    """Return how many chips that makes, with a plus where more than were tried would still help."""
    if per_layer == MOST_CHIPS:
        return f"{per_layer * stages:,}+ chips"
    return wording.counted(per_layer * stages, "chip")
