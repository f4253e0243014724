"""The key figures: what doubling either number goes with, how far each is off, and the pair with most works."""

import math
from collections.abc import Callable

from analysis.in_practice.exponents import Exponents
from analysis.in_practice.pairs import PairSummary
from analysis.intervals import Estimate
from views import wording
from views.exhibits import estimate_figure
from views.in_practice import words
from views.in_practice.settings import InPracticeSettings
from views.result import Figure

METHOD = "least squares on logarithms over pairs of chips, a factor for each maker; jackknife over chips"
OFF_METHOD = (
    "how far measured speed-ups lie from the ratio on the data sheet, as a factor, on average over pairs of chips; "
    "jackknife over chips"
)


def figures(found: Exponents, settings: InPracticeSettings, *, first: PairSummary) -> tuple[Figure, ...]:
    """Return the numbers of the finding, the three a reader needs first as key figures."""
    told = words.sure_enough(found)
    level = int(settings.level) / 100

    def estimate(
        name: str, label: str, *, of: Estimate, key: bool, method: str, read: Callable[[float], float] = float
    ) -> Figure:
        """Return an estimate as a factor, without an interval where so few chips give none."""
        value, ends = read(of.value), (read(of.low), read(of.high))
        if all(map(math.isfinite, ends)):
            return estimate_figure(
                name,
                label=label,
                value=value,
                interval=ends,
                unit="1",
                level=level,
                word=wording.times,
                method=method,
                n=found.n_pairs,
                key=key,
            )
        return Figure(
            name=name,
            label=label,
            value=value,
            unit="1",
            text=wording.times(value),
            interval_text=f"{found.n_chips} chips: no interval",
            method=method,
            n=found.n_pairs,
            key=key,
        )

    return (
        _pair(first, key=not told),
        *(
            estimate(name, label, of=power, key=told, method=METHOD, read=words.doubled)
            for name, label, power in (
                ("twice_bandwidth", "Double the bandwidth", found.bandwidth),
                ("twice_flop", "Double the FLOP/s", found.flop),
            )
            if power is not None
        ),
        *(
            estimate(name, label, of=off, key=key, method=OFF_METHOD)
            for name, label, off, key in (
                ("bandwidth_off", "Bandwidth ratio off by", found.bandwidth_off, not told),
                ("flop_off", "FLOP/s ratio off by", found.flop_off, not told),
                ("off_ratio", "Error by FLOP/s over error by bandwidth", found.off_ratio, told),
            )
        ),
        _ratio("bandwidth_ratio", f"Bandwidth, {words.pair_name(first)}", value=first.bandwidth_ratio),
        _ratio("flop_ratio", f"FLOP/s, {words.pair_name(first)}", value=first.flop_ratio),
    )


def _pair(pair: PairSummary, *, key: bool) -> Figure:
    return Figure(
        name="speed_up",
        label=words.pair_name(pair),
        value=pair.speed_up,
        unit="1",
        text=wording.times(pair.speed_up),
        interval_text=words.middle_half(pair),
        method="median over workloads, with quartiles",
        n=pair.n,
        key=key,
    )


def _ratio(name: str, label: str, *, value: float) -> Figure:
    return Figure(
        name=name,
        label=label,
        value=value,
        unit="1",
        text=wording.times(value),
        method="data sheets",
        key=False,
    )
