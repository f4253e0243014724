"""The key figures: what doubling either number goes with, how far each is off, and the pair with most works."""

import math
from dataclasses import replace

from analysis.in_practice.exponents import Estimate, Exponents
from analysis.in_practice.pairs import PairSummary
from views import wording
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
    made = [_pair(first, key=not told)]
    for name, label, power in (
        ("twice_bandwidth", "Double the bandwidth", found.bandwidth),
        ("twice_flop", "Double the FLOP/s", found.flop),
    ):
        if power is not None:
            made.append(_doubled(name, label, power=power, found=found, settings=settings, key=told))
    for name, label, off in (
        ("bandwidth_off", "Bandwidth ratio off by", found.bandwidth_off),
        ("flop_off", "FLOP/s ratio off by", found.flop_off),
    ):
        made.append(_off(name, label, off=off, found=found, settings=settings, key=not told))
    made.append(
        _off(
            "off_ratio",
            "Error by FLOP/s over error by bandwidth",
            off=found.off_ratio,
            found=found,
            settings=settings,
            key=told,
        )
    )
    made += [
        _ratio("bandwidth_ratio", f"Bandwidth, {words.pair_name(first)}", value=first.bandwidth_ratio),
        _ratio("flop_ratio", f"FLOP/s, {words.pair_name(first)}", value=first.flop_ratio),
    ]
    return tuple(made)


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


def _doubled(
    name: str, label: str, *, power: Estimate, found: Exponents, settings: InPracticeSettings, key: bool
) -> Figure:
    low, value, high = (words.doubled(end) for end in (power.low, power.value, power.high))
    return _estimate(name, label, ends=(low, value, high), unit="1", found=found, settings=settings, key=key)


def _off(
    name: str, label: str, *, off: Estimate, found: Exponents, settings: InPracticeSettings, key: bool
) -> Figure:
    ends = (off.low, off.value, off.high)
    made = _estimate(name, label, ends=ends, unit="1", found=found, settings=settings, key=key)
    return replace(made, method=OFF_METHOD)


def _estimate(
    name: str,
    label: str,
    *,
    ends: tuple[float, float, float],
    unit: str,
    found: Exponents,
    settings: InPracticeSettings,
    key: bool,
) -> Figure:
    low, value, high = ends
    level = int(settings.level) / 100
    sure = math.isfinite(low) and math.isfinite(high)
    return Figure(
        name=name,
        label=label,
        value=value,
        unit=unit,
        text=wording.times(value),
        low=low if sure else None,
        high=high if sure else None,
        level=level if sure else None,
        interval_text=wording.at_level(level, low=wording.times(low), high=wording.times(high))
        if sure
        else f"{found.n_chips} chips: no interval",
        method=METHOD,
        n=found.n_pairs,
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
