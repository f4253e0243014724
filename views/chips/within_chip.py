"""Growth of compute relative to memory bandwidth within one chip, defined once for all pages."""

from typing import Any

from data.releases import Release
from views import wording
from views.chips import rows
from views.chips.choice import AcceleratorSettings
from views.chips.metrics import METRICS, Metric
from views.kept import kept

SINCE = 2017
"""First year of data-centre chips with matrix units. Earlier chips would add their arrival to growth."""
CHIPS: dict[str, Any] = {"rule": "all", "kind": "data-centre"}
"""Settings of /accelerators that select every data-centre product."""
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
    """Return a sentence on the rate and its interval at a level such as "90". Empty without a rate."""
    chips = AcceleratorSettings(**CHIPS, since=str(SINCE), level=level)
    try:
        growth = rows.fitted(rows.candidates(release, chips, metric=RATIO), chips)
    except ValueError:
        return ()
    rate, low, high = map(wording.times, (growth.trend.yearly_growth, growth.growth_low, growth.growth_high))
    level = f"{wording.percent(growth.level)} interval {wording.interval(low, high)}"
    change = f"grows {rate} a year ({level}), over {growth.n} data-centre chips."
    if growth.growth_low <= 1:
        change = f"does not clearly grow ({rate} a year, {level}), over {growth.n} data-centre chips."
    return (f"Within one chip, 16-bit compute relative to memory bandwidth {change}",)
