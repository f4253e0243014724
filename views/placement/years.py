"""First year in which each place meets the targets, according to hardware trends."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from analysis.placement.years import ACCELERATOR, HELD, SINCE, Slope, groups, placement_years
from charts.chart import Axis, Line, Mark, Points
from views import wording
from views.axes import year_axis
from views.chips.rents import newer, rate, rate_words, scenario_label
from views.exhibits import xy_exhibit
from views.placement.amounts import CLASS_WORDS, QUANTITY_WORDS
from views.placement.answer import PlacementAnswer
from views.placement.inputs import slopes
from views.placement.places import PlaceLabel
from views.placement.settings import FIRST_YEAR, LAST_YEAR
from views.placement.tiers import FIFTHS
from views.result import Exhibit
from views.table import Getter, column, table

MOST_DEVICES = 6
SELDOM, NEARLY = 0.05, 0.95
"""Probabilities that a place with a line must exceed, or fall below, in some year. [1]"""
YEARS = range(FIRST_YEAR, LAST_YEAR + 1)


@dataclass(frozen=True, kw_only=True, eq=False)
class _ByYear:
    """A place's probability of meeting the targets in each of ``YEARS``, and the first year in which it suffices.

    A year after the last is infinite. ``short_name`` includes the device if two names would be equal; ``slopes`` are
    the trends of the ``group`` that the place follows, keyed by quantity.
    """

    label: PlaceLabel
    short_name: str
    chance: tuple[float, ...]
    first: float
    low: float
    high: float
    group: str
    slopes: Mapping[str, Slope]

    @property
    def named(self) -> str:
        """Return the place's name for use in a sentence."""
        return self.label.named() if self.label.rented else wording.a(self.short_name)

    @property
    def title(self) -> str:
        """Return the place's label with a capital letter, to begin a sentence."""
        return wording.sentence_case(self.label.text)

    @property
    def span(self) -> str:
        """Return the interval of the first year in which the place suffices, as text."""
        if math.isfinite(self.high):
            return f"{self.low:.0f}–{self.high:.0f}" if self.high > self.low else f"{self.low:.0f}"
        return f"{self.low:.0f} to after {LAST_YEAR}" if math.isfinite(self.low) else f"after {LAST_YEAR}"

    @property
    def pooled(self) -> str:
        """Return text on the quantities that follow the trend of all devices."""
        return ", ".join(QUANTITY_WORDS[word] for word, slope in self.slopes.items() if slope.pooled)

    @property
    def follows(self) -> str:
        """Return text on the trend that the place follows."""
        own = "leading data-centre chips" if self.group == ACCELERATOR else CLASS_WORDS[self.group]
        return f"{own}; {self.pooled}: all devices" if self.pooled else own


def _places_by_year(answer: PlacementAnswer) -> list[_ByYear]:
    """Return the yearly probabilities of the places that no rule excludes."""
    question, release = answer.question.at(answer.question.allowed), answer.release.stands_on
    trends, names = slopes(release, answer.settings.rents), groups(question.places)
    outlook = placement_years(question, YEARS, slopes=trends, groups=names)
    allowed = zip(answer.inputs.labels, answer.question.allowed, strict=True)
    labels = [replace(label, year=None) for label, keep in allowed if keep]
    brief = [label.brief for label in labels]
    return [
        _ByYear(
            label=label,
            short_name=label.text if brief.count(label.brief) > 1 else label.brief,
            chance=tuple(outlook.chance[:, i].tolist()),
            first=float(outlook.first[i]),
            low=float(outlook.low[i]),
            high=float(outlook.high[i]),
            group=names[i],
            slopes=trends[names[i]],
        )
        for i, label in enumerate(labels)
    ]


def years_exhibit(answer: PlacementAnswer, *, source: str) -> Exhibit | None:
    """Return an exhibit of the places' probability of meeting the targets, by year."""
    if not answer.question.allowed.any():
        return None
    release, rents = answer.release.stands_on, answer.settings.rents
    places = _places_by_year(answer)
    titled = _titled(places)
    shown = _shown(places, titled)
    crossing = [place for place in shown if FIRST_YEAR < place.first <= LAST_YEAR]
    crossing.sort(key=lambda place: place is not titled)
    sure = answer.settings.sure
    marked = f" Dots mark the first year in which that chance is at least {sure}%, with a 90% interval."
    newest = newer(release)
    ends = wording.interval(wording.times(newest.low), wording.times(newest.high))
    return xy_exhibit(
        list(_marks(shown, titled, crossing=crossing, sure=sure)),
        title=_title(places, titled, sure=sure),
        subtitle=f"Lines show how likely hardware of each year is to meet all targets.{marked if crossing else ''} "
        f"We assume that each class of hardware continues its trend since {SINCE}. An accelerator one year newer costs "
        f"{wording.times(newest.value)} as much to rent ({ends}). For a given accelerator, rents follow the scenario "
        f"“{scenario_label(rents)}”: {rate_words(rate(release, rents))}.",
        source=source,
        x=year_axis(FIRST_YEAR, LAST_YEAR),
        y=Axis(title="Chance of meeting all targets", low=-0.02, high=1.04, ticks=FIFTHS),
        numbers=table(COLUMNS, places),
    )


def _titled(places: Sequence[_ByYear]) -> _ByYear:
    """Return the place in the title: the first device that suffices or, if none does, the likeliest place."""
    own = [place for place in places if not place.label.rented]
    ever = (place for place in own if math.isfinite(place.first))
    return next(ever, None) or max(own or places, key=lambda place: max(place.chance))


def _title(places: Sequence[_ByYear], titled: _ByYear, *, sure: int) -> str:
    name, first = wording.sentence_case(titled.named), titled.first
    if first == FIRST_YEAR:
        likely = titled.chance[0]
        chance = "more than 99%" if likely > 0.99 else f"{100 * likely:.0f}%"
        return f"{name} can do this task today, {chance} likely"
    sooner = _sooner(places, than=first)
    if math.isfinite(first):
        return f"{name} could do this task from {first:.0f} ({titled.span}){sooner}"
    best = max(titled.chance)
    if not sooner and best >= 0.005:
        sooner = f"; {titled.named} reaches {100 * best:.0f}% in {YEARS[titled.chance.index(best)]}"
    return f"No device is {sure}% likely to do this task by {LAST_YEAR}{sooner}"


def _sooner(places: Sequence[_ByYear], *, than: float) -> str:
    """Return a clause on a place that suffices sooner, preferably a device. Empty if no place does."""
    sooner = [place for place in places if place.first < than]
    if not sooner:
        return ""
    place = min(sooner, key=lambda place: (place.label.rented, place.first))
    when = "can today" if place.first == FIRST_YEAR else f"could from {place.first:.0f}"
    return f"; {place.named} {when}"


def _shown(places: Sequence[_ByYear], titled: _ByYear) -> list[_ByYear]:
    """Return the places drawn as lines: devices whose probability is uncertain or changes, and the best cloud."""
    doubtful = [
        place
        for place in places
        if not place.label.rented and max(place.chance) > SELDOM and min(place.chance) < NEARLY
    ]
    devices = [place for place in doubtful if place is not titled][: MOST_DEVICES - 1]
    clouds = [place for place in places if place.label.rented]
    best = [max(clouds, key=lambda place: fmean(place.chance))] if clouds else []
    return [place for place in places if place in (titled, *devices, *best)]


def _marks(
    shown: Sequence[_ByYear], titled: _ByYear, *, crossing: Sequence[_ByYear], sure: int
) -> Iterator[Mark]:
    """Yield the probabilities as lines, and a point in each place's first sufficient year."""
    yield Line(
        series="Required reliability",
        role="context",
        x=(float(FIRST_YEAR), float(LAST_YEAR)),
        y=(sure / 100, sure / 100),
        dash="dotted",
        end_label=(f"{sure}%",),
    )
    for place in sorted(shown, key=lambda place: place is titled):
        yield Line(
            series=place.title,
            role="compute" if place.label.rented else "edge",
            x=tuple(map(float, YEARS)),
            y=place.chance,
            faded=place is not titled,
            end_label=(place.short_name,),
        )
    if crossing:
        yield Points(
            series="First year reliable enough",
            role="edge",
            x=tuple(place.first for place in crossing),
            y=tuple(place.chance[int(place.first) - FIRST_YEAR] for place in crossing),
            names=tuple(place.title for place in crossing),
            details=tuple((f"from {place.first:.0f} (90% of trends: {place.span})",) for place in crossing),
            marked=tuple((k, f"{place.first:.0f} ({place.span})") for k, place in enumerate(crossing)),
        )


def _year(value: float) -> int | None:
    return int(value) if math.isfinite(value) else None


COLUMNS: tuple[Getter[_ByYear], ...] = (
    column("place", lambda place: place.label.text, label="Option", kind="text"),
    column("from_year", lambda place: _year(place.first), label="From", unit="year", kind="year"),
    column("from_year_low", lambda place: _year(place.low), label="From, low", unit="year", kind="year"),
    column("from_year_high", lambda place: _year(place.high), label="From, high", unit="year", kind="year"),
    *(
        column(f"chance_{year}", lambda place, at=at: place.chance[at], label=f"Chance {year}", unit="1")
        for at, year in enumerate(YEARS)
    ),
    column("trend", lambda place: place.follows, label="Follows the trend of", kind="text"),
    *(
        column(
            f"{name}_growth_per_year",
            lambda place, of=name: 10.0 ** place.slopes.get(of, HELD).middle,
            label=f"Growth of {word}",
            unit="x/year",
        )
        for name, word in QUANTITY_WORDS.items()
    ),
)
