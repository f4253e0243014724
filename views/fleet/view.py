"""How much compute and bandwidth has been shipped?"""

from collections.abc import Iterator

from data.releases import Release
from views import wording, written
from views.chips import within_chip
from views.chips.shipments import published_growth
from views.exhibits import ValueAxis, empty_finding, estimate_figure, growth_by_choice, growth_figure
from views.fleet.answer import FleetAnswer
from views.fleet.charts import chips_exhibit, totals_exhibit
from views.fleet.outlook import frontier_exhibit, limits, outlook_exhibit
from views.fleet.settings import FleetSettings
from views.fleet.words import OFFERED, amount, headline, notes, settings_line, subtitle, windows_title
from views.on_demand import OnDemand
from views.result import Exhibit, Figure
from views.sources import CHIP_COUNTS, EPOCH_AI
from views.table import column
from views.trend import finding as trend
from views.view import Finding, View

SURE = written.paragraphs(__file__, name="sure.md")
CHANGES = written.paragraphs(__file__, name="changes.md")
SOURCES = (CHIP_COUNTS, EPOCH_AI)


def build(settings: FleetSettings, release: Release) -> Finding:
    """Return the combined capacity of all chips shipped under the settings."""
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
            subtitle=f"Each row changes one choice; lines are {settings.level}% intervals of the chip counts.",
            source=source,
        )

    return Finding(
        headline=title,
        subtitle=under,
        figures=key_figures,
        exhibits=OnDemand(exhibits),
        settings_line=line,
        notes=tuple(notes(answer)),
        sure=(
            *SURE,
            f"Epoch AI publishes {wording.times(published_growth())} a year for 2022 to 2025. That is higher because "
            "few chips of 2022 and none from before are counted.",
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
    """Yield the total in the last quarter, its growth, FLOP per byte of all chips, and growth in the last year."""
    settings, level, total = answer.settings, answer.level, answer.total
    slope = f"least squares on log10 over quarters since {settings.since}; {METHOD}"
    yield estimate_figure(
        "total",
        total.at(-1, level=level),
        label=f"{'In use' if answer.stock else 'Shipped'}, {wording.quarter(float(total.end_year[-1]))}",
        unit=OFFERED[settings.offers].unit,
        level=level,
        word=lambda value: amount(value, settings.offers),
        method=METHOD,
    )
    yield growth_figure(
        "growth",
        answer.growth,
        label=f"Growth since {settings.since}, {wording.listed(answer.constant_makers.makers)}",
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


VIEW = View(settings=FleetSettings, build=build, **written.page(__file__, path="/fleet"))
