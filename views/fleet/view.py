"""Finding of /fleet: the combined capacity of all chips shipped, and its growth."""

from collections.abc import Iterator

from analysis.arrays import FloatArray
from analysis.fleet import DrawnSeries
from charts.chart import Bar, Line, Points
from data.releases import Release
from views import wording, written
from views.axes import year_axis
from views.chips import within_chip
from views.chips.shipments import maker_role, published_growth
from views.exhibits import (
    Course,
    ValueAxis,
    bar_exhibit,
    empty_finding,
    estimate_figure,
    growth_by_choice,
    growth_figure,
    interval_columns,
    xy_exhibit,
)
from views.fleet.answer import FleetAnswer
from views.fleet.outlook import frontier_exhibit, limits, outlook_exhibit
from views.fleet.settings import OFFERS, FleetSettings
from views.fleet.words import OFFERED, amount, headline, notes, settings_line, subtitle, windows_title
from views.lazy_sequence import LazySequence
from views.result import Exhibit, Figure
from views.sources import CHIP_COUNTS, EPOCH_AI
from views.table import along, column, table
from views.trend import finding as trend
from views.view import Finding, View

SURE = written.paragraphs(__file__, name="sure.md")
CHANGES = written.paragraphs(__file__, name="changes.md")
SOURCES = (CHIP_COUNTS, EPOCH_AI)


def build(settings: FleetSettings, release: Release) -> Finding:
    """Return the finding on the combined capacity of all shipped chips under the settings."""
    answer = FleetAnswer(settings=settings, release=release)
    data = trend.data_words(release)
    without = answer.estimates.without
    if not len(answer.estimates.shipments):
        why = f"Chip counts cover {len(without)} chips, but this release has none of their data sheets."
        return _nothing(answer, few="none", why=why, source=f"{data}; no data.")
    try:
        key_figures = tuple(figures(answer))
    except ValueError as problem:
        return _nothing(answer, few="too few", why=str(problem), source=f"{data}; no data.")
    source = f"Epoch AI, AI chip counts (April 2026), times data-sheet figures. {data}"
    line = settings_line(settings, source=source)
    title, under = headline(answer), subtitle(answer, interval=key_figures[0].interval_text)

    def exhibits() -> Iterator[Exhibit | None]:
        yield totals_exhibit(answer, title=title, subtitle=under, source=line)
        yield chips_exhibit(answer, source=source)
        yield frontier_exhibit(answer, source=source)
        forecasts = limits(answer)
        if forecasts:
            yield outlook_exhibit(answer, forecasts, source=source)
        yield growth_by_choice(
            answer.cases,
            chosen=answer.chosen,
            title=windows_title(answer),
            subtitle=f"Each row changes one choice; lines are {settings.level}% intervals of errors in chip counts.",
            source=source,
        )

    return Finding(
        headline=title,
        subtitle=under,
        figures=key_figures,
        exhibits=LazySequence(exhibits),
        settings_line=line,
        notes=tuple(notes(answer)),
        sure=(
            *SURE,
            f"For 2022 to 2025, Epoch AI reports faster growth than we do: {wording.times(published_growth())} a year. "
            "The reason is that its counts include few chips from 2022 and none from earlier years.",
        ),
        changes=(*CHANGES, *within_chip.sentences(release, level=settings.level)),
        sources=SOURCES,
    )


def _nothing(answer: FleetAnswer, *, few: str, why: str, source: str) -> Finding:
    return empty_finding(
        f"This release describes {few} of the chips that are counted",
        why,
        axis=ValueAxis(title="Share [%]", word=lambda value: f"{value:g}%", span=(0.0, 100.0)),
        columns=(column("chip", str, label="Chip", kind="text"),),
        source=source,
        settings_line=settings_line(answer.settings, source=source),
        sources=SOURCES,
    )


METHOD = "Epoch AI's numbers of chips times data-sheet figures"


def figures(answer: FleetAnswer) -> Iterator[Figure]:
    """Yield figures: the latest total, its yearly growth, its FLOP per byte, and its growth in the past year."""
    settings, level, total = answer.settings, answer.level, answer.total
    slope = f"least squares on log10 over quarters since {settings.since}; {METHOD}"
    yield estimate_figure(
        "total",
        total.at(-1, level=level),
        label=f"Total {'in use' if answer.stock else 'shipped'}, {wording.quarter(float(total.end_year[-1]))}",
        unit=OFFERED[settings.offers].unit,
        level=level,
        word=lambda value: amount(value, settings.offers),
        method=METHOD,
    )
    yield growth_figure(
        "growth",
        answer.growth,
        label=f"Growth since {settings.since}, {wording.listed(answer.constant_vendors.vendors)}",
        level=level,
        method=slope,
    )
    ratio, drift = answer.balance, answer.balance_growth
    if ratio and drift:
        now = ratio.at(-1, level=level)
        yield estimate_figure(
            "balance",
            now,
            label=f"FLOP per byte, all {answer.brand}chips",
            unit="FLOP/byte",
            level=level,
            word=lambda value: wording.significant(value, 3),
            text=f"{wording.significant(now.value, 3)} FLOP/byte",
            method=f"sum of dense 16-bit FLOP/s over sum of bandwidth; {METHOD}",
        )
        yield growth_figure(
            "balance_growth", drift, label="Growth of FLOP per byte", level=level, method=slope, key=False
        )
    if answer.last_year:
        yield growth_figure(
            "growth_last_year",
            answer.last_year,
            label=f"Growth in the last year, {answer.brand.strip() or 'all vendors'}",
            level=level,
            text=wording.times(answer.last_year.value),
            method=f"last quarter over the same quarter a year before; {METHOD}",
            key=False,
        )


SMALLEST = 1e-3
"""Minimum share of the largest total for a vendor in the chart. [1]"""


def totals_exhibit(answer: FleetAnswer, *, title: str, subtitle: str, source: str) -> Exhibit:
    """Return an exhibit of every quarter's total and interval. If there are several vendors, each also has a line."""
    total, offers, level = answer.total, answer.settings.offers, answer.settings.level
    vendors = answer.by_vendor if len(answer.by_vendor) > 1 else {}
    size, unit = OFFERED[offers].axis_size, OFFERED[offers].unit
    course = Course.of(
        total,
        series=f"All {wording.counted_in_words(len(vendors), 'vendor')}" if vendors else answer.brand.strip(),
        role="memory",
        level=level,
        word=lambda value: amount(value * size, offers),
        scaled=lambda values: values / size,
    )
    lines = (_line(name, part, total=total, offers=offers) for name, part in vendors.items())
    low, high = total.interval(answer.level)
    return xy_exhibit(
        (
            course.band(level),
            *(line for line in lines if len(line.x) > 1),
            course.line(end_label=("All" if vendors else course.series, course.word(course.y[-1]))),
            *_a_year_before(course),
        ),
        title=title,
        subtitle=subtitle,
        alt=f"{title}. {subtitle}",
        source=source,
        x=year_axis(course.x[0], course.x[-1]),
        y=ValueAxis(title=OFFERED[offers].axis, log=True),
        numbers=table(
            (
                column("quarter", lambda at: wording.quarter(course.x[at]), label="Quarter", kind="text"),
                column("total", along(total.middle()), label="All", unit=unit),
                *interval_columns(along(low), along(high), unit=unit, level=level),
                *(column(name.lower(), along(part), label=name, unit=unit) for name, part in vendors.items()),
            ),
            range(len(course.x)),
        ),
    )


def _a_year_before(course: Course) -> Iterator[Points]:
    """Yield the point a year before the last total. The headline compares the two."""
    for when, value in zip(course.x, course.y, strict=True):
        if abs(when + 1 - course.x[-1]) < 0.1:  # a quarter is longer
            words = f"{course.word(value)} a year before"
            yield Points(
                series="A year before",
                role="memory",
                x=(when,),
                y=(value,),
                names=(wording.quarter(when),),
                details=((course.word(value),),),
                marked=((0, words),),
            )


def _line(name: str, part: FloatArray, *, total: DrawnSeries, offers: str) -> Line:
    """Return a vendor's line over the quarters in which its share is large enough."""
    floor = SMALLEST * float(total.middle().max())
    drawn = [pair for pair in zip(total.end_year.tolist(), part.tolist(), strict=True) if pair[1] > floor]
    return Line(
        series=name,
        role=maker_role(name),
        x=tuple(when for when, _ in drawn),
        y=tuple(value / OFFERED[offers].axis_size for _, value in drawn),
        end_label=(name,),
        hover=tuple(f"{name}, {wording.quarter(when)}: {amount(value, offers)}" for when, value in drawn),
    )


def chips_exhibit(answer: FleetAnswer, *, source: str) -> Exhibit:
    """Return an exhibit of the last quarter's total by chip."""
    now, maker_of, offers = answer.by_kind, answer.estimates.maker_of, answer.settings.offers
    whole = sum(now.values())
    ranked = sorted((name for name in now if now[name] > 0), key=lambda name: -now[name])
    when = wording.quarter(float(answer.total.end_year[-1]))
    what = f"{wording.small_initial(OFFERS[offers][0])} {'in use' if answer.stock else 'shipped'} in {when}"
    return bar_exhibit(
        ranked,
        lambda name: Bar(
            label=name if name.startswith(maker_of[name]) else f"{maker_of[name]} {name}",
            value=100 * now[name] / whole,
            text=f"{wording.significant(100 * now[name] / whole)}%",
            role=maker_role(maker_of[name]),
            emphasised=name == ranked[0],
            detail=(amount(now[name], offers),),
        ),
        title=f"The {ranked[0]} makes up {100 * now[ranked[0]] / whole:.0f}% of the {what}",
        subtitle="Each bar is a chip's share of the total. The H200 is counted as an H100.",
        source=source,
        axis=ValueAxis(title="Share [%]", word=lambda value: f"{value:g}%", span=(0.0,)),
        columns=(
            column("chip", lambda name: name, label="Chip", kind="text"),
            column("maker", lambda name: maker_of[name], label="Vendor", kind="text"),
            column("total", lambda name: now[name], label="Total", unit=OFFERED[offers].unit),
            column("share", lambda name: now[name] / whole, label="Share", unit="1"),
        ),
    )


VIEW = View(settings=FleetSettings, build=build, **written.page(__file__, path="/fleet"))
