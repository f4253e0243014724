"""How many tokens must share one reading of the weights before a chip is bound by compute, year by year."""

import math
from collections.abc import Sequence

from analysis.compute_to_memory import Fill, filling
from analysis.trend.growth import Growth
from charts.chart import Band, Line, Mark
from views import wording, written
from views.axes import log_axis, year_axis
from views.compute_to_memory.roofline import RoofedChip
from views.compute_to_memory.settings import NOUN_OF, ComputeToMemorySettings
from views.exhibits import xy_exhibit
from views.result import Exhibit
from views.table import Getter, stated_columns, table


def batch_exhibit(
    chip: RoofedChip, balance: Growth, *, settings: ComputeToMemorySettings, source: str
) -> Exhibit:
    """Return how many tokens at once keep a dense layer bound by compute, year by year, with interval.

    The chip's own balance is carried along the trend ``balance`` from the year it came.
    """
    needed = filling(chip.roof, balance=balance, precision=chip.precision, since=chip.year, to=settings.to)
    years = needed.years
    title = _title(chip.product, itself=needed.tokens, last=years[-1])
    level = wording.percent(balance.level)
    cache = " Reading the KV cache stays memory-bound at any batch." if needed.cache_stays_bound else ""
    return xy_exhibit(
        _marks(years),
        title=title,
        subtitle=(
            f"Decode requests, or prompt tokens, that must share one reading of the weights, "
            f"{NOUN_OF[chip.precision]}; band: {level} confidence of the trend since the chip.{cache}"
        ),
        alt=title,
        source=source,
        x=year_axis(float(years[0].year), float(years[-1].year)),
        y=log_axis(
            "Tokens at once",
            [end for one in years for end in (one.tokens, one.low, one.high)],
            word=lambda value: f"{value:,.0f}",
        ),
        numbers=table(_columns(settings), years),
    )


def _columns(settings: ComputeToMemorySettings) -> tuple[Getter[Fill], ...]:
    return stated_columns(
        written.toml(__file__, name="columns.toml")["batch"],
        vars(settings),
        decode_bound_by=lambda one: one.bound_by(settings.batch),
        prefill_bound_by=lambda one: one.bound_by(settings.prompt),
        training_bound_by=lambda one: one.bound_by(settings.tokens),
    )


def _marks(years: Sequence[Fill]) -> tuple[Mark, ...]:
    """Return the line of the years that a number of tokens fills, and its band where both ends are finite."""
    finite = [one for one in years if math.isfinite(one.tokens)]
    sound = [one for one in finite if math.isfinite(one.low) and math.isfinite(one.high)]
    marks: list[Mark] = []
    if sound:
        marks.append(
            Band(
                series="Confidence",
                role="compute",
                strength="confidence",
                x=tuple(float(one.year) for one in sound),
                low=tuple(one.low for one in sound),
                high=tuple(one.high for one in sound),
            )
        )
    if finite:
        marks.append(
            Line(
                series="Tokens needed",
                role="compute",
                x=tuple(float(one.year) for one in finite),
                y=tuple(one.tokens for one in finite),
                dash="dotted",
                end_label=("Tokens at once", "to be compute-bound"),
            )
        )
    return tuple(marks)


def _title(product: str, *, itself: float, last: Fill) -> str:
    """Return how many tokens at once bind a chip by compute, now and later, as far as any number does."""
    if not math.isfinite(itself):
        return f"The {product} stays memory-bound at any batch"
    need = (
        f"about {wording.significant(last.tokens)} in {last.year}"
        if math.isfinite(last.tokens)
        else f"and in {last.year} no batch is enough"
    )
    return (
        f"The {product} needs about {wording.significant(itself)} tokens at once to be compute-bound, {need}"
    )
