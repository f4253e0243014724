"""The time of a token by the number of chips that share every layer, and the kinds of chips side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray
from analysis.latency_floor.enough_chips import ENOUGH, MOST_CHIPS, Placed
from charts.chart import Bar, Dash, Line, Mark, Points, Role
from views import wording, written
from views.axes import log_axis
from views.chips.linked import SHORT_NAMES
from views.exhibits import ValueAxis, bar_exhibit, xy_exhibit
from views.latency_floor.answer import FloorAnswer, milliseconds
from views.result import Exhibit
from views.table import Getter, stated_columns, table

MOST_APART = 1.0
"""Curves farther apart than this are told apart well enough: e-fold."""
BESIDE = 4
"""So many places on each side of its own a name takes up, on a phone."""
LOOKS: tuple[tuple[Role, Dash], ...] = (("links", "dotted"), ("context", "solid"))
"""How the fastest other kinds are drawn, one look each: told apart by more than colour."""
CHOSEN: tuple[Role, Dash] = ("memory", "solid")
TODAY = "today"
"""What stands for the chosen kind with today's latencies, beside the words of kinds."""
BESIDE_TODAY = " The line “today” is the chosen chip with the launches, exchanges and hops of today."


@dataclass(frozen=True, kw_only=True)
class _Point:
    """A number of chips of one kind that share each layer, and the time of a token then, at best and today. [s]"""

    placed: Placed
    chips: int
    seconds: float
    today_s: float


COLUMNS: tuple[Getter[_Point], ...] = stated_columns(
    written.toml(__file__, name="columns.toml")["by_chips"],
    pipeline_parallel=lambda point: int(point.placed.stages(tensor=point.chips)),
    output_tokens_per_s=lambda point: 1 / point.seconds,
    today_tokens_per_s=lambda point: 1 / point.today_s,
)


def by_chips_exhibit(placed: Mapping[str, Placed], answer: FloorAnswer, *, source: str) -> Exhibit:
    """Return time per token against chips sharing each layer, the chosen kind before all others.

    Where today's latencies of the chosen kind are known, its line with them stands beside its floor.
    """
    chosen, tensor, own = answer.settings.chip, answer.tensor, answer.placed
    counts = np.unique(
        np.concatenate([2.0 ** np.arange(13), np.round(2.0 ** np.arange(0, 12.5, 0.5)), [tensor]])
    )
    times = {word: each.times(counts) for word, each in placed.items()}
    fastest = sorted((word for word in placed if word != chosen), key=lambda word: float(np.min(times[word])))
    rivals = [word for word in fastest if not _like_one_before(word, [chosen, *fastest], placed=placed)]
    curves = [
        _Curve(word=word, name=placed[word].name, short=SHORT_NAMES[word], look=look, times=times[word])
        for word, look in [*reversed(list(zip(rivals, LOOKS, strict=False))), (chosen, CHOSEN)]
    ]
    if own.today is not None:
        name = f"{own.name}, today's latencies"
        today = _Curve(
            word=TODAY, name=name, short="today", look=("memory", "dotted"), times=own.today_times(counts)
        )
        curves.insert(-1, today)
    drawn = [curve for curve in curves if np.isfinite(curve.times).any()]
    others = {curve.word: curve.times for curve in curves}
    lines = [curve.line(counts) for curve in drawn]
    marks: list[Mark] = [*lines]
    at = float(own.times(tensor))
    if np.isfinite(at):
        marks.append(
            Points(
                series="Your choice",
                role="compute",
                x=(float(tensor),),
                y=(at,),
                names=(f"{tensor:,} × {own.name}",),
                details=((f"{milliseconds(at)} per token",),),
                marked=((0, f"{wording.counted(tensor, 'chip')}: {milliseconds(at)}"),),
            )
        )
    clear = int(np.flatnonzero(counts == tensor)[0])
    marks += [curve.label(counts, at=_apart(curve.word, others, keep_clear=clear)) for curve in drawn]
    points = [
        _Point(placed=placed[word], chips=int(count), seconds=float(time), today_s=float(today))
        for word in [chosen, *fastest]
        for count, time, today in zip(counts, times[word], placed[word].today_times(counts), strict=True)
        if np.isfinite(time)
    ]
    return xy_exhibit(
        marks,
        title=_title(answer),
        subtitle="Least time per token of one request on the chosen chip and two of the fastest others, log scales. "
        f"Stages are added where memory needs them.{BESIDE_TODAY * (own.today is not None)}",
        source=source,
        x=log_axis("Chips sharing each layer", [1, MOST_CHIPS], word="{:,.0f}".format),
        y=log_axis(
            "Time per token", [y for line in lines for y in line.y], word=lambda value: f"{value * 1e3:,g} ms"
        ),
        numbers=table(COLUMNS, points),
    )


@dataclass(frozen=True, kw_only=True)
class _Curve:
    """The time of a token on one kind of chip by number of chips, inf where none holds it, and how it is drawn. [s]"""

    word: str
    name: str
    short: str
    look: tuple[Role, Dash]
    times: FloatArray

    def line(self, counts: FloatArray) -> Line:
        held = np.isfinite(self.times)
        points = list(zip(counts[held].tolist(), self.times[held].tolist(), strict=True))
        return Line(
            series=self.name,
            role=self.look[0],
            dash=self.look[1],
            x=tuple(count for count, _ in points),
            y=tuple(time for _, time in points),
            hover=tuple(_hover(int(count), time) for count, time in points),
        )

    def label(self, counts: FloatArray, *, at: int) -> Points:
        count, time = float(counts[at]), float(self.times[at])
        return Points(
            series=self.name,
            role=self.look[0],
            x=(count,),
            y=(time,),
            names=(f"{count:,.0f} × {self.name}",),
            details=((_hover(int(count), time),),),
            marked=((0, self.short),),
        )


def _hover(count: int, time: float) -> str:
    return f"{wording.counted(count, 'chip')} per layer: {milliseconds(time)} per token"


def _like_one_before(word: str, order: Sequence[str], *, placed: Mapping[str, Placed]) -> bool:
    """Return whether a kind is one before it in the order in another form, so that their lines would lie together.

    Another wafer, or the same chip in another server: GB200 after B200.
    """
    own = placed[word]
    before = [placed[one] for one in order[: order.index(word)]]
    return any(
        (own.chip.mesh is not None and one.chip.mesh is not None)
        or own.name in one.name
        or one.name in own.name
        for one in before
    )


def _apart(word: str, drawn: Mapping[str, FloatArray], *, keep_clear: int) -> int:
    """Return where a curve is farthest from the others: the place of its name.

    Not at its ends, where a long name has no room, nor at ``keep_clear``, which has words of its own.
    """
    margin = 0 if word == TODAY else 1
    logs = {each: np.log(times) for each, times in drawn.items()}
    held = np.flatnonzero(np.isfinite(drawn[word]))
    inside = [place for place in held[margin : len(held) - margin] if abs(place - keep_clear) > 1] or list(
        held
    )

    def clear(place: int) -> float:
        near = slice(max(place - BESIDE, 0), place + BESIDE + 1)
        away = [np.abs(logs[each][near] - logs[word][place]) for each in drawn if each != word]
        return min([MOST_APART, *(float(np.min(each)) for each in away)])

    middle = len(drawn[word]) / 2
    return int(max(inside, key=lambda place: (clear(place), -abs(place - middle))))


def _title(answer: FloorAnswer) -> str:
    placed, optimum = answer.placed, answer.best
    if optimum is None:
        return f"No number of {placed.name} up to {MOST_CHIPS:,} per layer holds the model"
    if optimum == MOST_CHIPS:
        return f"Up to {MOST_CHIPS:,} × {placed.name}, more chips keep helping"
    times = placed.times(np.arange(optimum, MOST_CHIPS + 1))
    if float(np.min(times[1:])) > float(times[0]):
        count = "One" if optimum == 1 else f"{optimum:,} ×"
        return f"{count} {placed.name} per layer is fastest; sharing over more slows it down"
    return (
        f"Beyond {optimum:,} × {placed.name} sharing each layer, more chips save less than "
        f"{wording.percent(ENOUGH)} of the time"
    )


@dataclass(frozen=True, kw_only=True)
class _Kind:
    """A kind of chip with as many of them a layer as are enough: stages, and tokens a second of one request.

    ``today`` is the speed of the same chips with today's latencies, NaN where none are known.
    """

    word: str
    placed: Placed
    best: int
    stages: int
    speed: float
    today: float

    @property
    def chips(self) -> str:
        """Return how many chips that makes, with a plus where more than were tried would still help."""
        if self.best == MOST_CHIPS:
            return f"{self.best * self.stages:,}+ chips"
        return wording.counted(self.best * self.stages, "chip")


KIND_COLUMNS: tuple[Getter[_Kind], ...] = stated_columns(written.toml(__file__, name="columns.toml")["chips"])


def _kinds(placed: Mapping[str, Placed]) -> list[_Kind]:
    """Return the kinds that hold the model, the fastest first."""
    kinds = []
    for word, each in placed.items():
        best = each.best
        if best is None:
            continue
        kinds.append(
            _Kind(
                word=word,
                placed=each,
                best=best,
                stages=int(each.stages(tensor=best)),
                speed=1 / float(each.times(best)),
                today=1 / float(each.today_times(best)),
            )
        )
    return sorted(kinds, key=lambda kind: -kind.speed)


def chips_exhibit(placed: Mapping[str, Placed], *, chosen: str, source: str) -> Exhibit:
    """Return the chips side by side: how many hold the model, and how fast each kind can be at best."""
    kinds = _kinds(placed)
    title = (
        f"{kinds[0].placed.name} allows most: {wording.significant(kinds[0].speed)} tokens a second"
        f"{_holding(kinds)}"
        if kinds
        else f"No kind of chip holds the model with {MOST_CHIPS:,} chips per layer"
    )
    return bar_exhibit(
        kinds,
        lambda kind: _bar(kind, chosen=kind.word == chosen),
        title=title,
        subtitle="Tokens a second for one request with as many chips per layer as are enough; stages are added "
        f"where memory needs them. A plus: {MOST_CHIPS:,} per layer are the most tried, and more would still help.",
        source=source,
        axis=ValueAxis(
            title="Tokens a second, one request, at best",
            word="{:,g}".format,
            span=(0.0,) if kinds else (0.0, 1.0),
        ),
        columns=KIND_COLUMNS,
    )


def _bar(kind: _Kind, *, chosen: bool) -> Bar:
    held_by = f"; {kind.placed.fewest:,} hold it" if kind.placed.fewest > 1 else ""
    return Bar(
        label=kind.placed.name,
        value=kind.speed,
        text=f"{wording.significant(kind.speed)} with {kind.chips}{held_by}",
        detail=(
            f"{wording.counted(kind.placed.fewest, 'chip')} hold{'s' if kind.placed.fewest == 1 else ''} the model",
            *((f"{wording.significant(kind.today)} with today's latencies",) if kind.today > 0 else ()),
        ),
        role="memory" if chosen else "context",
        emphasised=chosen,
    )


def _holding(kinds: Sequence[_Kind]) -> str:
    fewest = {kind.word: kind.placed.fewest for kind in kinds}
    parts = []
    if "wse-3" in fewest:
        parts.append(wording.counted(fewest["wse-3"], "wafer"))
    if "groq-lpu" in fewest:
        parts.append(f"{fewest['groq-lpu']:,} Groq {'chip' if fewest['groq-lpu'] == 1 else 'chips'}")
    return f"; {' or '.join(parts)} hold the model" if parts else ""
