"""The key figures: what there is, how fast it grows, and how much compute there is for each byte."""

from collections.abc import Iterator

from views import wording
from views.exhibits import estimate_figure, growth_figure
from views.fleet.answer import FleetAnswer
from views.fleet.words import OFFERED, amount
from views.result import Figure

METHOD = "units of Epoch AI times data-sheet figures"


def figures(answer: FleetAnswer) -> Iterator[Figure]:
    """Yield what there is in the last quarter, its growth, FLOP per byte of all chips, and growth in the last year."""
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
            label=f"Over a year earlier, {answer.brand.strip() or 'all makers'}",
            level=level,
            text=wording.times(answer.last_year.value),
            method=f"last quarter over that of a year before; {METHOD}",
            key=False,
        )
