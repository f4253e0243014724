"""How much compute and bandwidth has been shipped?"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import numpy as np

from analysis.fleet import DrawnSeries, FleetGrowth, balance, growth, last_year, widest
from charts.chart import BarChart
from data.releases import Release
from views import wording, written
from views.axes import linear_axis
from views.chips.shipments import ShipmentEstimates, counted, growth_all_along, published_growth
from views.exhibits import growth_by_choice
from views.fleet.charts import balance_exhibit, chips_exhibit, totals_exhibit
from views.fleet.figures import balance_figure, last_year_figure, total_figure, yearly_figure
from views.fleet.frontier import frontier_exhibit, largest_known, leading_runs
from views.fleet.inputs import fleet
from views.fleet.outlook import limits, outlook_exhibit
from views.fleet.settings import NEVER, OFFERS, FleetSettings
from views.fleet.words import headline
from views.on_demand import OnDemand
from views.result import Exhibit
from views.sources import CHIP_COUNTS, EPOCH_AI
from views.table import column, table
from views.trend import finding as trend
from views.view import Finding, View

H200_BANDWIDTH_SHARE = 4.8 / 3.35
"""How much faster an H200 reads than an H100: release 2026-07."""
H200_FROM = 2024.75
PEAKS = {
    "bandwidth": "Data-sheet peaks",
    "fp16": "Dense 16-bit peaks",
    "fp8": "Dense 8-bit peaks, else 16-bit",
}
"""What is stated as a peak, as a reader is told: FLOP/s with their precision, without sparsity."""
PUBLISHED = "Published by Epoch AI, 2022–2025"


def build(settings: FleetSettings, release: Release) -> Finding:
    """Return what all chips shipped offer together under the settings."""
    found = counted(release, settings.offers)
    if not len(found.shipments):
        return _nothing(found, settings, data=trend.data_words(release))
    total = fleet(found, settings)
    try:
        rate = _growth(found, settings)
    except ValueError as problem:
        return _nothing(found, settings, data=trend.data_words(release), why=str(problem))
    ratio = _balance(release, settings)
    drift = None
    if ratio:
        with suppress(ValueError):
            drift = _drift(release, settings)
    data = trend.data_words(release)
    source = f"Epoch AI, AI chip counts (April 2026), times data-sheet figures. {data}"
    late = last_year(total, level=int(settings.level) / 100)
    said = headline(settings, now=float(total.middle()[-1]), rate=rate, late=late)
    whose = wording.listed(_all_along(found, settings))
    figures = [
        total_figure(total, settings),
        yearly_figure(rate, settings, name="growth", label=f"Growth since {settings.since}, {whose}"),
    ]
    if ratio and drift:
        drifted = yearly_figure(drift, settings, name="balance_growth", label="Growth of FLOP per byte")
        figures += [balance_figure(ratio, settings), replace(drifted, key=False)]
    if late:
        figures.append(last_year_figure(late, settings))
    subtitle = (
        f"Chips of four makers at the end of {wording.quarter(float(total.end_year[-1]))}; "
        f"{figures[0].interval_text}. "
        f"{whose} alone, since {settings.since}: {wording.times(rate.factor)} a year "
        f"({wording.interval(wording.times(rate.low), wording.times(rate.high))})."
        f"{f' {PEAKS[settings.offers]}, which no chip reaches in use.' if settings.offers in PEAKS else ''}"
    )

    def exhibits() -> Iterator[Exhibit]:
        yield totals_exhibit(found, settings, title=said, subtitle=subtitle, source=source)
        if ratio:
            yield balance_exhibit(ratio, settings, growth=drift, source=source)
        yield chips_exhibit(found, settings, source=source)
        yield from filter(None, _of_runs(release, settings, source=source))
        cases = _cases(found, settings, rate=rate)
        title = _windows(dict(cases), settings)
        yield growth_by_choice(
            cases,
            chosen=_chosen(settings),
            title=title,
            subtitle="Growth a year, one choice changed at a time. Lines show how uncertain the numbers of chips are.",
            source=source,
        )

    return Finding(
        headline=said,
        subtitle=subtitle,
        figures=tuple(figures),
        exhibits=OnDemand(exhibits),
        settings_line=_settings_line(settings, source=source),
        notes=tuple(_notes(found, drift=drift)),
        sure=(
            "The numbers of chips are Epoch AI's estimates from makers' revenue and prices, each with a 5th and a 95th "
            "percentile. Errors are assumed to be shared within a maker and independent between makers. What a chip "
            "offers is taken from its data sheet.",
            "Growth over several years is that of makers counted throughout: one that joins when its numbers become "
            "known would add to growth as if it had shipped nothing before. Its interval covers the numbers of chips "
            "alone, and is the wider of two: with errors shared within a maker, and with each chip's own. It does not "
            "cover the choice of window, or that growth slows.",
            f"Epoch AI publishes {wording.times(published_growth())} a year for 2022 to 2025. The result depends on "
            "the window: few chips of 2022 are counted and none from before, so the sum of all chips shipped grows "
            "faster than shipments.",
        ),
        changes=(
            "Whether chips are retired, when growth is measured from, and whether all chips in use or only those "
            "shipped in a quarter are counted. Each is a setting of this page.",
        ),
        sources=(CHIP_COUNTS, EPOCH_AI),
    )


def _of_runs(release: Release, settings: FleetSettings, *, source: str) -> Iterator[Exhibit | None]:
    """Return what one leading run used of all chips, and the run that all of them could give by 2030."""
    yield frontier_exhibit(leading_runs(release, settings=settings), settings, source=source)
    found = limits(release, settings=settings)
    if found:
        yield outlook_exhibit(found, settings, known=largest_known(release), source=source)


def _nothing(found: ShipmentEstimates, settings: FleetSettings, *, data: str, why: str = "") -> Finding:
    few = "too few" if len(found.shipments) else "none"
    headline = f"These data have {few} of the chips whose numbers are known"
    source = f"{data}; no data."
    return Finding(
        headline=headline,
        subtitle=why
        or f"Numbers are known of {len(found.without)} chips; no part here says what one of them offers.",
        figures=(),
        exhibits=(
            Exhibit(
                chart=BarChart(
                    title=headline,
                    subtitle="Nothing to draw.",
                    alt=f"{headline}.",
                    source=source,
                    x=linear_axis("Share [%]", [0.0, 100.0], word=lambda value: f"{value:g} %"),
                    base=0.0,
                ),
                table=table((column("chip", str, label="Chip", kind="text"),), ()),
            ),
        ),
        settings_line=_settings_line(settings, source=source),
        sources=(CHIP_COUNTS, EPOCH_AI),
    )


def _settings_line(settings: FleetSettings, *, source: str) -> str:
    how = "in use" if settings.count == "in-use" else "shipped"
    return f"{OFFERS[settings.offers][0]} of AI chips {how}, by quarter. {source}"


def _growth(of: ShipmentEstimates, settings: FleetSettings, *, joining: bool = False) -> FleetGrowth:
    """Return the growth a year of makers counted all along, or of all where those ``joining`` count."""
    alike = of if joining else of.all_along(since=settings.since, stock=settings.count == "in-use")
    return growth_all_along(
        alike, lambda one: fleet(one, settings), since=settings.since, level=int(settings.level) / 100
    )


def _all_along(of: ShipmentEstimates, settings: FleetSettings) -> tuple[str, ...]:
    """Return the makers that growth is of."""
    alike = of.all_along(since=settings.since, stock=settings.count == "in-use")
    return tuple(dict.fromkeys(alike.shipments.maker))


def _drift(release: Release, settings: FleetSettings) -> FleetGrowth:
    """Return how FLOP per byte grows a year, with the wider interval of the two ways that units are off."""
    both = [_balance(release, settings, by_chip=apart) for apart in (False, True)]
    together, apart = (
        growth(
            one,
            since=float(settings.since),
            until=float(one.end_year[-1]),
            level=int(settings.level) / 100,
        )
        for one in both
        if one
    )
    return widest(together, apart)


def _balance(release: Release, settings: FleetSettings, *, by_chip: bool = False) -> DrawnSeries | None:
    """Return FLOP per byte of the chips whose parts state both; None where no part does."""
    flop, byte = counted(release, "fp16"), counted(release, "bandwidth")
    both = set(flop.shipments.kind) & set(byte.shipments.kind)
    if not both:
        return None

    def of_both(one: ShipmentEstimates) -> ShipmentEstimates:
        part = one.at(np.array([kind in both for kind in one.shipments.kind]))
        return part.by_chip if by_chip else part

    return balance(fleet(of_both(flop), settings), fleet(of_both(byte), settings))


def _notes(found: ShipmentEstimates, *, drift: FleetGrowth | None) -> Iterator[str]:
    if found.without:
        yield f"Without {', '.join(found.without)}, whose data sheets do not state it."
    if drift:
        pace = "outgrows bandwidth by no more than that" if drift.factor >= 1 else "falls behind bandwidth"
        yield (
            f"All chips together offer {wording.times(drift.factor)} as many FLOP per byte each year: like for like, "
            f"compute {pace}."
        )
    yield f"Not counted: other makers, and {_not_yet(found)}; the H200 is counted as H100."


def _not_yet(found: ShipmentEstimates) -> str:
    """Return from when each maker's chips are counted: NVIDIA's before 2022, Google's before 2023."""
    first: dict[str, int] = {}
    for maker, when in zip(found.shipments.maker, found.shipments.end_year.tolist(), strict=True):
        first[maker] = min(first.get(maker, 9999), int(when - 0.1))
    years = sorted(set(first.values()))
    whose = [
        wording.listed([f"{maker}'s" for maker in sorted(first) if first[maker] == year]) for year in years
    ]
    return wording.listed([f"{makers} before {year}" for makers, year in zip(whose, years, strict=True)])


def _chosen(settings: FleetSettings) -> str:
    return f"As chosen: since {settings.since}"


def _cases(
    found: ShipmentEstimates, settings: FleetSettings, *, rate: FleetGrowth
) -> list[tuple[str, FleetGrowth]]:
    cases = [(_chosen(settings), rate)]

    def add(label: str, case: FleetSettings, *, of: ShipmentEstimates = found, joining: bool = False) -> None:
        with suppress(ValueError):
            cases.append((label, _growth(of, case, joining=joining)))

    for year in (2022, 2023, 2024):
        if year != settings.since:
            add(f"Since {year}", replace(settings, since=year))
    other = replace(settings, count="shipped" if settings.count == "in-use" else "in-use")
    label = "Shipped in a quarter" if settings.count == "in-use" else "In use"
    add(label, other)
    if settings.count == "in-use":
        years = "3" if settings.retire != "3" else NEVER
        case = replace(settings, retire=years)
        label = f"Retired after {years} years" if years != NEVER else "Never retired"
        add(label, case)
    add("All makers as they join", settings, joining=True)
    if settings.offers == "bandwidth":
        late = np.array(
            [
                kind == "H100" and when > H200_FROM
                for kind, when in zip(found.shipments.kind, found.shipments.end_year, strict=True)
            ]
        )
        faster = found.offering(found.shipments.offered * np.where(late, H200_BANDWIDTH_SHARE, 1.0))
        add("If all H100 since Q4 2024 were H200", settings, of=faster)
        if settings.count == "in-use":
            epoch = published_growth()
            published = FleetGrowth(factor=epoch, low=epoch, high=epoch)
            cases.append((PUBLISHED, published))
    return cases


def _windows(rates: dict[str, FleetGrowth], settings: FleetSettings) -> str:
    """Return what the window does to the published growth, in a title; empty where that is of something else."""
    if PUBLISHED not in rates:
        return ""
    since = {year: rates.get(f"Since {year}") for year in (2022, 2023, 2024)}
    since[settings.since] = rates[_chosen(settings)]
    told = [f"{wording.times(rate.factor)} since {year}" for year, rate in since.items() if rate]
    return f"Published as {wording.times(published_growth())} a year; like for like {wording.listed(told)}"


VIEW = View(
    path="/fleet",
    title="All chips",
    question="How much compute and bandwidth has been shipped?",
    settings=FleetSettings,
    build=build,
    method=written.method(__file__),
    leads_to=("/growth-gap", "/compute-to-memory", "/accelerators"),
)
