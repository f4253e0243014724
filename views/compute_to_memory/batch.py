"""How many tokens must share one reading of the weights before a chip is bound by compute, year by year."""

import numpy as np

from analysis.growth_gap import drift
from analysis.trend.growth import Growth
from charts.chart import Band, Line, Mark, XYChart
from views import wording
from views.axes import log_axis, year_axis
from views.compute_to_memory.roofline import RoofedChip
from views.compute_to_memory.settings import NOUN_OF, ComputeToMemorySettings
from views.compute_to_memory.workloads import cache_intensity, tokens_to_fill
from views.result import Column, Exhibit, Table


def batch_exhibit(
    chip: RoofedChip, balance: Growth, *, settings: ComputeToMemorySettings, source: str
) -> Exhibit:
    """Return how many tokens at once keep a dense layer bound by compute, year by year, with interval.

    The chip's own balance is carried along the trend ``balance`` from the year it came.
    """
    roof, precision = chip.roof, chip.precision
    first = int(np.ceil(chip.year))
    years = np.arange(first, max(settings.to, first + 1) + 1, dtype=float)
    ends = drift(balance, since=chip.year, year=years)
    needed, low, high = (
        [tokens_to_fill(roof.machine_balance * float(step), precision=precision) for step in side]
        for side in ends
    )
    itself = tokens_to_fill(roof.machine_balance, precision=precision)
    title = _title(chip.product, itself=itself, later=needed[-1], year=int(years[-1]))
    finite = [index for index, value in enumerate(needed) if np.isfinite(value)]
    level = wording.percent(balance.level)
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


def _title(product: str, *, itself: float, later: float, year: int) -> str:
    """Return how many tokens at once bind a chip by compute, now and later, as far as any number does."""
    if not np.isfinite(itself):
        return f"The {product} stays bound by memory at any batch"
    need = f"about {wording.significant(later)}" if np.isfinite(later) else "more than any batch holds"
    return (
        f"To be bound by compute, the {product} needs about {wording.significant(itself)} tokens at once; "
        f"its like in {year}, {need}"
    )
