"""From which year each place does what is asked, as devices and chips move along their fitted trends."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.arrays import FloatArray
from analysis.placement.places import RENTED, Places
from analysis.placement.years import (
    ACCELERATOR,
    HELD,
    SINCE,
    PlacementYears,
    Slope,
    Slopes,
    groups,
    placement_years,
)
from charts.chart import Axis, Line, Mark, Points, Tick, XYChart
from views import wording
from views.axes import year_axis
from views.chips.rents import newer, rate, rate_words, scenario_label
from views.placement.answer import PlacementAnswer
from views.placement.fitted import slopes
from views.placement.places import CLASS_WORDS, PlaceLabel
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


def years_exhibit(answer: PlacementAnswer, *, source: str) -> Exhibit | None:
    """Return the chance by year of places that the rules allow, and from which year each is sure enough."""
    question, settings = answer.question, answer.settings
    keep = question.allowed
    if not keep.any():
        return None
    places, name = question.places.at(keep), answer.release.stands_on
    labels = tuple(replace(answer.inputs.labels[i], year=None) for i in np.flatnonzero(keep))
    trends, names = slopes(name, settings.rents), groups(places)
    outlook = placement_years(
        question.at(keep),
        np.arange(float(FIRST_YEAR), LAST_YEAR + 1.0),
        slopes=trends,
        groups=names,
    )
    by_year = _ByYear(
        places=places,
        labels=labels,
        outlook=outlook,
        names=names,
        trends=trends,
        titled=_titled(places, outlook),
        sure=settings.sure,
    )
    title, shown = _title(by_year), _shown(by_year)
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle="Chance that hardware on sale by then meets all targets"
            f"{_marked(outlook, shown)}. Each class is assumed to continue its trend since {SINCE}, fitted within "
            f"product lines; {rents_in_words(name, settings.rents)}.{_pooled(by_year, shown)}",
            alt=f"{title}.",
            source=source,
            x=year_axis(FIRST_YEAR, LAST_YEAR),
            y=Axis(
                title="Chance to meet all targets",
                low=-0.02,
                high=1.04,
                ticks=tuple(Tick(value=k / 5, label=f"{20 * k} %") for k in range(6)),
            ),
            marks=_marks(by_year, shown),
        ),
        table=_table(by_year),
    )


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


def rents_in_words(release: str, scenario: str) -> str:
    """Return how rents are assumed to move."""
    newest = newer(release)
    ends = wording.interval(wording.times(newest.low), wording.times(newest.high))
    return (
        f"an accelerator a year newer rents for {wording.times(newest.factor)} as much on one list ({ends}), and lists "
        f"move as chosen (“{scenario_label(scenario)}”: {rate_words(rate(release, scenario))})"
    )


def _short_names(labels: Sequence[PlaceLabel]) -> list[str]:
    """Return the places' short names, with the device where two would read alike."""
    brief = [label.brief for label in labels]
    return [label.text if brief.count(label.brief) > 1 else label.brief for label in labels]


def _named(by_year: _ByYear, i: int) -> str:
    if by_year.labels[i].rented:
        return f"the cloud ({by_year.labels[i].device})"
    return wording.a(_short_names(by_year.labels)[i])


def _titled(places: Places, outlook: PlacementYears) -> int:
    """Return the place the title is about: the smallest device that ever does it, else the likeliest place."""
    own = ~places.is_kind(RENTED)
    doing = np.flatnonzero(own & np.isfinite(outlook.first))
    if len(doing):
        return int(doing[0])
    among = np.flatnonzero(own) if own.any() else np.arange(len(places))
    return int(among[np.argmax(outlook.chance[:, among].max(axis=0))])


def _span(low: float, high: float) -> str:
    if np.isfinite(high):
        return f"{low:.0f}–{high:.0f}" if high > low else f"{low:.0f}"
    return f"{low:.0f} to after {LAST_YEAR}" if np.isfinite(low) else f"after {LAST_YEAR}"


def _title(by_year: _ByYear) -> str:
    outlook, titled = by_year.outlook, by_year.titled
    first, name = float(outlook.first[titled]), _named(by_year, titled)
    if first == FIRST_YEAR:
        likely = outlook.chance[0, titled]
        chance = "more than 99 %" if likely > 0.99 else f"{100 * likely:.0f} %"
        return f"{wording.sentence_case(name)} can do this today, {chance} likely"
    sooner = _sooner(by_year, than=first)
    if np.isfinite(first):
        span = _span(float(outlook.low[titled]), float(outlook.high[titled]))
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
            return f"; {_named(by_year, i)} {when}"
    return ""


def _shown(by_year: _ByYear) -> list[int]:
    """Return the places that get a line: devices whose chance changes or is in doubt, and the best cloud."""
    rented, chance, titled = by_year.places.is_kind(RENTED), by_year.outlook.chance, by_year.titled
    doubtful = (chance.max(axis=0) > SELDOM) & (chance.min(axis=0) < NEARLY)
    devices = [int(i) for i in np.flatnonzero(~rented & doubtful) if i != titled][: MOST_DEVICES - 1]
    clouds = np.flatnonzero(rented)
    best = [int(clouds[np.argmax(chance[:, clouds].mean(axis=0))])] if len(clouds) else []
    return sorted({titled, *devices, *best})


def _marks(by_year: _ByYear, shown: list[int]) -> tuple[Mark, ...]:
    places, outlook, titled = by_year.places, by_year.outlook, by_year.titled
    years, labels, sure = tuple(outlook.year.tolist()), _short_names(by_year.labels), by_year.sure
    marks: list[Mark] = [
        Line(
            series="Required reliability",
            role="context",
            x=(float(FIRST_YEAR), float(LAST_YEAR)),
            y=(sure / 100, sure / 100),
            dash="dotted",
            end_label=(f"{sure} %",),
        )
    ]
    marks += [
        Line(
            series=wording.sentence_case(places.name[i]),
            role="compute" if places.kind[i] == RENTED else "edge",
            x=years,
            y=tuple(outlook.chance[:, i].tolist()),
            faded=i != titled,
            end_label=(labels[i],),
        )
        for i in sorted(shown, key=lambda i: i == titled)
    ]
    crossing = [i for i in shown if FIRST_YEAR < outlook.first[i] <= LAST_YEAR]
    crossing.sort(key=lambda i: i != titled)
    if crossing:
        at = [int(outlook.first[i]) - FIRST_YEAR for i in crossing]
        spans = [_span(float(outlook.low[i]), float(outlook.high[i])) for i in crossing]
        marks.append(
            Points(
                series="First year reliable enough",
                role="edge",
                x=tuple(float(outlook.first[i]) for i in crossing),
                y=tuple(float(outlook.chance[k, i]) for k, i in zip(at, crossing, strict=True)),
                names=tuple(wording.sentence_case(places.name[i]) for i in crossing),
                details=tuple(
                    (f"from {outlook.first[i]:.0f} ({wording.percent(0.9)} of trends: {span})",)
                    for i, span in zip(crossing, spans, strict=True)
                ),
                marked=tuple(
                    (k, f"{outlook.first[i]:.0f} ({span})")
                    for k, (i, span) in enumerate(zip(crossing, spans, strict=True))
                ),
            )
        )
    return tuple(marks)


def _marked(outlook: PlacementYears, shown: list[int]) -> str:
    if not any(FIRST_YEAR < outlook.first[i] <= LAST_YEAR for i in shown):
        return ""
    return (
        f"; marked: the first year reliable enough, with its {wording.percent(0.9)} interval from the trends"
    )


def _pooled(by_year: _ByYear, shown: list[int]) -> str:
    """Return which trends of the shown classes are those of all devices, as a sentence; empty where none is."""
    classes = []
    for name in dict.fromkeys(by_year.names[i] for i in shown):
        quantities = _pooled_quantities(by_year.trends[name])
        if quantities:
            classes.append(f"{CLASS_WORDS[name]} ({', '.join(quantities)})")
    return f" On the trend of all devices, having too few: {'; '.join(classes)}." if classes else ""


def _pooled_quantities(slopes: Mapping[str, Slope]) -> list[str]:
    return [QUANTITY_WORDS[word] for word, slope in slopes.items() if slope.pooled]


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
        pooled = _pooled_quantities(trends[names[i]])
        return f"{own}; {', '.join(pooled)}: all devices" if pooled else own

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
            column(
                f"{name}_growth_per_year",
                grown(name),
                label=f"Growth of {word}",
                unit="x/year",
            )
            for name, word in QUANTITY_WORDS.items()
        ),
    )
    return table(columns, range(len(by_year.places)))
