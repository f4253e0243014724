"""How fast compute outgrows memory bandwidth within one chip: one definition and one sentence for every page."""

from typing import Any

from data.releases import Release
from views import wording
from views.chips import rows
from views.chips.choice import AcceleratorSettings
from views.chips.metrics import METRICS, Metric
from views.kept import kept

SINCE = 2017
"""Matrix units came to data-centre chips in this year; an earlier start would count that step as a trend."""
CHIPS: dict[str, Any] = {"rule": "all", "kind": "data-centre"}
"""Which chips count, as /accelerators is asked for them: every data-centre product."""
PRECISION = "fp16-matrix"
RATIO = Metric(
    of=lambda chips: METRICS[PRECISION].of(chips) / chips["memory_bandwidth_byte_per_s"],
    unit="FLOP/byte",
    noun="FLOP per byte",
    meaning="peak dense 16-bit throughput divided by memory bandwidth",
    role="compute",
    column="machine_balance",
)


@kept
def sentences(release: Release, *, level: str) -> tuple[str, ...]:
    """Return the rate with its interval at a level such as "90", as a sentence; none where too few chips are known."""
    chips = AcceleratorSettings(**CHIPS, since=str(SINCE), level=level)
    try:
        growth = rows.fitted(rows.candidates(release, chips, metric=RATIO), chips)
    except ValueError:
        return ()
    rate, low, high = map(wording.times, (growth.trend.yearly_growth, growth.growth_low, growth.growth_high))
    change = "outgrows" if growth.growth_low > 1 else "does not clearly outgrow"
    return (
        f"Within one chip, 16-bit compute {change} memory bandwidth {rate} a year ({wording.percent(growth.level)} "
        f"interval {wording.interval(low, high)}), over {growth.n} data-centre chips.",
    )
