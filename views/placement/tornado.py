"""What the verdict of /placement is most sensitive to: each lever to both its ends, all else as chosen."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from analysis.placement.verdict import Verdict, verdict
from charts.chart import Axis, Bar
from views import wording
from views.exhibits import ValueAxis, bars_exhibit
from views.placement.amounts import usd
from views.placement.answer import PlacementAnswer
from views.placement.levers import Lever, levers_of
from views.placement.workload import FIRST_YEAR
from views.result import Cell, Exhibit, Table
from views.table import Getter, column, table
from views.wording import small_initial

VISIBLE = 0.005
"""A chance that moves by less than this has not moved. [1]"""


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


@dataclass(frozen=True, kw_only=True)
class Measure:
    """What a tornado measures: ``of`` a verdict, None where it has none.

    ``title`` says the measure ``now`` and at both ends of the first lever, ``subtitle`` also ``why`` it is this one;
    ``column`` is the name, label and unit of its cells.
    """

    of: Callable[[Verdict], float | None]
    words: Callable[[float], str]
    axis: ValueAxis
    title: str
    subtitle: str
    column: tuple[str, str, str]


RATIO = Measure(
    of=lambda end: end.ratio,
    words=wording.times,
    axis=ValueAxis(title="Owned cost over rented cost", word=lambda value: f"{value:g}×", log=True),
    title="owned hardware costs {now} the cloud; {low} at {ends[0]}, {high} at {ends[1]}",
    subtitle="Cost of the cheapest owned hardware over that of the cheapest cloud, one input changed at a time, log "
    "scale; left of 1× owning is cheaper.",
    column=("cost_ratio", "Owned over rented", "x"),
)
COST = Measure(
    of=lambda end: end.cost_usd,
    words=usd,
    axis=ValueAxis(title="Cost of 1,000 requests", word=usd, log=True),
    title="1,000 requests cost {now}; {low} at {ends[0]}, {high} at {ends[1]}",
    subtitle="Cost of 1,000 requests at the cheapest option that meets all targets, one input changed at a time, log "
    "scale; {why}.",
    column=("cost_usd_per_1000_requests", "Cost of 1,000 requests", "USD"),
)


def chance_of(of: Callable[[Verdict], float]) -> Measure:
    """Return the chance of the nearest place as a measure: that of the side without a place, or of any."""
    return Measure(
        of=of,
        words=lambda chance: "over 99 %" if 0.995 <= chance < 1 else _percent(chance),
        axis=ValueAxis(
            title="Chance of the nearest option to meet all targets", word=_percent, span=(0.0, 1.0)
        ),
        title="the nearest option is {low} likely to meet all targets at {ends[0]}, {high} at {ends[1]}",
        subtitle="Probability that the nearest option meets all targets, one input changed at a time; {why}, so costs "
        "cannot be compared.",
        column=("probability", "Chance of the nearest", "1"),
    )


Ends = tuple[Verdict, Verdict]
Row = tuple[str, tuple[str, str], Ends]
"""A lever, its ends in words and the verdicts there."""


@dataclass(frozen=True, kw_only=True)
class Tornado:
    """The verdict as chosen and at both ends of each lever, by one measure; ``names`` are the places' short names."""

    levers: tuple[Lever, ...]
    ends: tuple[Ends, ...]
    base: Verdict
    names: tuple[str, ...]
    measure: Measure

    @cached_property
    def now(self) -> float:
        """Return the measure as chosen."""
        now = self.measure.of(self.base)
        assert now is not None
        return now

    @cached_property
    def axis(self) -> Axis:
        """Return the axis, which has room beside the money that is drawn."""
        if not self.measure.axis.log:
            return self.measure.axis.over(())
        ends = (self.measure.of(end) for pair in self.ends for end in pair)
        known = [self.now, *(value for value in ends if value is not None)]
        return self.measure.axis.over([min(known) / 1.3, max(known) * 1.3])

    def at(self, end: Verdict) -> float:
        """Return where an end lies: without owned hardware, or any, beyond the upper end, without a cloud the lower."""
        value = self.measure.of(end)
        if value is not None:
            return value
        return self.axis.high if end.own is None else self.axis.low

    def words(self, end: Verdict) -> str:
        """Return the measure at an end in words."""
        value = self.measure.of(end)
        if value is not None:
            return self.measure.words(value)
        if end.winner is None:
            return "no option"
        return "no owned option" if end.own is None else "no cloud" if end.rented is None else "free"

    def cheapest(self, end: Verdict) -> str:
        """Return the cheapest place at an end in words."""
        return "none" if end.winner is None else self.names[end.winner]

    def span(self, k: int) -> float:
        """Return how far apart the ends of a lever lie: as a logarithm of money, as a difference of chances."""
        low, high = map(self.at, self.ends[k])
        return abs(math.log(high / low)) if self.measure.axis.log else abs(high - low)

    @cached_property
    def order(self) -> list[int]:
        """Return the levers from the widest span between their ends."""
        return sorted(range(len(self.levers)), key=lambda k: -self.span(k))

    @cached_property
    def changing(self) -> tuple[int, ...]:
        """Return the levers that change the cheapest place at one of their ends."""
        base = self.base.winner
        return tuple(k for k, ends in enumerate(self.ends) if any(end.winner != base for end in ends))

    @property
    def title(self) -> str:
        """Return what the first lever does."""
        top, log = self.order[0], self.measure.axis.log
        if not log and self.span(top) <= VISIBLE:
            return "No single input brings any option closer to the targets"
        lever, (low, high) = self.levers[top], map(self.words, self.ends[top])
        moved = self.measure.title.format(
            now=self.measure.words(self.now), low=low, high=high, ends=lever.ends
        )
        return f"Most sensitive to {small_initial(lever.label)}: {moved}"

    @property
    def subtitle(self) -> str:
        """Return what is measured and why, and how many levers change the cheapest place."""
        winner, count = self.base.winner, f"{len(self.changing)} of {len(self.levers)} inputs"
        does = "would let an option meet all targets"
        if winner is not None:
            does = f"change the cheapest option, the {self.names[winner]}"
        return (
            f"{self.measure.subtitle.format(why=self._why())} Hollow dots are the lower end of an input. "
            f"{count}, in colour, {does}.{self._one_way() if self.measure.axis.log else ''}"
        )

    def _why(self) -> str:
        if self.base.own is None:
            return f"no {'owned hardware' if self.base.rented is not None else 'option'} meets all targets"
        return "no cloud meets all targets" if self.base.rented is None else "owned hardware costs nothing"

    def _one_way(self) -> str:
        """Return why the first input that moves the cost one way at both ends does so: there other hardware wins."""
        for lever, ends in zip(self.levers, self.ends, strict=True):
            costs = [cost for end in ends if (cost := self.measure.of(end)) is not None]
            raises, lowers = min(costs, default=0.0) > self.now, max(costs, default=self.now) < self.now
            if len(costs) < len(ends) or not (raises or lowers):
                continue
            for words, end in zip(lever.ends, ends, strict=True):
                for place, was, side in (
                    (end.own, self.base.own, "owned"),
                    (end.rented, self.base.rented, "cloud"),
                ):
                    if place is not None and place != was:
                        return (
                            f" {lever.label} {'raises' if raises else 'lowers'} it at both ends: at {words} another "
                            f"{side} option, the {self.names[place]}, is the cheapest that meets all targets."
                        )
        return ""

    def bar(self, k: int) -> Bar:
        """Return a lever as a bar between its ends."""
        lever, ends, changes = self.levers[k], self.ends[k], k in self.changing
        return Bar(
            label=lever.label,
            start=self.at(ends[0]),
            value=self.at(ends[1]),
            text=" to ".join(dict.fromkeys(map(self.words, ends))),
            role="edge" if changes else "context",
            emphasised=changes,
            detail=tuple(
                f"At {words}: {self.words(end)}, cheapest: {self.cheapest(end)}"
                for words, end in zip(lever.ends, ends, strict=True)
            ),
        )

    def table(self) -> Table:
        """Return the measure and the cheapest place at both ends of every lever, as chosen first."""
        name, label, unit = self.measure.column

        def cell(side: int, of: Callable[[Verdict], Cell]) -> Callable[[Row], Cell]:
            return lambda row: of(row[2][side])

        def words(side: int) -> Callable[[Row], Cell]:
            return lambda row: row[1][side]

        columns: list[Getter[Row]] = [column("lever", lambda row: row[0], label="Lever", kind="text")]
        for side, (key, end) in enumerate((("low", "low end"), ("high", "high end"))):
            columns += [
                column(f"{key}_end", words(side), label=end.capitalize(), kind="text"),
                column(f"{name}_{key}", cell(side, self.measure.of), label=f"{label}, {end}", unit=unit),
                column(
                    f"cheapest_{key}", cell(side, self.cheapest), label=f"Cheapest option, {end}", kind="text"
                ),
            ]
        chosen: Row = ("As chosen", ("", ""), (self.base, self.base))
        levers = ((self.levers[k].label, self.levers[k].ends, self.ends[k]) for k in self.order)
        return table(columns, (chosen, *levers))


def measure_of(base: Verdict, ends: tuple[Ends, ...]) -> Measure:
    """Return what is measured: owned over rented cost, where one side has none the cheapest place's cost, where no
    option meets all targets the nearest place's chance.
    """
    if base.ratio is not None:
        return RATIO
    if base.cost_usd is not None:
        return COST

    def widest(of: Callable[[Verdict], float]) -> float:
        return max(abs(of(high) - of(low)) for low, high in ends)

    nearest, best = (lambda end: end.nearest), (lambda end: end.best)
    return chance_of(nearest if widest(nearest) > VISIBLE or widest(best) <= VISIBLE else best)


def tornado_exhibit(answer: PlacementAnswer, *, source: str) -> Exhibit:
    """Return what moves the verdict; hardware is that of the middle expectation in the chosen year."""
    base, year = verdict(answer.question), answer.settings.year
    levers = tuple(levers_of(answer.settings, answer.question))
    ends = tuple((verdict(lever.low), verdict(lever.high)) for lever in levers)
    names = tuple(label.brief for label in answer.inputs.labels)
    drawn = Tornado(levers=levers, ends=ends, base=base, names=names, measure=measure_of(base, ends))
    as_of = "" if year == FIRST_YEAR else f" Hardware is the middle expectation for {year}."
    return bars_exhibit(
        tuple(map(drawn.bar, drawn.order)),
        title=drawn.title,
        subtitle=f"{drawn.subtitle}{as_of}",
        source=source,
        axis=drawn.axis,
        base=drawn.now,
        dots=True,
        numbers=drawn.table(),
    )
