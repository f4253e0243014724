"""What can be changed about a placement: each lever with its two ends, all else as chosen."""

from dataclasses import dataclass, replace

import numpy as np

from analysis.placement.question import Question
from views import wording
from views.placement.inputs import work
from views.placement.settings import PlacementSettings


@dataclass(frozen=True, kw_only=True)
class Lever:
    """One thing that changes, with its two ends in words and the question at each."""

    label: str
    ends: tuple[str, str]
    low: Question
    high: Question


def levers_of(settings: PlacementSettings, question: Question) -> list[Lever]:
    """Return what can be changed, each to half and twice, or to its two ends."""

    def by(label: str, words: tuple[str, str], **change: tuple[float, float]) -> Lever:
        low, high = (
            replace(
                question,
                conditions=replace(question.conditions, **{k: v[side] for k, v in change.items()}),
            )
            for side in (0, 1)
        )
        return Lever(label=label, ends=words, low=low, high=high)

    def tokens(label: str, name: str) -> Lever:
        now = settings.number(name)
        sizes = (max(round(now / 2), 1), max(round(now * 2), 1))
        low, high = (replace(question, work=work(replace(settings, **{name: size}))[1]) for size in sizes)
        less, more = (wording.counted(size, "token") for size in sizes)
        return Lever(label=label, ends=(less, more), low=low, high=high)

    now, conditions = question.work.requests_per_day, question.conditions
    fewer, more = (
        replace(question, work=replace(question.work, requests_per_day=now * times)) for times in (0.5, 2.0)
    )
    rent, watt = float(conditions.price_times), float(conditions.usd_per_kwh)
    levers = [
        Lever(
            label="Requests a day",
            ends=(f"{float(now) / 2:,.0f}", f"{float(now) * 2:,.0f}"),
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
    if np.any(question.phones & question.allowed):
        levers.append(
            Lever(
                label="Phones under load",
                ends=("slowed down", "first speed"),
                low=replace(question, sustained_rule=True),
                high=replace(question, sustained_rule=False),
            )
        )
    return levers
