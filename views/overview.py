"""What is the gap between training compute and memory bandwidth, in one page?"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.gap import gap
from analysis.growth import Growth
from charts.chart import Mark, Span, XYChart
from data.releases import Release
from views import accelerators, fit_settings, training_compute, trend, wording
from views.accelerators import AcceleratorSettings
from views.axes import log_axis, year_axis
from views.chip_metrics import METRICS, peak_16_bit
from views.result import Column, Exhibit, Figure, Source, Table
from views.settings import choice, whole_number
from views.training_compute import TrainingComputeSettings
from views.view import CURATION, EPOCH_AI, Finding, ReleaseSettings, View

HBM_SHIPPED = Source(
    title="Total AI chip memory bandwidth has grown 4.1x per year (24 March 2026)",
    publisher="Epoch AI",
    url="https://epoch.ai/data-insights/hbm-shipped",
    licence="CC BY 4.0",
)
CHIPS: dict[str, tuple[str, dict[str, Any]]] = {
    "nvidia-flagships": (
        "NVIDIA's leading data-centre chip of each generation",
        {"rule": "flagships", "vendor": "nvidia"},
    ),
    "flagships": ("every vendor's leading data-centre chip of each generation", {"rule": "flagships"}),
    "all": ("every product", {"rule": "all"}),
}


@dataclass(frozen=True, kw_only=True)
class OverviewSettings(ReleaseSettings):
    """Since when the two trends are compared, for which models and chips."""

    since: int = whole_number(
        2012,
        low=2008,
        high=2022,
        label="Since",
        help="The first year that enters both fits; on 1 January of it both trends stand at 1×.",
        first_row=True,
    )
    domain: str = choice(
        "all",
        {"all": "models of every domain", "language": "models whose domains include language"},
        label="Domain",
        help="Which training runs are considered, before the top 10 at release are picked.",
        first_row=True,
    )
    chips: str = choice(
        "nvidia-flagships",
        {name: meaning for name, (meaning, _) in CHIPS.items()},
        label="Chips",
        help="Whose memory bandwidth stands for the chip's side.",
        first_row=True,
    )
    level: str = choice(
        "90", fit_settings.LEVELS, label="Level, %", help="The confidence level of every interval shown."
    )
    to: int = whole_number(
        2030, low=2027, high=2040, label="Project to", help="The year that both trends are drawn to."
    )


def compute_settings(settings: OverviewSettings) -> TrainingComputeSettings:
    """Return the settings of /training-compute that this page's compute side stands for."""
    return TrainingComputeSettings(
        since=str(settings.since),
        domain=settings.domain,
        level=settings.level,
        to=settings.to,
        release=settings.release,
    )


def chip_settings(settings: OverviewSettings) -> AcceleratorSettings:
    """Return the settings of /accelerators that this page's chip side stands for."""
    return AcceleratorSettings(
        since=str(settings.since),
        level=settings.level,
        to=settings.to,
        release=settings.release,
        **CHIPS[settings.chips][1],
    )


def build(settings: OverviewSettings, release: Release) -> Finding:
    """Return the gap in one picture: both trends, indexed to the chosen year."""
    of_runs, of_chips = compute_settings(settings), chip_settings(settings)
    runs = training_compute.candidates(release, of_runs)
    chips = accelerators.candidates(release, of_chips)
    data_words = f"Data: Epoch AI (CC BY 4.0), curated, release {release.name}."
    words = f"{training_compute.rule_words(of_runs)}; {accelerators.rule_words(of_chips)}"
    try:
        compute = fit_settings.fitted(
            training_compute.series(runs), of_runs, rule=training_compute.rule(of_runs), since=of_runs.since
        )
        bandwidth = fit_settings.fitted(
            accelerators.series(chips), of_chips, rule=accelerators.rule(of_chips), since=of_chips.since
        )
    except ValueError as problem:
        metric = METRICS["memory-bandwidth"]
        return trend.unfitted(
            headline="These choices leave too few points to compare two trends",
            problem=str(problem),
            words=f"{words}. {data_words}",
            points=accelerators.points(chips, metric=metric),
            table=Table(
                columns=(Column(name="name", label="Chip", kind="text"),),
                rows=tuple((name,) for name in chips["name"]),
            ),
            to=settings.to,
            axis_title="Memory bandwidth [byte/s]",
            unit=metric.unit,
        )
    since = float(settings.since)
    today = max(compute.trend.last_year, bandwidth.trend.last_year)
    apart = gap(compute, bandwidth, since=since, year=today)
    level = wording.percent(compute.level)
    source = (
        f"{words}; n = {compute.n} and {bandwidth.n}. Least squares on log10; dark band {level} confidence, "
        f"light band {level} for a new point. {data_words}"
    )
    more = wording.growth_in_words(bandwidth.trend.yearly_growth)
    headline = (
        f"A frontier {'language ' if settings.domain == 'language' else ''}run needs "
        f"{wording.times(compute.trend.yearly_growth)} the compute each year; a chip gets {more} bandwidth"
    )
    marks = _marks(settings, compute, bandwidth, runs=runs, chips=chips, total=apart.total, today=today)
    values = [value for mark in marks if not isinstance(mark, Span) for value in getattr(mark, "y", ())]
    chart = XYChart(
        title=headline,
        subtitle=(
            f"Growth since {settings.since} ({settings.since} = 1×, log scale). One run against one chip: "
            "most of the difference is met by using more chips, for longer."
        ),
        alt=(
            f"{headline}. Since {settings.since} the two trends have moved apart by a factor of "
            f"{wording.multiple(apart.total)}."
        ),
        source=source,
        x=year_axis(since, settings.to),
        y=log_axis(f"Growth since {settings.since}", values, wording.multiple),
        marks=marks,
    )
    balance = _balance(settings, release)
    label = "16-bit FLOP per byte, same chips"
    same_chips = (trend.rate_figure(balance, name="balance_growth", label=label),) if balance else ()
    return Finding(
        headline=headline,
        figures=(
            trend.rate_figure(compute, name="compute_growth", label="Compute per run"),
            trend.rate_figure(bandwidth, name="bandwidth_growth", label="Bandwidth per chip"),
            Figure(
                name="gap_growth",
                label="Gap, run against chip",
                value=apart.yearly_growth,
                unit="x/year",
                text=f"{wording.times(apart.yearly_growth)} a year",
                low=apart.low,
                high=apart.high,
                level=apart.level,
                interval_text=wording.at_level(
                    apart.level, wording.times(apart.low), wording.times(apart.high)
                ),
                method="draws of both bootstraps paired",
                n=min(compute.n, bandwidth.n),
            ),
            Figure(
                name="gap_total",
                label=f"Gap since {settings.since}",
                value=apart.total,
                unit="x",
                text=wording.multiple(apart.total),
                low=apart.total_low,
                high=apart.total_high,
                level=apart.level,
                interval_text=wording.at_level(
                    apart.level, wording.multiple(apart.total_low), wording.multiple(apart.total_high)
                ),
                method="ratio of the two trend lines",
                n=min(compute.n, bandwidth.n),
            ),
            *same_chips,
        ),
        exhibits=(Exhibit(chart=chart, table=_table(compute, bandwidth, settings)),),
        settings_line=source,
        notes=(_warning(balance), *compute.notes, *bandwidth.notes),
        sources=(EPOCH_AI, CURATION, HBM_SHIPPED),
    )


def _marks(settings, compute, bandwidth, *, runs, chips, total: float, today: float) -> tuple[Mark, ...]:
    since = float(settings.since)
    metric = METRICS["memory-bandwidth"]
    compute_base, bandwidth_base = (float(side.trend.at([since])[0]) for side in (compute, bandwidth))
    compute_bands, compute_lines = trend.trend_marks(
        compute,
        series="Compute per run",
        role="compute",
        to=settings.to,
        divisor=compute_base,
        end_label=("Compute per run", f"{wording.times(compute.trend.yearly_growth)} a year"),
    )
    bandwidth_bands, bandwidth_lines = trend.trend_marks(
        bandwidth,
        series="Bandwidth per chip",
        role="memory",
        to=settings.to,
        divisor=bandwidth_base,
        end_label=("Bandwidth per chip", f"{wording.times(bandwidth.trend.yearly_growth)} a year"),
    )
    span = Span(
        x=today,
        low=float(bandwidth.trend.at([today])[0]) / bandwidth_base,
        high=float(compute.trend.at([today])[0]) / compute_base,
        label=(f"gap since {settings.since}", wording.multiple(total)),
    )
    return (
        *compute_bands,
        *bandwidth_bands,
        *compute_lines,
        *bandwidth_lines,
        training_compute.points(runs.loc[compute.selected], divisor=compute_base),
        accelerators.points(chips.loc[bandwidth.selected], metric=metric, divisor=bandwidth_base),
        span,
    )


def _table(compute: Growth, bandwidth: Growth, settings: OverviewSettings) -> Table:
    years = np.arange(settings.since, settings.to + 1, dtype=float)
    since = float(settings.since)
    run, chip = (side.trend.at(years) / side.trend.at([since]) for side in (compute, bandwidth))
    return Table(
        columns=(
            Column(name="year", label="1 January of", kind="year"),
            Column(name="compute_index", label="Compute per run", unit="x", kind="scientific"),
            Column(name="bandwidth_index", label="Bandwidth per chip", unit="x", kind="scientific"),
            Column(name="gap_index", label="Gap", unit="x", kind="scientific"),
        ),
        rows=tuple(
            (int(year), float(first), float(second), float(first / second))
            for year, first, second in zip(years, run, chip, strict=True)
        ),
    )


def _balance(settings: OverviewSettings, release: Release) -> Growth | None:
    """Return the growth of the same chips' 16-bit FLOP/s per byte/s of memory bandwidth."""
    of_chips = chip_settings(settings)
    chips = accelerators.candidates(release, of_chips)
    chips = chips.assign(value=peak_16_bit(chips) / chips["memory_bandwidth_byte_per_s"])
    chips = chips.loc[chips["value"].notna()]
    try:
        return fit_settings.fitted(
            accelerators.series(chips), of_chips, rule=accelerators.rule(of_chips), since=of_chips.since
        )
    except ValueError:
        return None


def _warning(balance: Growth | None) -> str:
    chip = ""
    if balance is not None:
        ends = wording.interval(wording.times(balance.growth_low), wording.times(balance.growth_high))
        chip = (
            " On the same chips, 16-bit throughput per byte of bandwidth moves "
            f"{wording.times(balance.trend.yearly_growth)} a year ({wording.percent(balance.level)}: "
            f"{ends})."
        )
    return (
        f"The gap has three levels, and this one, a whole run against one chip, is the widest.{chip} A run "
        "uses more chips for longer each year: Epoch AI puts the growth of the total bandwidth of AI chips "
        "shipped since 2022 at 4.1× a year."
    )


VIEW = View(
    path="/",
    title="The gap",
    question="Is AI training compute outrunning the memory bandwidth that has to feed it?",
    settings=OverviewSettings,
    build=build,
    method=(
        "Both sides are straight least-squares fits of log10(value) against the decimal year, each divided "
        "by its own trend on 1 January of the index year; changing that year moves the curves, not the "
        "rates, except through the points it lets in. The gap is the ratio of the two trends.",
        "Intervals come from resampling models (and picking the frontier again) on one side and chips on "
        "the other, and pairing the draws.",
    ),
)
