"""The key figures: what a unit costs, how fast that grows, and how fast it outgrows the cost of compute."""

from collections.abc import Iterator

from analysis.fleet import DrawnSeries
from analysis.intervals import Estimate
from views import wording
from views.cost_of_bandwidth.answer import CostAnswer
from views.cost_of_bandwidth.by_quarter import memory_share, supply_share
from views.cost_of_bandwidth.words import Quantity, dollars, share_words
from views.exhibits import estimate_figure, growth_figure
from views.result import Figure

METHOD = "component costs over units shipped (Epoch AI) times data-sheet figures"


def figures(answer: CostAnswer) -> Iterator[Figure]:
    """Yield what a unit and the other side cost, their growth and that of the ratio, and the shares of HBM.

    Raises
    ------
    ValueError
        Too few quarters are known.
    """
    rate, level, n = answer.rate, answer.level, len(answer.own.end_year)
    own, beside = answer.quantity, answer.beside

    def cost(name: str, series: DrawnSeries, *, per: Quantity, key: bool = True) -> Figure:
        now = series.at(-1, level=level).times(per.size)
        return estimate_figure(
            name,
            now,
            label=f"Per {per.unit}, {wording.quarter(float(series.end_year[-1]))}",
            unit=f"USD per {per.unit}",
            level=level,
            word=dollars,
            text=f"{dollars(now.value)} per {per.unit}",
            method=METHOD,
            n=len(series.end_year),
            key=key,
        )

    def growth(name: str, yearly: Estimate, *, label: str, key: bool = True) -> Figure:
        method = f"least squares on log10 over {n} quarters, quarters resampled; {METHOD}"
        return growth_figure(name, yearly, label=label, level=level, method=method, n=n, key=key)

    yield cost("cost", answer.own, per=own)
    yield growth("growth", rate, label=f"Cost of {wording.small_initial(own.name)}")
    if answer.other and answer.other_rate and answer.gap:
        other = wording.small_initial(beside.name)
        yield growth("other_growth", answer.other_rate, label=f"Cost of {other}")
        yield growth("gap_growth", answer.gap, label=f"{own.name} against {other}", key=False)
        yield cost("other_cost", answer.other, per=beside, key=False)
    for name, series, label, place in (
        ("memory_share", memory_share(), "HBM in cost of parts", -1),
        ("memory_share_first", memory_share(), "HBM in cost of parts", 0),
        ("supply_share", supply_share(), "World's HBM bought", -1),
    ):
        yield estimate_figure(
            name,
            series.at(place, level=level),
            label=f"{label}, {wording.quarter(float(series.end_year[place]))}",
            unit="1",
            level=level,
            word=share_words,
            method="component costs of four makers (Epoch AI)",
            key=False,
        )
