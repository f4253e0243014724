"""What the verdict of /placement is most sensitive to: each lever to both its ends, all else as chosen."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from analysis.placement.verdict import Verdict, verdict
from charts.chart import Axis, Bar, BarChart
from views import wording
from views.axes import linear_axis, log_axis
from views.placement.amounts import usd
from views.placement.answer import PlacementAnswer
from views.placement.levers import Lever, levers_of
from views.placement.workload import FIRST_YEAR
from views.result import Cell, Exhibit, Table
from views.table import Getter, column, table
from views.wording import small_initial

VISIBLE = 0.005
"""A chance that moves by less than this has not moved. [1]"""
Measured = Callable[[Verdict], float | None]


@dataclass(frozen=True, kw_only=True)
class MovedVerdicts:
    """The verdict as chosen, and at both ends of each lever; ``names`` are the places' short names."""

    levers: tuple[Lever, ...]
    ends: tuple[tuple[Verdict, Verdict], ...]
    base: Verdict
    names: tuple[str, ...]

    @cached_property
    def changing(self) -> tuple[int, ...]:
        """Return the levers that change the cheapest place at one of their ends."""
        base = self.base.winner
        return tuple(k for k, ends in enumerate(self.ends) if any(end.winner != base for end in ends))

    def cheapest(self, end: Verdict) -> str:
        """Return the cheapest place at an end in words."""
        return "none" if end.winner is None else self.names[end.winner]

    def ranked(self, span: Callable[[Verdict, Verdict], float]) -> list[int]:
        """Return the levers from the widest span between their ends."""
        spans = [span(low, high) for low, high in self.ends]
        return sorted(range(len(self.levers)), key=lambda k: -spans[k])


@dataclass(frozen=True, kw_only=True)
class TornadoMeasure:
    """What a tornado measures: ``at`` places an end on the axis, ``words`` names it and ``cell`` stands in the table.

    ``column`` is the name, label and unit of that cell, ``base`` the measure as chosen.
    """

    axis: Axis
    base: float
    at: Callable[[Verdict], float]
    words: Callable[[Verdict], str]
    cell: Measured
    column: tuple[str, str, str]


@dataclass(frozen=True, kw_only=True)
class _Money:
    """A measure of the verdict in money: what it is of each end, and its words."""

    of: Measured
    words: Callable[[float], str]
    tick: Callable[[float], str]
    axis: str
    subtitle: str
    verdict: str
    column: tuple[str, str, str]


RATIO = _Money(
    of=lambda end: end.ratio,
    words=wording.times,
    tick=lambda value: f"{value:g}×",
    axis="Owned cost over rented cost",
    subtitle="Cost of the cheapest owned hardware over that of the cheapest cloud, one input changed at a time, log "
    "scale; left of 1× owning is cheaper.",
    verdict="owned hardware costs {} the cloud",
    column=("cost_ratio", "Owned over rented", "x"),
)
COST = _Money(
    of=lambda end: end.cost_usd,
    words=usd,
    tick=usd,
    axis="Cost of 1,000 requests",
    subtitle="Cost of 1,000 requests at the cheapest option that meets all targets, one input changed at a time, log "
    "scale;",
    verdict="1,000 requests cost {}",
    column=("cost_usd_per_1000_requests", "Cost of 1,000 requests", "USD"),
)


def tornado_exhibit(answer: PlacementAnswer, *, source: str) -> Exhibit:
    """Return what moves the verdict: owned over rented cost, where one side has none the cheapest place's cost, where
    no option meets all targets the nearest place's chance.

    Hardware is that of the middle expectation in the chosen year.
    """
    base, year = verdict(answer.question), answer.settings.year
    levers = tuple(levers_of(answer.settings, answer.question))
    moved = MovedVerdicts(
        levers=levers,
        ends=tuple((verdict(lever.low), verdict(lever.high)) for lever in levers),
        base=base,
        names=tuple(label.brief for label in answer.inputs.labels),
    )
    as_of = "" if year == FIRST_YEAR else f" Hardware is the middle expectation for {year}."
    if base.ratio is None and base.cost_usd is None:
        return _by_chance(moved, as_of=as_of, source=source)
    money = COST if base.ratio is None else RATIO
    return _by_money(moved, money=money, as_of=as_of, source=source)


def _by_money(moved: MovedVerdicts, *, money: _Money, as_of: str, source: str) -> Exhibit:
    of, base = money.of, moved.base
    now = of(base)
    assert now is not None
    known = [now, *(value for pair in moved.ends for end in pair if (value := of(end)) is not None)]
    axis = log_axis(money.axis, [min(known) / 1.3, max(known) * 1.3], word=money.tick)

    def at(end: Verdict) -> float:
        # Without owned hardware, or any, the measure has no upper end; without a rented one no lower.
        value = of(end)
        if value is not None:
            return value
        return axis.high if end.own is None else axis.low

    def words(end: Verdict) -> str:
        value = of(end)
        if value is not None:
            return money.words(value)
        if end.winner is None:
            return "no option"
        return "no owned option" if end.own is None else "no cloud" if end.rented is None else "free"

    order = moved.ranked(lambda low, high: abs(math.log(at(high) / at(low))))
    top, (low, high) = moved.levers[order[0]], moved.ends[order[0]]
    title = (
        f"Most sensitive to {small_initial(top.label)}: {money.verdict.format(money.words(now))}; "
        f"{words(low)} at {top.ends[0]}, {words(high)} at {top.ends[1]}"
    )
    reason = f" {_why(base)}." if base.ratio is None else ""
    return tornado(
        moved,
        TornadoMeasure(axis=axis, base=now, at=at, words=words, cell=of, column=money.column),
        order=order,
        title=title,
        subtitle=f"{money.subtitle}{reason} {_as_chosen(moved)}{_one_way(moved, of=of)}{as_of}",
        source=source,
    )


def _one_way(moved: MovedVerdicts, *, of: Measured) -> str:
    """Return why the first input that moves the cost one way at both its ends does so: there other hardware wins."""
    base = moved.base
    now = of(base) or 0.0
    for lever, ends in zip(moved.levers, moved.ends, strict=True):
        costs = [cost for end in ends if (cost := of(end)) is not None]
        raises, lowers = min(costs, default=0.0) > now, max(costs, default=now) < now
        if len(costs) < len(ends) or not (raises or lowers):
            continue
        for words, end in zip(lever.ends, ends, strict=True):
            for place, was, side in ((end.own, base.own, "owned"), (end.rented, base.rented, "cloud")):
                if place is not None and place != was:
                    return (
                        f" {lever.label} {'raises' if raises else 'lowers'} it at both ends: at {words} another "
                        f"{side} option, the {moved.names[place]}, is the cheapest that meets all targets."
                    )
    return ""


def _by_chance(moved: MovedVerdicts, *, as_of: str, source: str) -> Exhibit:
    def nearest(end: Verdict) -> float:
        return end.nearest

    def best(end: Verdict) -> float:
        return end.best

    def widest(of: Callable[[Verdict], float]) -> float:
        return max(abs(of(high) - of(low)) for low, high in moved.ends)

    chance = nearest if widest(nearest) > VISIBLE or widest(best) <= VISIBLE else best

    def percent(value: float) -> str:
        return f"{100 * value:.0f} %"

    def words(end: Verdict) -> str:
        return "over 99 %" if 0.995 <= chance(end) < 1 else percent(chance(end))

    order = moved.ranked(lambda low, high: abs(chance(high) - chance(low)))
    top, (low, high) = moved.levers[order[0]], moved.ends[order[0]]
    title = (
        f"Most sensitive to {small_initial(top.label)}: the nearest option is {words(low)} likely to meet all "
        f"targets at {top.ends[0]}, {words(high)} at {top.ends[1]}"
        if abs(chance(high) - chance(low)) > VISIBLE
        else "No single input brings any option closer to the targets"
    )
    return tornado(
        moved,
        TornadoMeasure(
            axis=linear_axis("Chance of the nearest option to meet all targets", [0.0, 1.0], word=percent),
            base=chance(moved.base),
            at=chance,
            words=words,
            cell=chance,
            column=("probability", "Chance of the nearest", "1"),
        ),
        order=order,
        title=title,
        subtitle="Probability that the nearest option meets all targets, one input changed at a time; "
        f"{_why(moved.base)}, so costs cannot be compared. {_as_chosen(moved)}{as_of}",
        source=source,
    )


def _as_chosen(moved: MovedVerdicts) -> str:
    winner, count = moved.base.winner, f"{len(moved.changing)} of {len(moved.levers)} inputs"
    ends = "Hollow dots are the lower end of an input."
    if winner is None:
        return f"{ends} {count}, in colour, would let an option meet all targets."
    return f"{ends} {count}, in colour, change the cheapest option, the {moved.names[winner]}."


def _why(base: Verdict) -> str:
    if base.own is None:
        return f"no {'owned hardware' if base.rented is not None else 'option'} meets all targets"
    return "no cloud meets all targets" if base.rented is None else "owned hardware costs nothing"


def tornado(
    moved: MovedVerdicts,
    measure: TornadoMeasure,
    *,
    order: list[int],
    title: str,
    subtitle: str,
    source: str,
) -> Exhibit:
    """Return the bars and the table of a tornado; ``order`` holds the levers from the widest span."""
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=subtitle,
            alt=f"{title}.",
            source=source,
            x=measure.axis,
            base=measure.base,
            bars=tuple(_bar(moved, measure, k=k) for k in order),
            dots=True,
        ),
        table=_table(moved, measure, order=order),
    )


def _bar(moved: MovedVerdicts, measure: TornadoMeasure, *, k: int) -> Bar:
    lever, ends, changes = moved.levers[k], moved.ends[k], k in moved.changing
    return Bar(
        label=lever.label,
        start=measure.at(ends[0]),
        value=measure.at(ends[1]),
        text=" to ".join(dict.fromkeys(measure.words(end) for end in ends)),
        role="edge" if changes else "context",
        emphasised=changes,
        detail=tuple(
            f"At {words}: {measure.words(end)}, cheapest: {moved.cheapest(end)}"
            for words, end in zip(lever.ends, ends, strict=True)
        ),
    )


Row = tuple[str, tuple[str, str], tuple[Verdict, Verdict]]
"""A lever, its ends in words and the verdicts there."""


def _table(moved: MovedVerdicts, measure: TornadoMeasure, *, order: list[int]) -> Table:
    name, label, unit = measure.column

    def cell(side: int, of: Callable[[Verdict], Cell]) -> Callable[[Row], Cell]:
        return lambda row: of(row[2][side])

    def end(side: int) -> Callable[[Row], Cell]:
        return lambda row: row[1][side]

    columns: list[Getter[Row]] = [column("lever", lambda row: row[0], label="Lever", kind="text")]
    for side, (key, words) in enumerate((("low", "low end"), ("high", "high end"))):
        columns += [
            column(f"{key}_end", end(side), label=words.capitalize(), kind="text"),
            column(f"{name}_{key}", cell(side, measure.cell), label=f"{label}, {words}", unit=unit),
            column(
                f"cheapest_{key}",
                cell(side, moved.cheapest),
                label=f"Cheapest option, {words}",
                kind="text",
            ),
        ]
    chosen: Row = ("As chosen", ("", ""), (moved.base, moved.base))
    return table(
        columns, (chosen, *((moved.levers[k].label, moved.levers[k].ends, moved.ends[k]) for k in order))
    )
