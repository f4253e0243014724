"""How many FLOP per byte will chips offer, and which work then becomes bound by memory?"""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis.calendar_year import decimal_year
from analysis.growth import Growth
from analysis.roofline import Roof, attainable_flop_per_s
from charts.chart import Band, Line, Mark, Points, Role, XYChart
from data.releases import Release
from views import accelerators, fit_settings, trend, wording
from views.accelerators import VENDORS, AcceleratorSettings
from views.axes import log_axis, year_axis
from views.chip_metrics import METRICS, Metric
from views.result import Column, Exhibit, Figure, Table
from views.settings import Conflict, choice, month, whole_number
from views.view import Finding, View
from views.workloads import SIZES, Workload, tokens_to_fill, workloads

PRECISIONS = ("fp32", "tf32", "fp16", "fp8", "fp4", "int8")
LOWEST = ("fp4", "fp8", "int8", "fp16", "fp32")
"""The order in which a chip's lowest native format is looked for."""

NOUN_OF = {
    "fp32": "FP32",
    "tf32": "TF32",
    "fp16": "16 bits",
    "fp8": "FP8",
    "fp4": "FP4",
    "int8": "INT8",
    "lowest": "their lowest format",
}
RATIOS: dict[str, tuple[str, str, str, str]] = {
    "bandwidth": ("memory-bandwidth", "FLOP/byte", "FLOP per byte of memory bandwidth", "machine balance"),
    "capacity": ("memory-capacity", "FLOP/s/byte", "FLOP/s per byte of memory", "throughput per byte held"),
    "chip-link": ("chip-link", "FLOP/byte", "FLOP per byte of chip-to-chip bandwidth", "throughput per link"),
    "network-link": (
        "network-link",
        "FLOP/byte",
        "FLOP per byte of network bandwidth",
        "throughput per link",
    ),
}
CHIPS = {
    "v100": "V100",
    "a100": "A100 80 GB",
    "h100": "H100 SXM",
    "h200": "H200",
    "b200": "B200",
    "b300": "B300",
    "mi300x": "MI300X",
    "mi355x": "MI355X",
    "tpu-v4": "TPU v4",
    "tpu-v5p": "TPU v5p",
    "tpu-v6e": "TPU v6e",
    "tpu-v7": "TPU v7",
    "trainium2": "Trainium2",
    "gaudi-3": "Gaudi 3",
    "l40s": "L40S",
    "rtx-4090": "GeForce RTX 4090",
}


@dataclass(frozen=True, kw_only=True)
class ComputeToMemorySettings(fit_settings.FitSettings):
    """Which ratio of which chips, and which work is placed on whose roofline."""

    precision: str = choice(
        "fp16",
        {
            **{name: METRICS[name].meaning for name in PRECISIONS},
            "lowest": "peak in each chip's lowest native format: FP4, else FP8, INT8, 16 bits, FP32",
        },
        label="Precision",
        help="The format that throughput is counted in, always dense.",
        first_row=True,
    )
    rule: str = choice(
        "flagships",
        {
            "flagships": "each vendor's leading data-centre product of a generation",
            "all": "every data-centre product",
        },
        label="Which chips",
        help="The chips that enter the fit.",
        first_row=True,
    )
    vendor: str = choice(
        "all",
        {"all": "every vendor", **{slug: f"only {name}" for slug, name in VENDORS.items()}},
        label="Vendor",
        help="Whose chips are considered.",
        first_row=True,
    )
    ratio: str = choice(
        "bandwidth",
        {name: f"{words}" for name, (_, _, words, _) in RATIOS.items()},
        label="Ratio",
        help="What throughput is divided by.",
        first_row=True,
    )
    since: str = month(
        "2020",
        low=fit_settings.FIRST_YEAR,
        high=fit_settings.LAST_YEAR,
        label="Since",
        help="The first month or year that enters the fit. Matrix units came in 2017: an earlier start "
        "counts that step as if it were a trend.",
    )
    chip: str = choice(
        "h100",
        {slug: f"the {product}" for slug, product in CHIPS.items()},
        label="Roofline of",
        help="The chip whose roofline is drawn, as released and carried to the projected year.",
    )
    batch: int = whole_number(
        64, low=1, high=65536, label="Decode batch", help="How many requests decode together on the roofline."
    )
    prompt: int = whole_number(
        2048, low=1, high=1_000_000, label="Prompt tokens", help="How many tokens a prefill reads at once."
    )
    tokens: int = whole_number(
        8192, low=1, high=10_000_000, label="Training tokens per device", help="Tokens of a training matmul."
    )

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return the conflict of a window that ends before it starts, if it does."""
        return fit_settings.until_before_since(self.since, self.until)


def throughput(chips: pd.DataFrame, precision: str) -> pd.Series:
    """Return peak dense throughput at a precision, or in each chip's lowest native format. [FLOP/s]"""
    if precision != "lowest":
        return METRICS[precision].of(chips)
    found = METRICS[LOWEST[0]].of(chips)
    for name in LOWEST[1:]:
        found = found.fillna(METRICS[name].of(chips))
    return found


def metric_of(settings: ComputeToMemorySettings) -> Metric:
    """Return the ratio as a metric of a chip."""
    below, unit, words, noun = RATIOS[settings.ratio]
    return Metric(
        of=lambda chips: throughput(chips, settings.precision) / METRICS[below].of(chips),
        unit=unit,
        noun=f"{words}, {NOUN_OF[settings.precision]}",
        meaning=noun,
        role="compute",
        column="machine_balance" if settings.ratio == "bandwidth" else f"flop_per_{settings.ratio}",
    )


def chip_settings(settings: ComputeToMemorySettings) -> AcceleratorSettings:
    """Return the settings of /accelerators that pick the same chips."""
    return AcceleratorSettings(
        rule=settings.rule,
        vendor=settings.vendor,
        kind="all" if settings.rule == "flagships" else "data-centre",
        since=settings.since,
        until=settings.until,
        estimator=settings.estimator,
        tau=settings.tau,
        interval=settings.interval,
        level=settings.level,
        to=settings.to,
        release=settings.release,
    )


def _fit(release: Release, settings: ComputeToMemorySettings, metric: Metric) -> tuple[pd.DataFrame, Growth]:
    of_chips = chip_settings(settings)
    chips = accelerators.candidates(release, of_chips, metric=metric)
    found = fit_settings.fitted(
        accelerators.series(chips), of_chips, rule=accelerators.rule(of_chips), since=settings.since
    )
    return chips, found


def build(settings: ComputeToMemorySettings, release: Release) -> Finding:
    """Return the history and forecast of the ratio, the roofline, and when work becomes memory-bound."""
    metric = metric_of(settings)
    of_chips = chip_settings(settings)
    which = accelerators.rule_words(of_chips)
    data_words = f"Data: Epoch AI (CC BY 4.0), curated, release {release.name}."
    try:
        chips, found = _fit(release, settings, metric)
    except ValueError as problem:
        chips = accelerators.candidates(release, of_chips, metric=metric)
        return trend.unfitted(
            headline=f"These choices leave {wording.counted(len(chips), 'chip')}: no trend can be fitted",
            problem=str(problem),
            words=f"{which}. {data_words}",
            points=accelerators.points(chips, metric=metric),
            table=accelerators.table(chips, metric, None),
            to=settings.to,
            axis_title=f"{wording.sentence_case(metric.noun)} [{metric.unit}]",
            unit=metric.unit,
        )
    source = f"{which}, n = {found.n}. {fit_settings.fit_words(settings, found)} {data_words}"
    headline = _headline(settings, found)
    exhibits = [_history(release, settings, metric, chips, found, headline=headline, source=source)]
    if settings.ratio == "bandwidth":
        exhibits += _rooflines(release, settings, found, source=data_words)
    return Finding(
        headline=headline,
        figures=(*trend.figures(found, to=settings.to, unit=metric.unit), *_other_formats(release, settings)),
        exhibits=tuple(exhibits),
        settings_line=source,
        notes=(*_format_note(release, settings), *found.notes, *trend.reach_notes(found, to=settings.to)),
    )


def _headline(settings: ComputeToMemorySettings, found: Growth) -> str:
    rate = found.trend.yearly_growth
    where = f"{'At' if settings.precision == 'fp16' else 'In'} {NOUN_OF[settings.precision]}"
    subject = RATIOS[settings.ratio][2]
    if not trend.is_clear(found):
        return f"{where}, {subject} has not clearly changed ({wording.times(rate)} a year)"
    more = wording.growth_in_words(rate)
    return f"{where}, chips offer {more} {subject} each year"


def _history(
    release: Release,
    settings: ComputeToMemorySettings,
    metric: Metric,
    chips: pd.DataFrame,
    found: Growth,
    *,
    headline: str,
    source: str,
) -> Exhibit:
    chosen = chips.loc[found.selected].reset_index(drop=True)
    coming = accelerators.announced(release, chip_settings(settings), metric=metric)
    level = wording.percent(found.level)
    title = f"{wording.sentence_case(RATIOS[settings.ratio][2])} [{metric.unit}]"
    bands, lines = trend.trend_marks(
        found,
        series=title,
        role="compute",
        to=settings.to,
        end_label=(
            f"{NOUN_OF[settings.precision].removeprefix('their ')}",
            f"{wording.times(found.trend.yearly_growth)} a year",
        ),
    )
    rival, _ = trend.rival_line(accelerators.series(chips), found, to=settings.to)
    hollow = (accelerators.points(coming, metric=metric, hollow=True),) if len(coming) else ()
    marks: tuple[Mark, ...] = (
        *bands,
        *rival,
        *lines,
        accelerators.points(chosen, metric=metric, role="memory"),
        *hollow,
    )
    dates = [found.trend.first_year, found.trend.last_year, float(settings.to)]
    dates += [year for mark in hollow for year in mark.x]
    chart = XYChart(
        title=headline,
        subtitle=(
            f"Peak dense throughput over {RATIOS[settings.ratio][0].replace('-', ' ')} of the same chip, "
            f"log scale; dark "
            f"band {level} confidence of the trend, light band {level} for a new chip."
            f"{' Hollow: announced, not fitted.' if hollow else ''}"
        ),
        alt=f"{headline}: {found.n} chips, with trend, intervals and projection to {settings.to}.",
        source=source,
        x=year_axis(min(dates), max(dates)),
        y=trend.value_axis(title, marks, metric.unit),
        marks=marks,
    )
    return Exhibit(chart=chart, table=accelerators.table(chosen, metric, found))


def _other_formats(release: Release, settings: ComputeToMemorySettings) -> tuple[Figure, ...]:
    """Return the growth of the same ratio in the lowest format and at 16 bits, whichever is not shown."""
    other = "fp16" if settings.precision == "lowest" else "lowest"
    metric = metric_of(_with_precision(settings, other))
    try:
        _, found = _fit(release, settings, metric)
    except ValueError:
        return ()
    return (
        trend.rate_figure(
            found,
            name="yearly_growth_fp16" if other == "fp16" else "yearly_growth_lowest",
            label=f"Growth in {NOUN_OF[other]}" if other == "lowest" else "Growth at 16 bits",
        ),
    )


def _with_precision(settings: ComputeToMemorySettings, precision: str) -> ComputeToMemorySettings:
    return replace(settings, precision=precision)


def _format_note(release: Release, settings: ComputeToMemorySettings) -> tuple[str, ...]:
    others = _other_formats(release, settings)
    if not others or settings.ratio != "bandwidth":
        return ()
    figure = others[0]
    if figure.name == "yearly_growth_lowest":
        return (
            f"In each chip's lowest native format the same ratio grows {figure.text} "
            f"({figure.interval_text}): much of "
            "the widening comes from counting ever smaller numbers, which also take fewer bytes to move.",
        )
    return (f"At 16 bits the same ratio grows {figure.text} ({figure.interval_text}).",)


def _chip(release: Release, settings: ComputeToMemorySettings) -> tuple[str, Roof, float] | None:
    """Return the chosen chip's name, its roof and its year; None where a number is missing."""
    product = CHIPS[settings.chip]
    parts = release.accelerators
    row = parts.loc[(parts["product"] == product) & parts["representative"]]
    if row.empty:
        return None
    peak = float(throughput(row, settings.precision).iloc[0])
    bandwidth = float(row["memory_bandwidth_byte_per_s"].iloc[0])
    if not (peak > 0 and bandwidth > 0):
        return None
    year = float(decimal_year(row["released_on"])[0])
    return product, Roof(peak_flop_per_s=peak, memory_bandwidth_byte_per_s=bandwidth), year


def _precision_of(release: Release, settings: ComputeToMemorySettings) -> str:
    """Return the format of the chosen chip that the precision setting stands for."""
    if settings.precision != "lowest":
        return settings.precision
    parts = release.accelerators
    row = parts.loc[(parts["product"] == CHIPS[settings.chip]) & parts["representative"]]
    return next((name for name in LOWEST if len(row) and METRICS[name].of(row).notna().iloc[0]), "fp16")


def _rooflines(
    release: Release, settings: ComputeToMemorySettings, found: Growth, *, source: str
) -> list[Exhibit]:
    chosen = _chip(release, settings)
    if chosen is None:
        return []
    product, roof, year = chosen
    precision = _precision_of(release, settings)
    work = workloads(
        precision=precision, batch=settings.batch, prompt=settings.prompt, tokens=settings.tokens
    )
    later = _later(release, settings, roof, year)
    return [
        _roofline(settings, product, roof, later, work, precision=precision, source=source),
        _when_bound(settings, product, roof, found, year, precision=precision, source=source),
    ]


def _later(release: Release, settings: ComputeToMemorySettings, roof: Roof, year: float) -> Roof | None:
    """Return the roof of the chip's successor in the projected year, each side along its own trend."""
    growths = []
    for metric in (
        Metric(
            of=lambda chips: throughput(chips, settings.precision),
            unit="FLOP/s",
            noun="throughput",
            meaning="",
            role="compute",
            column="peak",
        ),
        METRICS["memory-bandwidth"],
    ):
        try:
            growths.append(_fit(release, settings, metric)[1].trend.slope_per_year)
        except ValueError:
            return None
    ahead = settings.to - year
    if ahead <= 0:
        return None
    return Roof(
        peak_flop_per_s=roof.peak_flop_per_s * 10 ** (growths[0] * ahead),
        memory_bandwidth_byte_per_s=roof.memory_bandwidth_byte_per_s * 10 ** (growths[1] * ahead),
    )


def _roof_line(
    roof: Roof, *, low: float, high: float, label: tuple[str, ...], role: Role, dotted: bool
) -> Line:
    x = np.array([low, roof.machine_balance, high])
    y = attainable_flop_per_s(roof, x)
    return Line(
        series=label[0],
        role=role,
        x=tuple(x.tolist()),
        y=tuple(y.tolist()),
        dash="dotted" if dotted else "solid",
        end_label=label,
    )


def _roofline(
    settings: ComputeToMemorySettings,
    product: str,
    roof: Roof,
    later: Roof | None,
    work: tuple[Workload, ...],
    *,
    precision: str,
    source: str,
) -> Exhibit:
    ridge = roof.machine_balance
    bound = [item.name for item in work if item.intensity < ridge]
    title = (
        f"On the {product}, {len(bound)} of {len(work)} kinds of work are bound by memory "
        f"(below {wording.significant(ridge, 3)} FLOP/byte)"
    )
    low, high = min(item.intensity for item in work) / 2, max(ridge, *(item.intensity for item in work)) * 3
    lines: list[Mark] = [_roof_line(roof, low=low, high=high, label=(product,), role="compute", dotted=False)]
    if later is not None:
        lines.append(
            _roof_line(
                later, low=low, high=high, label=(f"its like in {settings.to}",), role="context", dotted=True
            )
        )
    attained = attainable_flop_per_s(roof, [item.intensity for item in work])
    points = Points(
        series="Work",
        role="memory",
        x=tuple(item.intensity for item in work),
        y=tuple(attained.tolist()),
        names=tuple(item.name for item in work),
        details=tuple(
            (
                f"{wording.significant(item.intensity, 3)} FLOP/byte, at most "
                f"{wording.quantity(float(rate), 'FLOP/s')}",
                f"bound by {'memory' if item.intensity < ridge else 'compute'}",
                item.assumes,
            )
            for item, rate in zip(work, attained, strict=True)
        ),
        marked=tuple((index, item.name) for index, item in enumerate(work)),
    )
    heights = [height for line in lines if isinstance(line, Line) for height in line.y]
    chart = XYChart(
        title=title,
        subtitle=f"What compute and memory both allow, {NOUN_OF[precision]}, dense, log scales. {SIZES}",
        alt=f"{title}: {', '.join(bound)}.",
        source=source,
        x=log_axis("Work per byte moved [FLOP/byte]", [low, high * 4], lambda value: f"{value:,g}"),
        y=log_axis(
            "Attainable throughput [FLOP/s]", heights, lambda value: wording.quantity(value, "FLOP/s")
        ),
        marks=(*lines, points),
    )
    table = Table(
        columns=(
            Column(name="work", label="Work", kind="text"),
            Column(name="arithmetic_intensity", label="Work per byte", unit="FLOP/byte"),
            Column(name="attainable_flop_per_s", label="Attainable", unit="FLOP/s", kind="scientific"),
            Column(name="share_of_peak", label="Share of peak", unit="1"),
            Column(name="bound_by", label="Bound by", kind="text"),
            Column(name="assumes", label="Assumes", kind="text"),
        ),
        rows=tuple(
            (
                item.name,
                item.intensity,
                float(rate),
                float(rate) / roof.peak_flop_per_s,
                "memory" if item.intensity < ridge else "compute",
                item.assumes,
            )
            for item, rate in zip(work, attained, strict=True)
        ),
    )
    return Exhibit(chart=chart, table=table)


def _when_bound(
    settings: ComputeToMemorySettings,
    product: str,
    roof: Roof,
    found: Growth,
    year: float,
    *,
    precision: str,
    source: str,
) -> Exhibit:
    """Return how many tokens at once keep a dense layer bound by compute, year by year, with interval."""
    first = int(np.ceil(year))
    years = np.arange(first, max(settings.to, first + 1) + 1, dtype=float)
    shown = found.project(years)
    today = float(found.trend.at([year])[0])
    ends = (shown.value / today, shown.confidence_low / today, shown.confidence_high / today)
    needed, low, high = (
        [tokens_to_fill(roof.machine_balance * float(step), precision=precision) for step in side]
        for side in ends
    )
    title = (
        f"A chip of {settings.to} needs a batch of about {_tokens(needed[-1])} to be bound by compute; "
        f"the {product} needs {_tokens(tokens_to_fill(roof.machine_balance, precision=precision))}"
    )
    finite = [index for index, value in enumerate(needed) if np.isfinite(value)]
    level = wording.percent(found.level)
    marks: list[Mark] = []
    if finite:
        sound = [index for index in finite if np.isfinite(low[index]) and np.isfinite(high[index])]
        if sound:
            marks.append(
                Band(
                    series="Confidence",
                    role="compute",
                    strength="confidence",
                    x=tuple(years[index] for index in sound),
                    low=tuple(low[index] for index in sound),
                    high=tuple(high[index] for index in sound),
                )
            )
        marks.append(
            Line(
                series="Tokens needed",
                role="compute",
                x=tuple(years[index] for index in finite),
                y=tuple(needed[index] for index in finite),
                dash="dotted",
                end_label=("Tokens at once", "to be bound by compute"),
            )
        )
    values = [value for side in (needed, low, high) for value in side if np.isfinite(value)]
    chart = XYChart(
        title=title,
        subtitle=(
            f"Decode requests, or prompt tokens, that must share one reading of the weights, "
            f"{NOUN_OF[precision]}; "
            f"band {level} confidence of the trend. Reading the KV cache stays bound by memory at any batch."
        ),
        alt=title,
        source=source,
        x=year_axis(float(years[0]), float(years[-1])),
        y=log_axis("Tokens at once", values, lambda value: f"{value:,.0f}"),
        marks=tuple(marks),
    )
    table = Table(
        columns=(
            Column(name="year", label="1 January of", kind="year"),
            Column(name="machine_balance", label="FLOP per byte", unit="FLOP/byte"),
            Column(name="tokens", label="Tokens at once", unit="tokens"),
            Column(name="tokens_low", label="Low", unit="tokens"),
            Column(name="tokens_high", label="High", unit="tokens"),
            Column(name="decode_bound_by", label=f"Decode, batch {settings.batch:,}", kind="text"),
            Column(name="prefill_bound_by", label=f"Prefill, {settings.prompt:,} tokens", kind="text"),
            Column(name="training_bound_by", label=f"Training, {settings.tokens:,} tokens", kind="text"),
        ),
        rows=tuple(
            (
                int(when),
                roof.machine_balance * float(step),
                need,
                under,
                over,
                *(
                    "compute" if count >= need else "memory"
                    for count in (settings.batch, settings.prompt, settings.tokens)
                ),
            )
            for when, step, need, under, over in zip(years, ends[0], needed, low, high, strict=True)
        ),
    )
    return Exhibit(chart=chart, table=table)


def _tokens(count: float) -> str:
    return f"{wording.significant(count)} tokens" if np.isfinite(count) else "more than any number of tokens"


VIEW = View(
    path="/compute-to-memory",
    title="Compute to memory",
    question="How many FLOP per byte will chips offer, and which work then becomes bound by memory?",
    settings=ComputeToMemorySettings,
    build=build,
    method=(
        "Machine balance is a chip's peak dense throughput at one precision over its memory bandwidth, "
        "the ridge point of "
        "its roofline (Williams, Waterman and Patterson 2009). Work with fewer FLOP per byte is bound by "
        "memory. Both "
        "numbers come from the same row, so the trend of their ratio is fitted directly, like any other "
        "quantity.",
        "The lowest format is FP4 where a chip computes in it, else FP8, INT8, 16 bits or FP32. Smaller "
        "formats move "
        "fewer bytes as well: doubling FLOP/byte by halving the format leaves the batch that fills the "
        "chip unchanged.",
        "Intensities are operations over bytes that must cross the memory interface: linear layers 2mkn "
        "over weights, "
        "inputs and outputs; decode attention two operations per cached element and query head sharing "
        "it; unfused "
        "attention with its score matrix written and read; fused attention with K and V read once per "
        "block of 128 "
        "(FlashAttention); an Adam step of 13 operations over 28 bytes a parameter; experts with "
        "even routing. "
        "The roof is a ceiling: no kernel reaches all of it.",
    ),
)
