"""How fast what leading data-centre chips offer has grown, with draws of each rate: for chips of later years."""

from analysis.intervals import DrawnRate
from analysis.trend.growth import Window, growth
from analysis.trend.selection import Rule
from data.by_release import kept_by_release
from data.releases import load
from views.chips import rows as chip_rows
from views.chips.choice import AcceleratorSettings
from views.chips.metrics import METRICS

SINCE = 2016
DRAWS = 300
QUANTITIES = {
    "bandwidth": "memory-bandwidth",
    "flop": "fp16",
    "capacity": "memory-capacity",
    "link": "chip-link",
}
"""The metric of each quantity."""


@kept_by_release(4)
def chip_growths(release: str) -> dict[str, DrawnRate]:
    """Return the growth of each quantity over a frozen release's flagships since 2016, from a bootstrap of chips."""
    growths = {}
    for quantity, metric in QUANTITIES.items():
        choice = AcceleratorSettings(metric=metric, rule="flagships", since=str(SINCE), interval="bootstrap")
        series = chip_rows.series(chip_rows.candidates(load(release), choice, metric=METRICS[metric]))
        fit = growth(
            series, rule=Rule(kind="all"), window=Window(since=SINCE), interval="bootstrap", draws=DRAWS
        )
        growths[quantity] = DrawnRate(
            value=fit.trend.yearly_growth,
            low=fit.growth_low,
            high=fit.growth_high,
            n=fit.n,
            draws=10.0**fit.draw_slope,
        )
    return growths
