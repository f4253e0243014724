"""Charts of the time per token."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis.latency_floor.enough_chips import ENOUGH, MOST_CHIPS, Placed
from analysis.latency_floor.floor import resident_byte
from charts.chart import Bar, Dash, Line, Points, Role
from views import wording, written
from views.axes import log_axis
from views.chips.linked import SHORT_NAMES
from views.exhibits import ValueAxis, bar_exhibit, xy_exhibit
from views.latency_floor.answer import PARTS, FloorAnswer, milliseconds
from views.result import Exhibit
from views.table import Getter, stated_columns, table

_COLUMNS = written.toml(__file__, name="columns.toml")
LOOKS: tuple[tuple[Role, Dash], ...] = (("links", "dotted"), ("context", "solid"))
"""Line styles of the fastest other kinds of chip. They differ in more than colour."""
BESIDE_TODAY = " The “Today” line shows the chosen chip with today's latencies."


def _line(name: str, *, short: str, look: tuple[Role, Dash], seconds: Mapping[float, float]) -> Line:
    """Return a line of one request's speed by chips per layer, where the model fits. [tokens/s]"""
    return Line(
        series=name,
        role=look[0],
        dash=look[1],
        x=tuple(seconds),
        y=tuple(1 / time for time in seconds.values()),
        end_label=(short,),
        hover=tuple(
            f"{wording.counted(int(chips), 'chip')} per layer: {speed_words(time)}"
            for chips, time in seconds.items()
        ),
    )


def speed_words(seconds: float) -> str:
    """Return the speed for a time per token as text: 360 tokens/s."""
    return f"{wording.significant(1 / seconds)} tokens/s"


def by_chips_exhibit(placed: Mapping[str, Placed], answer: FloorAnswer, *, source: str) -> Exhibit:
    """Return an exhibit of one request's speed by chips per layer, with the chosen chip in front.

    If current latencies of the chosen kind are known, a line with them is drawn beside the limit.
    """
    chosen, tensor, own = answer.settings.chip, float(answer.tensor), answer.placed
    counts = sorted({tensor, *(float(round(2 ** (half / 2))) for half in range(25))})

    def held(times: Sequence[float]) -> dict[float, float]:
        return {chips: time for chips, time in zip(counts, times, strict=True) if math.isfinite(time)}

    times = {word: each.times(counts).tolist() for word, each in placed.items()}
    todays = {word: each.today_times(counts).tolist() for word, each in placed.items()}
    fastest = sorted((word for word in placed if word != chosen), key=lambda word: min(times[word]))
    rivals = [word for word in fastest if not _like_one_before(word, [chosen, *fastest], placed=placed)]
    looks = [*reversed(list(zip(rivals, LOOKS, strict=False))), (chosen, ("memory", "solid"))]
    lines = [
        _line(placed[word].name, short=SHORT_NAMES[word], look=look, seconds=held(times[word]))
        for word, look in looks
    ]
    if own.today is not None:
        seconds, name = held(todays[chosen]), f"{own.name}, today's latencies"
        lines.insert(-1, _line(name, short="Today", look=("memory", "dotted"), seconds=seconds))
    choice = [_choice(own, tensor, seconds=time) for time in (float(own.times(tensor)),) if time < math.inf]
    points = [
        (word, at)
        for word in [chosen, *fastest]
        for at, time in enumerate(times[word])
        if math.isfinite(time)
    ]
    columns: tuple[Getter[tuple[str, int]], ...] = stated_columns(
        _COLUMNS["by_chips"],
        chip=lambda point: placed[point[0]].name,
        tensor_parallel=lambda point: int(counts[point[1]]),
        pipeline_parallel=lambda point: int(placed[point[0]].stages(tensor=counts[point[1]])),
        time_per_output_token_s=lambda point: times[point[0]][point[1]],
        output_tokens_per_s=lambda point: 1 / times[point[0]][point[1]],
        today_tokens_per_s=lambda point: 1 / todays[point[0]][point[1]],
    )
    return xy_exhibit(
        [*(line for line in lines if line.x), *choice],
        title=_title(answer),
        subtitle="Lines show the highest single-request speed on the chosen chip and on two of the fastest "
        f"others. Pipeline stages are added if memory requires them.{BESIDE_TODAY * (own.today is not None)}",
        source=source,
        x=log_axis("Chips sharing each layer", [1, MOST_CHIPS * 8], word="{:,.0f}".format),
        y=ValueAxis(title="Speed of one request [tokens/s]", word="{:,g}".format, log=True),
        numbers=table(columns, points),
    )


def _choice(own: Placed, tensor: float, *, seconds: float) -> Points:
    return Points(
        series="Your choice",
        role="compute",
        x=(tensor,),
        y=(1 / seconds,),
        names=(f"{tensor:,.0f} × {own.name}",),
        details=((speed_words(seconds),),),
        marked=((0, f"At most {speed_words(seconds)}"),),
    )


def _like_one_before(word: str, order: Sequence[str], *, placed: Mapping[str, Placed]) -> bool:
    """Return whether a kind of chip is a variant of an earlier one, so that their lines would coincide.

    Examples are another wafer, or the same chip in another server: GB200 after B200.
    """
    own = placed[word]
    before = [placed[one] for one in order[: order.index(word)]]
    return any(
        (own.chip.mesh is not None and one.chip.mesh is not None)
        or own.name in one.name
        or one.name in own.name
        for one in before
    )


def _title(answer: FloorAnswer) -> str:
    placed, optimum = answer.placed, answer.best
    if optimum is None:
        return f"Even {MOST_CHIPS:,} × {placed.name} per layer do not hold the model"
    if optimum == MOST_CHIPS:
        return f"More chips help up to at least {MOST_CHIPS:,} × {placed.name} per layer"
    if placed.times(range(optimum + 1, MOST_CHIPS + 1)).min() > answer.best_s:
        count = "One" if optimum == 1 else f"{optimum:,} ×"
        return f"{count} {placed.name} per layer is fastest; more chips slow it down"
    return (
        f"Beyond {optimum:,} × {placed.name} per layer, more chips save less than {wording.percent(ENOUGH)} of the "
        "time"
    )


@dataclass(frozen=True, kw_only=True)
class _Kind:
    """A kind of chip, the best number of these chips per layer, and the speed of one request. [tokens/s]

    ``today`` is the speed of the same chips with current latencies; it is NaN if these are unknown.
    """

    word: str
    placed: Placed
    best: int
    stages: int
    speed: float
    today: float

    @classmethod
    def of(cls, word: str, placed: Placed, *, best: int) -> "_Kind":
        return cls(
            word=word,
            placed=placed,
            best=best,
            stages=int(placed.stages(tensor=best)),
            speed=1 / float(placed.times(best)),
            today=1 / float(placed.today_times(best)),
        )

    def bar(self, *, chosen: bool) -> Bar:
        """Return a bar of the speed, labelled with the number of chips."""
        speed, today = wording.significant(self.speed), wording.significant(self.today)
        fewest = self.placed.fewest
        # Even more than the maximum tried would help.
        plus = "+ chips" if self.best == MOST_CHIPS else " chip" if self.best * self.stages == 1 else " chips"
        held_by = f"; {fewest:,} hold it" if fewest > 1 else ""
        return Bar(
            label=self.placed.name,
            value=self.speed,
            text=f"{speed} with {self.best * self.stages:,}{plus}{held_by}",
            detail=(
                f"{wording.counted(fewest, 'chip')} hold{'s' if fewest == 1 else ''} the model",
                *((f"{today} with today's latencies",) if self.today > 0 else ()),
            ),
            role="memory" if chosen else "context",
            emphasised=chosen,
        )


def chips_exhibit(placed: Mapping[str, Placed], *, chosen: str, source: str) -> Exhibit:
    """Return an exhibit of the best number of chips per layer and the highest speed, by kind of chip."""
    held = [_Kind.of(word, each, best=best) for word, each in placed.items() if (best := each.best)]
    kinds = sorted(held, key=lambda kind: -kind.speed)
    title = f"Even {MOST_CHIPS:,} chips of a kind per layer do not hold the model"
    if kinds:
        speed = wording.significant(kinds[0].speed)
        title = f"Of the chips shown, the {kinds[0].placed.name} allows the highest speed: {speed} tokens a second"
    return bar_exhibit(
        kinds,
        lambda kind: kind.bar(chosen=kind.word == chosen),
        title=title,
        subtitle="Bars show the highest single-request speed with enough chips per layer. Pipeline stages are added if "
        f"memory requires them. A plus sign means that more than {MOST_CHIPS:,} chips per layer would be faster.",
        source=source,
        axis=ValueAxis(
            title="Tokens a second of one request, at best",
            word="{:,g}".format,
            span=(0.0,) if kinds else (0.0, 1.0),
        ),
        columns=stated_columns(_COLUMNS["chips"]),
    )


NOTABLE = 1.005
"""Speed-up below which a change counts as without effect. [1]"""


@dataclass(frozen=True, kw_only=True)
class _Outcome:
    """Result of a change: speed and throughput [1/s], number of chips, and available and needed memory [byte]."""

    short: str
    detail: str
    speed: float
    throughput: float
    chips: int
    memory_byte: float
    needed_byte: float

    @property
    def label(self) -> str:
        return f"{self.short}, {self.detail}" if self.detail else self.short

    @property
    def text(self) -> str:
        one, everyone = wording.significant(self.speed), wording.significant(self.throughput)
        return one if math.isclose(self.speed, self.throughput) else f"{one}, all requests {everyone}"


def _outcomes(answer: FloorAnswer) -> list[_Outcome]:
    """Return the result under the chosen settings, and the result of each changed setting on its own."""
    placed, tensor, stages = answer.placed, answer.tensor, answer.stages
    request, model = placed.request, placed.model
    half = (model.parameters.active - model.parameters.lookup) / 2
    fewer = replace(model, stated=replace(model.parameters, active=half, lookup=0.0))

    def other(label: str, *, detail: str = "", **changes: Any) -> _Outcome:
        changed = replace(placed, request=replace(request, **changes))
        return _outcome(label, changed, tensor=tensor, stages=stages, detail=detail)

    twice_stages = min(stages * 2, model.n_layers)
    bits: dict[str, Any] = {"weight_byte": request.weight_byte / 2, "compute_byte": request.product_byte}
    drafts: dict[str, Any] = {"draft_tokens": 4, "acceptance": 0.8, "draft_share": 0.05}
    return [
        other("As chosen"),
        _outcome("Twice the chips in each layer", placed, tensor=tensor * 2, stages=stages),
        _outcome("Twice the pipeline stages", placed, tensor=tensor, stages=twice_stages),
        other("Half the bits a weight", **bits),
        _outcome("Half the active parameters", replace(placed, model=fewer), tensor=tensor, stages=stages),
        other("4 draft tokens", detail="80% accepted, draft 5% as large", **drafts),
        other(f"Batch {request.batch * 16:,} instead of {request.batch:,}", batch=request.batch * 16),
    ]


def _outcome(label: str, placed: Placed, *, tensor: int, stages: int, detail: str = "") -> _Outcome:
    chips, groups = tensor * stages, placed.groups(tensor=tensor, stages=stages)
    total = float(placed.floor(tensor=tensor, stages=stages).total_s)
    return _Outcome(
        short=label,
        detail=detail,
        speed=1 / total,
        throughput=placed.request.batch * groups / total,
        chips=chips,
        memory_byte=float(chips * placed.chip.memory_capacity_byte),
        needed_byte=float(resident_byte(placed.model, placed.request, groups=groups)),
    )


def levers_exhibit(answer: FloorAnswer, *, source: str) -> Exhibit:
    """Return an exhibit of each change's effect on speed, throughput and memory."""
    chosen, *others = outcomes = _outcomes(answer)
    best = max(others, key=lambda outcome: outcome.speed)
    gain = best.speed / chosen.speed
    title = (
        f"A single request gains most speed from {wording.small_initial(best.short)} ({wording.times(gain)}); "
        "pipeline stages and larger batches add only throughput"
        if gain > NOTABLE
        else "No single change makes one request faster"
    )

    def bar(outcome: _Outcome) -> Bar:
        own, faster = outcome is chosen, outcome.speed > chosen.speed * NOTABLE
        return Bar(
            label=outcome.label,
            value=outcome.speed,
            text=outcome.text,
            role="memory" if own else "compute" if faster else "context",
            emphasised=own,
        )

    return bar_exhibit(
        outcomes,
        bar,
        title=title,
        subtitle="Each bar shows the highest single-request speed if one setting is changed. If the total "
        "throughput of all requests differs from that speed, the throughput is shown beside it.",
        source=source,
        axis=ValueAxis(title="Tokens a second of one request", word="{:,g}".format, span=(0.0,)),
        columns=stated_columns(_COLUMNS["levers"]),
    )


def parts_exhibit(answer: FloorAnswer, *, source: str) -> Exhibit:
    """Return an exhibit of the parts of a token's time."""
    seconds, total, largest = answer.parts_s, answer.total_s, answer.largest
    columns: tuple[Getter[str], ...] = stated_columns(
        _COLUMNS["parts"],
        part=lambda name: wording.sentence_case(PARTS[name]["label"]),
        time_s=lambda name: seconds[name],
        share=lambda name: seconds[name] / total,
    )
    return bar_exhibit(
        [name for name in PARTS if seconds[name] > 0],
        lambda name: Bar(
            label=wording.sentence_case(PARTS[name]["label"]),
            value=seconds[name] * 1e3,
            text=milliseconds(seconds[name]),
            role=PARTS[name]["role"],
            emphasised=name == largest,
        ),
        title=f"{wording.sentence_case(PARTS[largest]['label'])} takes {wording.percent(answer.largest_share)} of "
        "the time per token",
        subtitle=f"Bars show the parts of the time per token on the {answer.placed.name}. Work that runs at the same "
        "time as these parts is left out.",
        source=source,
        axis=ValueAxis(title="Time per token [ms]", span=(0.0,)),
        columns=columns,
        listed=tuple(PARTS),
    )
