"""Fine-tuning at every place: what it costs there, as dots and as a table with every number."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray
from analysis.placement.tuning import Tuned
from charts.chart import Bar, BarChart
from views import wording
from views.axes import log_axis
from views.placement.inputs import PlacementInputs
from views.placement.places import SERVER_ROOM
from views.placement.table import BINDING_WORDS, KIND_WORDS, LIMITS, ROLES, usd
from views.result import Cell, Exhibit, Table
from views.table import Getter, column, table


@dataclass(frozen=True, kw_only=True)
class TunedPlaces:
    """A fine-tuning at every place, with the places' words; ``best`` is the cheapest that meets what is asked."""

    inputs: PlacementInputs
    tuned: Tuned
    best: int | None

    def several(self, i: int) -> bool:
        """Return whether a reader has to be told how many chips do the work at a place."""
        return bool(1 < self.tuned.chips[i] < np.inf) and self.inputs.words[i] != SERVER_ROOM


def tuning_exhibit(tunings: TunedPlaces, *, title: str, source: str, sure: int) -> Exhibit:
    """Return what the whole fine-tuning costs by place."""
    inputs, tuned = tunings.inputs, tunings.tuned
    cost = tuned.cost.median
    known = [
        float(value)
        for i, ends in enumerate(zip(tuned.cost.low, cost, tuned.cost.high, strict=True))
        for value in ends
        if tuned.binding[i] not in ("rule", "capacity") and np.isfinite(value) and value > 0
    ]
    axis = log_axis("Cost of the fine-tuning", known or [1.0, 10.0], word=usd)
    bars = []
    for i in map(int, tuned.order):
        held = tuned.binding[i] not in ("rule", "capacity")
        priced = held and np.isfinite(cost[i]) and cost[i] > 0
        bars.append(
            Bar(
                label=wording.sentence_case(inputs.names[i]),
                value=float(cost[i]) if priced else axis.low,
                low=float(tuned.cost.low[i]) if priced and tuned.cost.low[i] > 0 else None,
                high=float(tuned.cost.high[i]) if priced else None,
                text=_spent(tunings, i) if held else BINDING_WORDS[tuned.binding[i]],
                role=ROLES[inputs.question.places.kind[i]] if tuned.meets[i] else "context",
                emphasised=i == tunings.best,
                absent=not priced,
            )
        )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle="Cost of the whole fine-tuning by option with its 90 % interval; grey: less than "
            f"{sure} % likely to meet every target.",
            alt=f"{title}.",
            source=source,
            x=axis,
            base=axis.low,
            bars=tuple(bars),
            dots=True,
        ),
        table=_table(inputs, tuned),
    )


def _spent(tunings: TunedPlaces, i: int) -> str:
    """Return the cost and the time at a place, with its chips where they are several."""
    tuned = tunings.tuned
    cost = tuned.cost.median[i]
    money = usd(float(cost)) if np.isfinite(cost) else "price unknown"
    count = f"{tuned.chips[i]:g} × " if tunings.several(i) else ""
    return f"{money}, {count}{hours(float(tuned.time.median[i]))}"


def _table(inputs: PlacementInputs, tuned: Tuned) -> Table:
    def number(values: FloatArray) -> Callable[[int], Cell]:
        return lambda i: float(values[i]) if np.isfinite(values[i]) else None

    energy = np.median(tuned.energy_j, axis=1) / 3.6e6
    columns: tuple[Getter[int], ...] = (
        column("place", lambda i: wording.sentence_case(inputs.names[i]), label="Option", kind="text"),
        column("word", lambda i: inputs.words[i], label="In a link", kind="text"),
        column("kind", lambda i: KIND_WORDS[inputs.question.places.kind[i]], label="Kind", kind="text"),
        column("chips", number(tuned.chips), label="Chips"),
        column("hours", number(tuned.time.median), label="Time", unit="h"),
        column("hours_low", number(tuned.time.low), label="Time, low", unit="h"),
        column("hours_high", number(tuned.time.high), label="Time, high", unit="h"),
        column("cost_usd", number(tuned.cost.median), label="Cost", unit="USD"),
        column("cost_usd_low", number(tuned.cost.low), label="Cost, low", unit="USD"),
        column("cost_usd_high", number(tuned.cost.high), label="Cost, high", unit="USD"),
        column("energy_kwh", number(energy), label="Energy", unit="kWh"),
        column(
            "probability_meets_requirement",
            lambda i: float(tuned.probability[i]),
            label="Chance to meet all",
            unit="1",
        ),
        column("binding", lambda i: tuned.binding[i], label="Limited by", kind="text", words=LIMITS),
    )
    return table(columns, [int(at) for at in tuned.order])


def hours(value: float) -> str:
    """Return a time in words. [h]"""
    if value < 1 / 60:
        return f"{wording.significant(3600 * value)} s"
    if value < 1:
        return f"{wording.significant(60 * value)} min"
    return f"{wording.significant(value)} h" if value < 72 else f"{wording.significant(value / 24)} days"
