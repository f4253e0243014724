"""What can be changed about a placement: each lever with its two ends, all else as chosen."""

from dataclasses import dataclass, replace

import numpy as np

from analysis.placement.setup import allowed
from analysis.placement.work import Work
from views.placement.inputs import Inputs, at_each_place, work
from views.placement.settings import PlacementSettings


@dataclass(frozen=True, kw_only=True)
class Lever:
    """One thing that changes, with its two ends in words and what the answer is computed from at each."""

    label: str
    ends: tuple[str, str]
    low: Inputs
    high: Inputs


def levers_of(settings: PlacementSettings, found: Inputs) -> list[Lever]:
    """Return what can be changed, each to half and twice, or to its two ends."""

    def by(label: str, words: tuple[str, str], **change: tuple[float, float]) -> Lever:
        low, high = (
            replace(found, conditions=replace(found.conditions, **{k: v[side] for k, v in change.items()}))
            for side in (0, 1)
        )
        return Lever(label=label, ends=words, low=low, high=high)

    def tokens(label: str, name: str) -> Lever:
        now = settings.number(name)
        sizes = (max(round(now / 2), 1), max(round(now * 2), 1))
        sides = [replace(found, work=_resized(settings, found, name, size)) for size in sizes]
        return Lever(
            label=label, ends=(f"{sizes[0]:,} tokens", f"{sizes[1]:,} tokens"), low=sides[0], high=sides[1]
        )

    now, given = found.work.requests_per_day, found.conditions
    fewer, more = (replace(found, work=replace(found.work, requests_per_day=now * f)) for f in (0.5, 2.0))
    rent, watt = float(given.price_times), float(given.usd_per_kwh)
    levers = [
        Lever(
            label="Requests a day",
            ends=_counts(float(now) / 2, float(now) * 2),
            low=fewer,
            high=more,
        ),
        tokens("Length of a prompt", "prompt"),
        tokens("Length of an answer", "output"),
        by(
            "Rent",
            (f"{50 * rent:.3g} % of listed", f"{150 * rent:.3g} % of listed"),
            price_times=(0.5 * rent, 1.5 * rent),
        ),
        by("Utilization", ("30 %", "90 %"), utilization=(0.3, 0.9)),
        by("Years kept", ("2 years", "6 years"), years=(2.0, 6.0)),
        by("Price charged", ("0 %", "100 %"), share=(0.0, 1.0)),
        by(
            "Electricity",
            (f"${watt / 2:.3g}/kWh", f"${watt * 2:.3g}/kWh"),
            usd_per_kwh=(watt / 2, watt * 2),
        ),
        by("Bandwidth of all chips", ("−20 %", "+20 %"), bandwidth_times=(0.8, 1.2)),
        by("Network round trip", ("half", "double"), round_trip_times=(0.5, 2.0)),
    ]
    phones = [name == "phone" for name in found.places.device_class]
    if np.any(np.array(phones) & allowed(found.places, found.requirements)):
        levers.append(
            Lever(
                label="Phones under load",
                ends=("slowed down", "first speed"),
                low=replace(found, sustained_rule=True),
                high=replace(found, sustained_rule=False),
            )
        )
    return levers


def _resized(settings: PlacementSettings, found: Inputs, name: str, size: int) -> Work:
    """Return the work with other tokens: the cache that is kept and read follows them."""
    changed = work(replace(settings, **{name: size}))[1]
    return at_each_place(changed, found.places, settings.usual("format"))


def _counts(low: float, high: float) -> tuple[str, str]:
    return f"{low:,.0f}", f"{high:,.0f}"
