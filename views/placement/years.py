"""From which year each place does what is asked, as devices and chips move along their fitted trends."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from analysis.arrays import FloatArray
from analysis.placement.places import RENTED, Places
from analysis.placement.years import (
    ACCELERATOR,
    HELD,
    SINCE,
    PlacementYears,
    Slopes,
    groups,
    placement_years,
)
from charts.chart import Axis, Line, Mark, Points
from views import wording
from views.axes import year_axis
from views.chips.rents import newer, rate, rate_words, scenario_label
from views.exhibits import xy_exhibit
from views.placement.answer import PlacementAnswer
from views.placement.fitted import slopes
from views.placement.places import CLASS_WORDS, PlaceLabel
from views.placement.tiers import FIFTHS
from views.placement.workload import FIRST_YEAR, LAST_YEAR
from views.result import Cell, Exhibit, Table
from views.table import Getter, column, table

QUANTITY_WORDS = {
    "bandwidth": "bandwidth",
    "flop": "FLOP/s",
    "capacity": "memory",
    "price": "price",
    "link": "link",
}
MOST_DEVICES = 6
SELDOM, NEARLY = 0.05, 0.95
"""A place whose chance stays below or above throughout has no line, unless the title names it. [1]"""


@dataclass(frozen=True, kw_only=True)
class _ByYear:
    """The chances of places by year, with whose trend each follows and which place the title is about."""

    places: Places
    labels: tuple[PlaceLabel, ...]
    outlook: PlacementYears
    names: tuple[str, ...]
    trends: Slopes
    titled: int
    sure: int

    @cached_property
    def short_names(self) -> list[str]:
        """Return the places' short names, with the device where two would read alike."""
        brief = [label.brief for label in self.labels]
        return [label.text if brief.count(label.brief) > 1 else label.brief for label in self.labels]

    def named(self, i: int) -> str:
        """Return a place as it stands in a sentence."""
        label = self.labels[i]
        return f"the cloud ({label.device})" if label.rented else wording.a(self.short_names[i])

    def span(self, i: int) -> str:
        """Return the interval of a place's first year."""
        low, high = self.outlook.low[i], self.outlook.high[i]
        if np.isfinite(high):
            return f"{low:.0f}–{high:.0f}" if high > low else f"{low:.0f}"
        return f"{low:.0f} to after {LAST_YEAR}" if np.isfinite(low) else f"after {LAST_YEAR}"

    def pooled(self, group: str) -> str:
        """Return the quantities in which a group follows the trend of all devices."""
        return ", ".join(QUANTITY_WORDS[word] for word, slope in self.trends[group].items() if slope.pooled)


def years_exhibit(answer: PlacementAnswer, *, source: str) -> Exhibit | None:
    """Return the chance by year of places that the rules allow, and from which year each is sure enough."""
    question, settings = answer.question, answer.settings
    keep = question.allowed
    if not keep.any():
        return None
    places, name = question.places.at(keep), answer.release.stands_on
    trends, names = slopes(name, settings.rents), groups(places)
    years = np.arange(float(FIRST_YEAR), LAST_YEAR + 1.0)
    outlook = placement_years(question.at(keep), years, slopes=trends, groups=names)
    by_year = _ByYear(
        places=places,
        labels=tuple(replace(answer.inputs.labels[i], year=None) for i in np.flatnonzero(keep)),
        outlook=outlook,
        names=names,
        trends=trends,
        titled=_titled(places, outlook),
        sure=settings.sure,
    )
    shown = _shown(by_year)
    crossing = [i for i in shown if FIRST_YEAR < outlook.first[i] <= LAST_YEAR]
    marked = (
        f"; marked: the first year reliable enough, with its {wording.percent(0.9)} interval from the trends"
    )
    return xy_exhibit(
        [*_lines(by_year, shown), *_first_years(by_year, crossing)],
        title=_title(by_year),
        subtitle="Chance that hardware on sale by then meets all targets"
        f"{marked if crossing else ''}. Each class is assumed to continue its trend since {SINCE}, fitted within "
        f"product lines; {rents_in_words(name, settings.rents)}.{_pooled(by_year, shown)}",
        source=source,
        x=year_axis(FIRST_YEAR, LAST_YEAR),
        y=Axis(title="Chance to meet all targets", low=-0.02, high=1.04, ticks=FIFTHS),
        numbers=_table(by_year),
    )


def rents_in_words(release: str, scenario: str) -> str:
    """Return how rents are assumed to move."""
    newest = newer(release)
    ends = wording.interval(wording.times(newest.low), wording.times(newest.high))
    return (
        f"an accelerator a year newer rents for {wording.times(newest.value)} as much on one list ({ends}), and lists "
        f"move as chosen (“{scenario_label(scenario)}”: {rate_words(rate(release, scenario))})"
    )


def _titled(places: Places, outlook: PlacementYears) -> int:
    """Return the place the title is about: the smallest device that ever does it, else the likeliest place."""
    own = ~places.is_kind(RENTED)
    doing = np.flatnonzero(own & np.isfinite(outlook.first))
    if len(doing):
        return int(doing[0])
    among = np.flatnonzero(own) if own.any() else np.arange(len(places))
    return int(among[np.argmax(outlook.chance[:, among].max(axis=0))])


def _title(by_year: _ByYear) -> str:
    outlook, titled = by_year.outlook, by_year.titled
    first, name = float(outlook.first[titled]), by_year.named(titled)
    if first == FIRST_YEAR:
        likely = outlook.chance[0, titled]
        chance = "more than 99 %" if likely > 0.99 else f"{100 * likely:.0f} %"
        return f"{wording.sentence_case(name)} can do this today, {chance} likely"
    sooner = _sooner(by_year, than=first)
    if np.isfinite(first):
        span = by_year.span(titled)
        return f"{wording.sentence_case(name)} could do this from {first:.0f} ({span}){sooner}"
    best = int(outlook.chance[:, titled].argmax())
    if not sooner and outlook.chance[best, titled] >= 0.005:
        sooner = f"; {name} reaches {100 * outlook.chance[best, titled]:.0f} % in {outlook.year[best]:.0f}"
    return f"No device is {by_year.sure} % likely to do this by {LAST_YEAR}{sooner}"


def _sooner(by_year: _ByYear, *, than: float) -> str:
    """Return what does it sooner, the first device before any cloud; empty where nothing does."""
    outlook, rented = by_year.outlook, by_year.places.is_kind(RENTED)
    for group in (~rented, rented):
        among = np.flatnonzero(group & (outlook.first < than))
        if len(among):
            i = int(among[np.argmin(outlook.first[among])])
            when = "can today" if outlook.first[i] == FIRST_YEAR else f"could from {outlook.first[i]:.0f}"
            return f"; {by_year.named(i)} {when}"
    return ""


def _shown(by_year: _ByYear) -> list[int]:
    """Return the places that get a line: devices whose chance changes or is in doubt, and the best cloud."""
    rented, chance, titled = by_year.places.is_kind(RENTED), by_year.outlook.chance, by_year.titled
    doubtful = (chance.max(axis=0) > SELDOM) & (chance.min(axis=0) < NEARLY)
    devices = [int(i) for i in np.flatnonzero(~rented & doubtful) if i != titled][: MOST_DEVICES - 1]
    clouds = np.flatnonzero(rented)
    best = [int(clouds[np.argmax(chance[:, clouds].mean(axis=0))])] if len(clouds) else []
    return sorted({titled, *devices, *best})


def _lines(by_year: _ByYear, shown: list[int]) -> Iterator[Mark]:
    places, outlook, sure = by_year.places, by_year.outlook, by_year.sure
    yield Line(
        series="Required reliability",
        role="context",
        x=(float(FIRST_YEAR), float(LAST_YEAR)),
        y=(sure / 100, sure / 100),
        dash="dotted",
        end_label=(f"{sure} %",),
    )
    for i in sorted(shown, key=lambda i: i == by_year.titled):
        yield Line(
            series=wording.sentence_case(places.name[i]),
            role="compute" if places.kind[i] == RENTED else "edge",
            x=tuple(outlook.year.tolist()),
            y=tuple(outlook.chance[:, i].tolist()),
            faded=i != by_year.titled,
            end_label=(by_year.short_names[i],),
        )


def _first_years(by_year: _ByYear, crossing: list[int]) -> Iterator[Mark]:
    """Yield the first year of each place that becomes reliable enough, with its interval."""
    places, outlook = by_year.places, by_year.outlook
    if crossing:
        crossing = sorted(crossing, key=lambda i: i != by_year.titled)
        first, spans = [float(outlook.first[i]) for i in crossing], [by_year.span(i) for i in crossing]
        dated = list(zip(first, spans, strict=True))
        yield Points(
            series="First year reliable enough",
            role="edge",
            x=tuple(first),
            y=tuple(
                float(outlook.chance[int(year) - FIRST_YEAR, i])
                for year, i in zip(first, crossing, strict=True)
            ),
            names=tuple(wording.sentence_case(places.name[i]) for i in crossing),
            details=tuple(
                (f"from {year:.0f} ({wording.percent(0.9)} of trends: {span})",) for year, span in dated
            ),
            marked=tuple((k, f"{year:.0f} ({span})") for k, (year, span) in enumerate(dated)),
        )


def _pooled(by_year: _ByYear, shown: list[int]) -> str:
    """Return which trends of the shown classes are those of all devices, as a sentence; empty where none is."""
    named = {name: by_year.pooled(name) for name in dict.fromkeys(by_year.names[i] for i in shown)}
    classes = [f"{CLASS_WORDS[name]} ({quantities})" for name, quantities in named.items() if quantities]
    return f" On the trend of all devices, having too few: {'; '.join(classes)}." if classes else ""


def _table(by_year: _ByYear) -> Table:
    outlook, names, trends = by_year.outlook, by_year.names, by_year.trends

    def year(values: FloatArray) -> Callable[[int], Cell]:
        return lambda i: int(values[i]) if np.isfinite(values[i]) else None

    def chance(at: int) -> Callable[[int], Cell]:
        return lambda i: float(outlook.chance[at, i])

    def grown(quantity: str) -> Callable[[int], Cell]:
        return lambda i: float(10.0 ** trends[names[i]].get(quantity, HELD).middle)

    def follows(i: int) -> str:
        own = "leading data-centre chips" if names[i] == ACCELERATOR else CLASS_WORDS[names[i]]
        pooled = by_year.pooled(names[i])
        return f"{own}; {pooled}: all devices" if pooled else own

    columns: tuple[Getter[int], ...] = (
        column("place", lambda i: by_year.places.name[i], label="Option", kind="text"),
        column("from_year", year(outlook.first), label="From", unit="year", kind="year"),
        column("from_year_low", year(outlook.low), label="From, low", unit="year", kind="year"),
        column("from_year_high", year(outlook.high), label="From, high", unit="year", kind="year"),
        *(
            column(f"chance_{of:.0f}", chance(at), label=f"Chance {of:.0f}", unit="1")
            for at, of in enumerate(outlook.year)
        ),
        column("trend", follows, label="Follows the trend of", kind="text"),
        *(
            column(f"{name}_growth_per_year", grown(name), label=f"Growth of {word}", unit="x/year")
            for name, word in QUANTITY_WORDS.items()
        ),
    )
    return table(columns, range(len(by_year.places)))
