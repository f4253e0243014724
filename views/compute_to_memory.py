"""How many FLOP per byte will chips offer, and which work then becomes bound by memory?"""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis.calendar_year import decimal_year
from analysis.gap import drift
from analysis.growth import Growth
from analysis.roofline import Roof, attainable_flop_per_s
from charts.chart import Axis, Band, Line, Mark, Points, Role, XYChart
from data.releases import Release
from views import accelerators, fit_settings, trend, wording
from views.accelerators import VENDORS, AcceleratorSettings
from views.axes import log_axis, year_axis
from views.chip_metrics import METRICS, Metric
from views.result import Column, Exhibit, Figure, Table
from views.settings import Conflict, choice, month, whole_number
from views.view import Finding, View
from views.workloads import BYTE_OF, SIZES, Workload, cache_intensity, tokens_to_fill, workloads

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


@dataclass(frozen=True, kw_only=True)
class Ratio:
    """What throughput is divided by: the metric below, unit, name in a sentence, and column of the table."""

    below: str
    unit: str
    words: str
    column: str


RATIOS = {
    "bandwidth": Ratio(
        below="memory-bandwidth",
        unit="FLOP/byte",
        words="FLOP per byte of memory bandwidth",
        column="machine_balance",
    ),
    "capacity": Ratio(
        below="memory-capacity",
        unit="FLOP/s/byte",
        words="FLOP/s per byte of memory",
        column="flop_per_s_per_memory_byte",
    ),
    "chip-link": Ratio(
        below="chip-link",
        unit="FLOP/byte",
        words="FLOP per byte of chip-to-chip bandwidth",
        column="flop_per_chip_link_byte",
    ),
    "network-link": Ratio(
        below="network-link",
        unit="FLOP/byte",
        words="FLOP per byte of network bandwidth",
        column="flop_per_network_link_byte",
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
        {name: ratio.words for name, ratio in RATIOS.items()},
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


def operand_byte(chips: pd.DataFrame, precision: str) -> pd.Series:
    """Return the size of a number at a precision, or in each chip's lowest native format. [byte]"""
    size = pd.Series(BYTE_OF[LOWEST[-1] if precision == "lowest" else precision], index=chips.index)
    for name in reversed(LOWEST if precision == "lowest" else ()):
        size = size.mask(METRICS[name].of(chips).notna(), BYTE_OF[name])
    return size


def ratio_words(settings: ComputeToMemorySettings) -> str:
    """Return the ratio in words, in operations where the format counts whole numbers."""
    words = RATIOS[settings.ratio].words
    return words.replace("FLOP", "OP") if settings.precision == "int8" else words


def metric_of(settings: ComputeToMemorySettings) -> Metric:
    """Return the ratio as a metric of a chip."""
    ratio = RATIOS[settings.ratio]
    return Metric(
        of=lambda chips: throughput(chips, settings.precision) / METRICS[ratio.below].of(chips),
        unit=ratio.unit.replace("FLOP", "OP") if settings.precision == "int8" else ratio.unit,
        noun=f"{ratio_words(settings)}, {NOUN_OF[settings.precision]}",
        meaning=ratio.words,
        role="compute",
        column=ratio.column,
    )


def _per_number(settings: ComputeToMemorySettings) -> Metric:
    """Return machine balance per number moved: a smaller format moves fewer bytes as it computes more."""
    return replace(
        metric_of(settings),
        of=lambda chips: (
            throughput(chips, settings.precision)
            * operand_byte(chips, settings.precision)
            / chips["memory_bandwidth_byte_per_s"]
        ),
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
    others = _other_format(release, settings)
    missing: tuple[str, ...] = ()
    if settings.ratio == "bandwidth":
        rooflines, missing = _rooflines(release, settings, found, source=data_words)
        exhibits += rooflines
    return Finding(
        headline=headline,
        figures=(*trend.figures(found, to=settings.to, unit=metric.unit), *others),
        exhibits=tuple(exhibits),
        settings_line=source,
        notes=(
            *missing,
            *_format_note(settings, found, others),
            *found.notes,
            *trend.reach_notes(found, to=settings.to),
        ),
    )


def _headline(settings: ComputeToMemorySettings, found: Growth) -> str:
    rate = found.trend.yearly_growth
    where = f"{'At' if settings.precision == 'fp16' else 'In'} {NOUN_OF[settings.precision]}"
    subject = ratio_words(settings)
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
    title = f"{wording.sentence_case(ratio_words(settings))} [{metric.unit}]"
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
            f"Peak dense throughput over {METRICS[RATIOS[settings.ratio].below].noun} of the same chip, log "
            f"scale; dark band {level} confidence of the trend, light band {level} for a new chip."
            f"{' Hollow: announced, not fitted.' if hollow else ''}"
        ),
        alt=f"{headline}: {found.n} chips, with trend, intervals and projection to {settings.to}.",
        source=source,
        x=year_axis(min(dates), max(dates)),
        y=_bare(trend.value_axis(title, marks, metric.unit)),
        marks=marks,
    )
    return Exhibit(chart=chart, table=accelerators.table(chosen, metric, found))


def _bare(axis: Axis) -> Axis:
    """Return the axis with numbers alone at its ticks: the unit stands in its title."""
    return replace(
        axis,
        ticks=tuple(
            replace(tick, label=f"{tick.value:,.0f}" if tick.value >= 10 else f"{tick.value:g}")
            for tick in axis.ticks
        ),
    )


def _other_format(release: Release, settings: ComputeToMemorySettings) -> tuple[Figure, ...]:
    """Return the growth of the same ratio in the lowest format and at 16 bits, whichever is not shown."""
    other = "fp16" if settings.precision == "lowest" else "lowest"
    metric = metric_of(replace(settings, precision=other))
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


def _format_note(
    settings: ComputeToMemorySettings, found: Growth, others: tuple[Figure, ...]
) -> tuple[str, ...]:
    """Return what the same ratio does in the other format, and what smaller formats contribute."""
    if not others or settings.ratio != "bandwidth":
        return ()
    figure = others[0]
    told = f"the same ratio grows {figure.text} ({figure.interval_text})"
    lowest = figure.name == "yearly_growth_lowest"
    here, there = found.trend.yearly_growth, figure.value or 0.0
    by_formats = there > here if lowest and settings.precision == "fp16" else not lowest and here > there
    where = "In each chip's lowest native format" if lowest else "At 16 bits"
    why = (
        ": the difference comes from counting ever smaller numbers, which also take fewer bytes to move."
        if by_formats
        else "."
    )
    return (f"{where} {told}{why}",)


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
) -> tuple[list[Exhibit], tuple[str, ...]]:
    """Return the roofline and the batch that fills a chip, or the sentence that says why there are none."""
    chosen = _chip(release, settings)
    if chosen is None:
        return [], (
            f"No roofline: release {release.name} has no {NOUN_OF[settings.precision].removeprefix('their ')} "
            f"throughput of the {CHIPS[settings.chip]}. Choose another chip or precision.",
        )
    product, roof, year = chosen
    precision = _precision_of(release, settings)
    work = workloads(
        precision=precision, batch=settings.batch, prompt=settings.prompt, tokens=settings.tokens
    )
    fills = found
    if settings.precision == "lowest":
        _, fills = _fit(release, settings, _per_number(settings))
    later = _later(release, settings, roof, fills, year)
    return [
        _roofline(settings, product, roof, later, work, precision=precision, source=source),
        _when_bound(settings, product, roof, fills, year, precision=precision, source=source),
    ], ()


def _later(
    release: Release, settings: ComputeToMemorySettings, roof: Roof, fills: Growth, year: float
) -> Roof | None:
    """Return the roof of the chip's like in the projected year: its bandwidth and its balance along trends."""
    if settings.to <= year:
        return None
    known = replace(
        METRICS["memory-bandwidth"],
        of=lambda chips: chips["memory_bandwidth_byte_per_s"].where(
            throughput(chips, settings.precision).notna()
        ),
    )
    _, bandwidth = _fit(release, settings, known)
    moved, balanced = (
        float(drift(found, since=year, year=float(settings.to))[0][0]) for found in (bandwidth, fills)
    )
    later = roof.memory_bandwidth_byte_per_s * moved
    return Roof(peak_flop_per_s=roof.machine_balance * balanced * later, memory_bandwidth_byte_per_s=later)


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
        f"On the {product}, {len(bound)} of {len(work)} kinds of work "
        f"{'is' if len(bound) == 1 else 'are'} bound by memory (below {wording.significant(ridge, 3)} FLOP/byte)"
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
        marked=tuple(
            (index, item.name)
            for index, item in sorted(enumerate(work), key=lambda pair: pair[1].tokens is None)
        ),
    )
    heights = [height for line in lines if isinstance(line, Line) for height in line.y]
    chart = XYChart(
        title=title,
        subtitle=f"What compute and memory both allow, {NOUN_OF[precision]}, dense, log scales. {SIZES}",
        alt=f"{title}: {', '.join(bound) or 'none'}.",
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
    ends = drift(found, since=year, year=years)
    needed, low, high = (
        [tokens_to_fill(roof.machine_balance * float(step), precision=precision) for step in side]
        for side in ends
    )
    itself = tokens_to_fill(roof.machine_balance, precision=precision)
    title = _batch_title(product, itself=itself, later=needed[-1], year=int(years[-1]))
    finite = [index for index, value in enumerate(needed) if np.isfinite(value)]
    level = wording.percent(found.level)
    bound = cache_intensity(precision=precision) < roof.machine_balance * min(map(float, ends[0]))
    cache = " Reading the KV cache stays bound by memory at any batch." if bound else ""
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
            f"{NOUN_OF[precision]}; band {level} confidence of the trend since the chip.{cache}"
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


def _batch_title(product: str, *, itself: float, later: float, year: int) -> str:
    """Return how many tokens at once bind a chip by compute, now and later, as far as any number does."""
    if not np.isfinite(itself):
        return f"The {product} stays bound by memory at any batch"
    need = f"about {wording.significant(later)}" if np.isfinite(later) else "more than any batch holds"
    return (
        f"To be bound by compute, the {product} needs about {wording.significant(itself)} tokens at once; "
        f"its like in {year}, {need}"
    )


VIEW = View(
    path="/compute-to-memory",
    title="Compute to memory",
    question="How many FLOP per byte will chips offer, and which work then becomes bound by memory?",
    settings=ComputeToMemorySettings,
    build=build,
    method=(
        "Machine balance is a chip's peak dense throughput at one precision over its memory bandwidth, the "
        "ridge point of its roofline (Williams, Waterman and Patterson 2009). Work with fewer FLOP per byte "
        "is bound by memory. Both numbers come from the same row, so the trend of their ratio is fitted "
        "directly, like any other quantity.",
        "The lowest format is FP4 where a chip computes in it, else FP8, INT8, 16 bits or FP32. Smaller "
        "formats move fewer bytes as well: doubling FLOP/byte by halving the format leaves the batch that "
        "fills the chip unchanged. In the lowest format the batch and the later roof therefore follow the "
        "trend of FLOP per number moved, in the format of the chosen chip.",
        "The batch that fills a chip starts from the chosen chip's own balance and is carried along the trend "
        "from its release; the band is the uncertainty of the trend since then. The later roof takes its "
        "bandwidth from the trend of the same chips.",
        "Intensities are operations over bytes that must cross the memory interface: linear layers 2mkn over "
        "weights, inputs and outputs; decode attention two operations per cached element and query head "
        "sharing it; unfused attention with its score matrix written and read; fused attention with Q, K and "
        "V read and the output written once, forward and without a mask (FlashAttention); an Adam step of 14 "
        "operations over 28 bytes a parameter; experts with even routing. Activations and the KV cache take "
        "the bytes of the format, at least one. The roof is a ceiling: no kernel reaches all of it.",
    ),
)
