"""From which year each place does what is asked, as devices and chips move along their fitted trends."""

import numpy as np

from analysis.placement import years as movement
from analysis.placement.places import RENTED, Places
from analysis.placement.setup import allowed
from analysis.placement.years import Outlook, outlook
from charts.chart import Axis, Line, Mark, Points, Tick, XYChart
from data.releases import Release
from views import wording
from views.axes import year_axis
from views.placement.inputs import Inputs, frozen
from views.placement.places import CLASS_WORDS
from views.placement.settings import FIRST_YEAR, LAST_YEAR, PlacementSettings
from views.placement.trends import ACCELERATOR, SINCE, groups, rents_in_words, slopes
from views.placement.trends import drawn_growth as drawn_growth
from views.placement.trends import middle_growth as middle_growth
from views.result import Cell, Column, Exhibit, Table

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


def years_exhibit(
    settings: PlacementSettings, release: Release, found: Inputs, *, source: str
) -> Exhibit | None:
    """Return the chance by year of places that the rules allow, and from which year each is sure enough."""
    keep = allowed(found.places, found.requirements)
    if not keep.any():
        return None
    places, sure = found.places.at(keep), settings.sure / 100
    trends, names = slopes(frozen(release)), groups(places)
    given = outlook(
        found.work.at(keep),
        places,
        slopes=trends,
        groups=names,
        years=np.arange(float(FIRST_YEAR), LAST_YEAR + 1.0),
        sure=sure,
        fitted=found.fitted,
        conditions=found.conditions,
        requirements=found.requirements,
        luck=found.luck.of(np.flatnonzero(keep)),
        sustained=found.sustained_rule,
    )
    told = _told(places, given)
    title = _title(places, given, told=told, sure=settings.sure)
    shown = _shown(places, given, told=told)
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=f"Chance that hardware on sale by then meets all that is asked{_marked(given, shown)}. Each class "
            f"is assumed to go on along its trend since {SINCE}, fitted within product lines; "
            f"{rents_in_words(frozen(release))}."
            f"{_pooled(trends, names, shown)}",
            alt=f"{title}.",
            source=source,
            x=year_axis(FIRST_YEAR, LAST_YEAR),
            y=Axis(
                title="Chance to meet the requirement",
                low=-0.02,
                high=1.04,
                ticks=tuple(Tick(value=k / 5, label=f"{20 * k} %") for k in range(6)),
            ),
            marks=_marks(places, given, shown=shown, told=told, sure=settings.sure),
        ),
        table=_table(places, given, trends=trends, names=names),
    )


def _short(places: Places, i: int) -> str:
    name = places.name[i]
    return name if places.kind[i] == RENTED else name.partition(" (")[0]


def _labels(places: Places) -> list[str]:
    """Return the places' short names, with the device where two would read alike."""
    short = [_short(places, i) for i in range(len(places))]
    return [places.name[i] if short.count(name) > 1 else name for i, name in enumerate(short)]


def _named(places: Places, i: int) -> str:
    if places.kind[i] == RENTED:
        return f"the cloud ({places.name[i].removeprefix('cloud ')})"
    return wording.a(_labels(places)[i])


def _told(places: Places, given: Outlook) -> int:
    """Return the place the title is about: the smallest device that ever does it, else the likeliest place."""
    own = ~places.is_kind(RENTED)
    doing = np.flatnonzero(own & np.isfinite(given.first))
    if len(doing):
        return int(doing[0])
    among = np.flatnonzero(own) if own.any() else np.arange(len(places))
    return int(among[np.argmax(given.chance[:, among].max(axis=0))])


def _span(low: float, high: float) -> str:
    if np.isfinite(high):
        return f"{low:.0f}–{high:.0f}" if high > low else f"{low:.0f}"
    return f"{low:.0f} to after {LAST_YEAR}" if np.isfinite(low) else f"after {LAST_YEAR}"


def _title(places: Places, given: Outlook, *, told: int, sure: int) -> str:
    first, name = float(given.first[told]), _named(places, told)
    if first == FIRST_YEAR:
        likely = given.chance[0, told]
        chance = "more than 99 %" if likely > 0.99 else f"{100 * likely:.0f} %"
        return f"Already today {name} can do this, {chance} likely"
    sooner = _sooner(places, given, than=first)
    if np.isfinite(first):
        span = _span(float(given.low[told]), float(given.high[told]))
        return f"{wording.sentence_case(name)} could do this from {first:.0f} ({span}){sooner}"
    best = int(given.chance[:, told].argmax())
    if not sooner and given.chance[best, told] >= 0.005:
        sooner = f"; {name} comes to {100 * given.chance[best, told]:.0f} % in {given.year[best]:.0f}"
    return f"No device is {sure} % sure to do this by {LAST_YEAR}{sooner}"


def _sooner(places: Places, given: Outlook, *, than: float) -> str:
    """Return what does it sooner, the first device before any cloud; empty where nothing does."""
    rented = places.is_kind(RENTED)
    for group in (~rented, rented):
        among = np.flatnonzero(group & (given.first < than))
        if len(among):
            i = int(among[np.argmin(given.first[among])])
            when = "can already today" if given.first[i] == FIRST_YEAR else f"could from {given.first[i]:.0f}"
            return f"; {_named(places, i)} {when}"
    return ""


def _shown(places: Places, given: Outlook, *, told: int) -> list[int]:
    """Return the places that get a line: devices whose chance changes or is in doubt, and the best cloud."""
    rented = places.is_kind(RENTED)
    doubtful = (given.chance.max(axis=0) > SELDOM) & (given.chance.min(axis=0) < NEARLY)
    devices = [int(i) for i in np.flatnonzero(~rented & doubtful) if i != told][: MOST_DEVICES - 1]
    clouds = np.flatnonzero(rented)
    best = [int(clouds[np.argmax(given.chance[:, clouds].mean(axis=0))])] if len(clouds) else []
    return sorted({told, *devices, *best})


def _marks(places: Places, given: Outlook, *, shown: list[int], told: int, sure: int) -> tuple[Mark, ...]:
    years, labels = tuple(given.year.tolist()), _labels(places)
    marks: list[Mark] = [
        Line(
            series="Sure enough",
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
            y=tuple(given.chance[:, i].tolist()),
            faded=i != told,
            end_label=(labels[i],),
        )
        for i in sorted(shown, key=lambda i: i == told)
    ]
    crossing = [i for i in shown if FIRST_YEAR < given.first[i] <= LAST_YEAR]
    crossing.sort(key=lambda i: i != told)
    if crossing:
        at = [int(given.first[i]) - FIRST_YEAR for i in crossing]
        spans = [_span(float(given.low[i]), float(given.high[i])) for i in crossing]
        marks.append(
            Points(
                series="First sure enough",
                role="edge",
                x=tuple(float(given.first[i]) for i in crossing),
                y=tuple(float(given.chance[k, i]) for k, i in zip(at, crossing, strict=True)),
                names=tuple(wording.sentence_case(places.name[i]) for i in crossing),
                details=tuple(
                    (f"from {given.first[i]:.0f} ({wording.percent(0.9)} of trends: {span})",)
                    for i, span in zip(crossing, spans, strict=True)
                ),
                marked=tuple(
                    (k, f"{given.first[i]:.0f} ({span})")
                    for k, (i, span) in enumerate(zip(crossing, spans, strict=True))
                ),
            )
        )
    return tuple(marks)


def _marked(given: Outlook, shown: list[int]) -> str:
    if not any(FIRST_YEAR < given.first[i] <= LAST_YEAR for i in shown):
        return ""
    return (
        f"; marked is the first year that is sure enough, in brackets its {wording.percent(0.9)} interval from "
        "the trends"
    )


def _pooled(trends: movement.Slopes, names: tuple[str, ...], shown: list[int]) -> str:
    """Return which trends of the shown classes are those of all devices, as a sentence; empty where none is."""
    told = []
    for name in dict.fromkeys(names[i] for i in shown):
        quantities = [QUANTITY_WORDS[word] for word, slope in trends[name].items() if slope.pooled]
        if quantities:
            told.append(f"{CLASS_WORDS[name]} ({', '.join(quantities)})")
    return f" Too few devices, so on the trend of all: {'; '.join(told)}." if told else ""


def _table(places: Places, given: Outlook, *, trends: movement.Slopes, names: tuple[str, ...]) -> Table:
    def year(value: float) -> int | None:
        return int(value) if np.isfinite(value) else None

    def grown(name: str, quantity: str) -> Cell:
        slope = trends[name].get(quantity, movement.HELD)
        return float(10.0**slope.middle)

    def follows(name: str) -> str:
        own = "leading data-centre chips" if name == ACCELERATOR else CLASS_WORDS[name]
        pooled = [QUANTITY_WORDS[word] for word, slope in trends[name].items() if slope.pooled]
        return f"{own}; {', '.join(pooled)}: all devices" if pooled else own

    rows = tuple(
        (
            places.name[i],
            year(given.first[i]),
            year(given.low[i]),
            year(given.high[i]),
            *(float(chance) for chance in given.chance[:, i]),
            follows(names[i]),
            *(grown(names[i], quantity) for quantity in QUANTITY_WORDS),
        )
        for i in range(len(places))
    )
    return Table(
        columns=(
            Column(name="place", label="Place", kind="text"),
            Column(name="from_year", label="From", unit="year"),
            Column(name="from_year_low", label="From, low", unit="year"),
            Column(name="from_year_high", label="From, high", unit="year"),
            *(Column(name=f"chance_{at:.0f}", label=f"Chance {at:.0f}", unit="1") for at in given.year),
            Column(name="trend", label="Follows the trend of", kind="text"),
            *(
                Column(
                    name=f"{name}_growth_per_year",
                    label=f"{wording.sentence_case(word)}, times a year",
                    unit="1",
                )
                for name, word in QUANTITY_WORDS.items()
            ),
        ),
        rows=rows,
    )
