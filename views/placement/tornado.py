"""Sensitivity of the verdict on /placement to each input."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from analysis.placement.question import Question
from analysis.placement.verdict import Verdict, verdict
from charts.chart import Axis, Bar
from views import wording
from views.exhibits import ValueAxis, bars_exhibit
from views.placement.amounts import MEASURES, usd
from views.placement.answer import PlacementAnswer
from views.placement.inputs import work
from views.placement.settings import FIRST_YEAR, PlacementSettings
from views.result import Cell, Column, Exhibit, Table

VISIBLE = 0.005
"""Smallest change of a probability that counts as a change. [1]"""


@dataclass(frozen=True, kw_only=True, eq=False)
class Lever:
    """One changed input: the labels of its two ends, and the verdict at each."""

    label: str
    words: tuple[str, str]
    ends: tuple[Verdict, Verdict]


def levers_of(settings: PlacementSettings, question: Question) -> Iterator[Lever]:
    """Yield the inputs, each at two ends: half and twice its value, or the ends of a stated range."""
    around, now = question.conditions, float(question.work.requests_per_day)
    rent, watt = float(around.price_times), float(around.usd_per_kwh)

    def lever(label: str, *, words: tuple[str, str], at: Iterable[Question]) -> Lever:
        low, high = map(verdict, at)
        return Lever(label=label, words=words, ends=(low, high))

    loads = (replace(question.work, requests_per_day=now * times) for times in (0.5, 2.0))
    questions = (replace(question, work=load) for load in loads)
    yield lever("Requests a day", words=(f"{now / 2:,.0f}", f"{now * 2:,.0f}"), at=questions)
    for label, name in (("Length of a prompt", "prompt"), ("Length of an answer", "output")):
        less, more = (max(round(settings.number(name) * times), 1) for times in (0.5, 2.0))
        works = (work(replace(settings, **{name: size}))[1] for size in (less, more))
        words = (wording.counted(less, "token"), wording.counted(more, "token"))
        yield lever(label, words=words, at=[replace(question, work=each) for each in works])
    listed = (f"{50 * rent:.3g}% of listed", f"{150 * rent:.3g}% of listed")
    dollars = (f"${watt / 2:.3g}/kWh", f"${watt * 2:.3g}/kWh")
    for label, name, words, ends in (
        ("Rent", "price_times", listed, (0.5 * rent, 1.5 * rent)),
        ("Utilization", "utilization", ("30%", "90%"), (0.3, 0.9)),
        ("Years in use", "years", ("2 years", "6 years"), (2.0, 6.0)),
        ("Price charged", "share", ("0%", "100%"), (0.0, 1.0)),
        ("Electricity", "usd_per_kwh", dollars, (watt / 2, watt * 2)),
        ("Bandwidth of all chips", "bandwidth_times", ("−20%", "+20%"), (0.8, 1.2)),
        ("Network round trip", "round_trip_times", ("half", "double"), (0.5, 2.0)),
    ):
        yield lever(label, words=words, at=[question.under(**{name: end}) for end in ends])
    if (question.phones & question.allowed).any():
        rules = (replace(question, sustained_rule=rule) for rule in (True, False))
        yield lever("Phones under load", words=("slowed down", "first speed"), at=rules)


def _percent(value: float) -> str:
    return f"{100 * value:.0f}%"


@dataclass(frozen=True, kw_only=True)
class Measure:
    """What a tornado chart measures. ``of`` reads it from a verdict, or returns None if the measure is undefined."""

    of: Callable[[Verdict], float | None]
    words: Callable[[float], str]
    axis: ValueAxis
    title: str
    subtitle: str
    column: Sequence[str]


RATIO = Measure(
    of=lambda end: end.ratio,
    words=wording.times,
    axis=ValueAxis(title="Owned cost over rented cost", word=lambda value: f"{value:g}×", log=True),
    **MEASURES["ratio"],
)
COST = Measure(
    of=lambda end: end.cost_usd,
    words=usd,
    axis=ValueAxis(title="Cost of 1,000 requests", word=usd, log=True),
    **MEASURES["cost"],
)
NEAREST = Measure(
    of=lambda end: end.nearest,
    words=lambda chance: "over 99%" if 0.995 <= chance < 1 else _percent(chance),
    axis=ValueAxis(title="Chance that the nearest option meets all targets", word=_percent, span=(0.0, 1.0)),
    **MEASURES["chance"],
)
BEST = replace(NEAREST, of=lambda end: end.best)


@dataclass(frozen=True, kw_only=True)
class Tornado:
    """The verdict under the chosen settings, ``base``, and the verdicts at both ends of each input."""

    levers: Sequence[Lever]
    base: Verdict
    names: tuple[str, ...]

    @cached_property
    def measure(self) -> Measure:
        """Return the measure: owned cost over rented cost, or the lowest cost if one side has no cost.

        If no option meets all targets, it is the probability that the nearest place meets them, or the best place's.
        """
        if self.base.ratio is not None:
            return RATIO
        if self.base.cost_usd is not None:
            return COST
        ends = [lever.ends for lever in self.levers]
        nearest = max(abs(high.nearest - low.nearest) for low, high in ends)
        best = max(abs(high.best - low.best) for low, high in ends)
        return NEAREST if nearest > VISIBLE or best <= VISIBLE else BEST

    @cached_property
    def now(self) -> float:
        """Return the measure under the chosen settings."""
        now = self.measure.of(self.base)
        assert now is not None
        return now

    @cached_property
    def axis(self) -> Axis:
        """Return the axis of the measure, with room for amounts."""
        if not self.measure.axis.log:
            return self.measure.axis.over(())
        ends = (self.measure.of(end) for lever in self.levers for end in lever.ends)
        known = [self.now, *(value for value in ends if value is not None)]
        return self.measure.axis.over([min(known) / 1.3, max(known) * 1.3])

    def at(self, end: Verdict) -> float:
        """Return the position of one end of an input. It is a bound of the axis if one side has no hardware."""
        value = self.measure.of(end)
        if value is not None:
            return value
        return self.axis.high if end.own is None else self.axis.low

    def words(self, end: Verdict) -> str:
        """Return the measure at one end of an input as text."""
        value = self.measure.of(end)
        if value is not None:
            return self.measure.words(value)
        if end.winner is None:
            return "no option"
        return "no owned option" if end.own is None else "no cloud" if end.rented is None else "free"

    def cheapest(self, end: Verdict) -> str:
        """Return the cheapest place at one end of an input as text."""
        return "none" if end.winner is None else self.names[end.winner]

    def span(self, lever: Lever) -> float:
        """Return the distance between an input's ends: in logarithms for money, otherwise in probability."""
        low, high = map(self.at, lever.ends)
        return abs(math.log(high / low)) if self.measure.axis.log else abs(high - low)

    @cached_property
    def ordered(self) -> list[Lever]:
        """Return the inputs in decreasing order of distance between their ends."""
        return sorted(self.levers, key=self.span, reverse=True)

    def changes(self, lever: Lever) -> bool:
        """Return whether either end of an input changes the cheapest place."""
        return any(end.winner != self.base.winner for end in lever.ends)

    @property
    def title(self) -> str:
        """Return a title on the input that matters most."""
        top = self.ordered[0]
        if not self.measure.axis.log and self.span(top) <= VISIBLE:
            return "No single input brings any option closer to the targets"
        now, (low, high) = self.measure.words(self.now), map(self.words, top.ends)
        moved = self.measure.title.format(now=now, low=low, high=high, ends=top.words)
        for end, at in zip(top.ends, top.words, strict=True):
            if self.measure.of(end) is None and None in (end.winner, end.own, end.rented):
                moved = f"there is {self.words(end)} at {at}"
        return f"The input “{top.label}” matters most: {moved}"

    @property
    def subtitle(self) -> str:
        """Return a subtitle with the measure and the number of inputs that change the cheapest place."""
        changing = sum(map(self.changes, self.levers))
        does = "would let an option meet all targets"
        if self.base.winner is not None:
            change = "changes" if changing <= 1 else "change"
            does = f"{change} which option is cheapest (now the {self.names[self.base.winner]})"
        which = {0: "No input", 1: "Only the coloured input"}.get(changing, f"The {changing} coloured inputs")
        return f"{self.measure.subtitle.format(why=self._why())} {which} {does}."

    def _why(self) -> str:
        if self.base.own is None:
            return f"no {'owned hardware' if self.base.rented is not None else 'option'} meets all targets"
        return "no cloud meets all targets" if self.base.rented is None else "owned hardware costs nothing"

    def bar(self, lever: Lever) -> Bar:
        """Return a bar between an input's ends."""
        (low, high), changes = lever.ends, self.changes(lever)
        return Bar(
            label=lever.label,
            start=self.at(low),
            value=self.at(high),
            text=" to ".join(dict.fromkeys(map(self.words, lever.ends))),
            role="edge" if changes else "context",
            emphasised=changes,
            detail=tuple(
                f"At {words}: {self.words(end)}, cheapest: {self.cheapest(end)}"
                for words, end in zip(lever.words, lever.ends, strict=True)
            ),
        )

    def table(self) -> Table:
        """Return a table of the measure and the cheapest place at both ends of every input."""
        name, label, unit = self.measure.column
        columns = [Column(name="lever", label="Lever", kind="text")]
        for key, end in (("low", "low end"), ("high", "high end")):
            columns += [
                Column(name=f"{key}_end", label=end.capitalize(), kind="text"),
                Column(name=f"{name}_{key}", label=f"{label}, {end}", unit=unit),
                Column(name=f"cheapest_{key}", label=f"Cheapest option, {end}", kind="text"),
            ]

        def cells(lever: Lever) -> Iterator[Cell]:
            yield lever.label
            for words, end in zip(lever.words, lever.ends, strict=True):
                yield from (words, self.measure.of(end), self.cheapest(end))

        chosen = Lever(label="As chosen", words=("", ""), ends=(self.base, self.base))
        rows = tuple(tuple(cells(lever)) for lever in (chosen, *self.ordered))
        return Table(columns=tuple(columns), rows=rows)


def tornado_exhibit(answer: PlacementAnswer, *, source: str) -> Exhibit:
    """Return an exhibit of the verdict's sensitivity. Hardware follows the median trend."""
    settings, question = answer.settings, answer.question
    drawn = Tornado(
        levers=tuple(levers_of(settings, question)),
        base=verdict(question),
        names=tuple(label.brief for label in answer.inputs.labels),
    )
    later = settings.year > FIRST_YEAR
    as_of = f" Hardware is the median forecast for {settings.year}." if later else ""
    return bars_exhibit(
        tuple(map(drawn.bar, drawn.ordered)),
        title=drawn.title,
        subtitle=f"{drawn.subtitle}{as_of}",
        source=source,
        axis=drawn.axis,
        base=drawn.now,
        dots=True,
        numbers=drawn.table(),
    )
