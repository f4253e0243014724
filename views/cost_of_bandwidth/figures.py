"""The key figures: what a unit costs, how fast that grows, and how fast it outgrows the cost of compute."""

from collections.abc import Iterator

from analysis.fleet import DrawnSeries, FleetGrowth
from views import wording
from views.cost_of_bandwidth.answer import CostAnswer
from views.cost_of_bandwidth.share import memory_share, supply_share
from views.cost_of_bandwidth.words import Quantity, dollars, share_words
from views.exhibits import estimate_figure, growth_figure
from views.result import Figure

METHOD = "component costs over units shipped (Epoch AI) times data-sheet figures"


def figures(answer: CostAnswer) -> Iterator[Figure]:
    """Yield what a unit and the other side cost, their growth and that of the ratio, and the shares of HBM."""
    own, beside = answer.quantity, answer.beside
    yield _cost(answer, answer.own, name="cost", quantity=own)
    yield _growth(answer, answer.rate, name="growth", label=_cost_of(own))
    if answer.other and answer.other_rate and answer.gap:
        names = f"{own.name} against {wording.small_initial(beside.name)}"
        yield _growth(answer, answer.other_rate, name="other_growth", label=_cost_of(beside))
        yield _growth(answer, answer.gap, name="gap_growth", label=names, key=False)
        yield _cost(answer, answer.other, name="other_cost", quantity=beside, key=False)
    for name, series, label, place in (
        ("memory_share", memory_share(), "HBM in cost of parts", -1),
        ("memory_share_first", memory_share(), "HBM in cost of parts", 0),
        ("supply_share", supply_share(), "World's HBM bought", -1),
    ):
        yield estimate_figure(
            name,
            value=float(series.middle()[place]),
            interval=series.interval_at(place, level=answer.level),
            label=f"{label}, {wording.quarter(float(series.end_year[place]))}",
            unit="1",
            level=answer.level,
            word=share_words,
            method="component costs of four makers (Epoch AI)",
            key=False,
        )


def _cost(
    answer: CostAnswer, series: DrawnSeries, *, name: str, quantity: Quantity, key: bool = True
) -> Figure:
    low, high = series.interval_at(-1, level=answer.level)
    now = quantity.size * float(series.middle()[-1])
    return estimate_figure(
        name,
        value=now,
        interval=(quantity.size * low, quantity.size * high),
        label=f"Per {quantity.unit}, {wording.quarter(float(series.end_year[-1]))}",
        unit=f"USD per {quantity.unit}",
        level=answer.level,
        word=dollars,
        text=f"{dollars(now)} per {quantity.unit}",
        method=METHOD,
        n=len(series.end_year),
        key=key,
    )


def _growth(answer: CostAnswer, rate: FleetGrowth, *, name: str, label: str, key: bool = True) -> Figure:
    n = len(answer.own.end_year)
    return growth_figure(
        name,
        yearly_growth=rate.factor,
        interval=(rate.low, rate.high),
        label=label,
        level=answer.level,
        method=f"least squares on log10 over {n} quarters, quarters resampled; {METHOD}",
        n=n,
        key=key,
    )


def _cost_of(quantity: Quantity) -> str:
    return f"Cost of {wording.small_initial(quantity.name)}"
