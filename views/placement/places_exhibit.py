"""The places side by side: what a month costs there, as dots with intervals and as a table with every number."""

import math
from collections.abc import Callable, Iterable

import numpy as np

from analysis.arrays import BoolArray, FloatArray
from analysis.placement.answers import Spans
from analysis.placement.shortfall import Lack, Shortfall
from charts.chart import Axis, Bar
from views.axes import log_axis
from views.exhibits import bars_exhibit
from views.placement.amounts import (
    KIND_WORDS,
    LACK_WORDS,
    LIMITS,
    ROLES,
    chance,
    lack_detail,
    limit_words,
    seconds,
    usd,
)
from views.placement.answer import PlacementAnswer
from views.placement.inputs import PlacementInputs
from views.result import Cell, Exhibit, Table
from views.table import Getter, along, column, table
from views.wording import sentence_case, small_initial

ABSENT = (Lack.RULE, Lack.MEMORY)
"""What leaves a place without any number."""


def places_exhibit(answer: PlacementAnswer, *, title: str, source: str) -> Exhibit:
    """Return the places by what a month costs there, and whether they meet the targets."""
    outcomes, month = answer.outcomes, answer.cost_a_month
    axis = cost_axis("Cost a month", month, shown=outcomes.fits, otherwise=[0.01, 1.0])

    def bar(i: int) -> Bar:
        cost, lack = float(month.median[i]), answer.lacks[i]
        shown = bool(outcomes.fits[i] and math.isfinite(cost) and cost > 0 and not outcomes.ruled_out[i])
        price = "price unknown" if math.isnan(cost) else "no cost" if cost == 0 else usd(cost)
        return Bar(
            label=sentence_case(answer.inputs.labels[i].text),
            value=cost if shown else axis.low,
            low=min(max(float(month.low[i]), axis.low), axis.high) if shown else None,
            high=min(max(float(month.high[i]), axis.low), axis.high) if shown else None,
            text=price if lack is None else _lack_brief(lack),
            role=ROLES[answer.question.places.kind[i]] if lack is None else "context",
            emphasised=i == answer.at and (lack is None or answer.fixed),
            detail=_details(answer, i),
            absent=not shown,
        )

    return cost_exhibit(
        (bar(int(i)) for i in outcomes.order),
        of="Cost a month",
        title=title,
        source=source,
        axis=axis,
        sure=answer.settings.sure,
        numbers=_table(answer),
    )


def cost_axis(title: str, spans: Spans, *, shown: BoolArray, otherwise: list[float]) -> Axis:
    """Return the axis of costs that spans the intervals of the places that are ``shown``."""
    drawn = np.concatenate([spans.low[shown], spans.median[shown], spans.high[shown]])
    ends = drawn[np.isfinite(drawn) & (drawn > 0)].tolist()
    return log_axis(title, ends or otherwise, word=usd)


def cost_exhibit(
    bars: Iterable[Bar], *, of: str, title: str, source: str, axis: Axis, sure: int, numbers: Table
) -> Exhibit:
    """Return a dot for each place at its cost, grey where it is less likely than ``sure`` percent to do the work."""
    return bars_exhibit(
        tuple(bars),
        title=title,
        subtitle=f"{of} by option with its 90 % interval; grey: less than {sure} % likely to meet every target.",
        source=source,
        axis=axis,
        base=axis.low,
        dots=True,
        numbers=numbers,
    )


def _lack_brief(lack: Shortfall) -> str:
    """Return what a place lacks in words that leave room for its dot."""
    match lack.lack:
        case Lack.FIRST_TOKEN:
            return "starts too late"
        case Lack.CHANCE:
            return f"{chance(lack.reached)} likely"
    return small_initial(LACK_WORDS[lack.lack])


def _details(answer: PlacementAnswer, i: int) -> tuple[str, ...]:
    outcomes, lack = answer.outcomes, answer.lacks[i]
    why = sentence_case(limit_words(outcomes.binding[i]))
    if lack is not None:
        why = f"{LACK_WORDS[lack.lack]}: {lack_detail(lack)}"
        if lack.lack in ABSENT:
            return (why,)
    return (
        f"First token after {seconds(float(outcomes.first_s.median[i]))}",
        answer.tokens_per_s(i),
        f"{chance(outcomes.probability[i])} likely to meet every target",
        why,
    )


def finite(values: FloatArray) -> Callable[[int], Cell]:
    """Return what reads the number of a place off an array, None where it is not finite."""
    return lambda i: float(values[i]) if math.isfinite(values[i]) else None


def spans_columns(name: str, spans: Spans, *, label: str, unit: str) -> tuple[Getter[int], ...]:
    """Return the columns of a median and its interval."""
    return (
        column(name, finite(spans.median), label=label, unit=unit),
        column(f"{name}_low", finite(spans.low), label=f"{label}, low", unit=unit),
        column(f"{name}_high", finite(spans.high), label=f"{label}, high", unit=unit),
    )


def name_columns(inputs: PlacementInputs) -> tuple[Getter[int], ...]:
    """Return the columns that say which place a row is about."""
    kinds = inputs.question.places.kind
    return (
        column("place", lambda i: sentence_case(inputs.labels[i].text), label="Option", kind="text"),
        column("word", lambda i: inputs.words[i], label="In a link", kind="text"),
        column("kind", lambda i: KIND_WORDS[kinds[i]], label="Kind", kind="text"),
    )


def verdict_columns(probability: FloatArray, binding: tuple[str, ...]) -> tuple[Getter[int], Getter[int]]:
    """Return the columns of the chance that a place meets everything, and of what binds there."""
    return (
        column("probability_meets_requirement", along(probability), label="Chance to meet all", unit="1"),
        column("binding", lambda i: binding[i], label="Limited by", kind="text", words=LIMITS),
    )


def _table(answer: PlacementAnswer) -> Table:
    """Return every number of every place."""
    outcomes, placed, load = answer.outcomes, answer.outcomes.placed, answer.outcomes.load
    speed, energy = outcomes.token_s.reciprocal.median, outcomes.energy_j.median

    columns: tuple[Getter[int], ...] = (
        *name_columns(answer.inputs),
        column("fits", lambda i: "yes" if outcomes.fits[i] else "no", label="Fits", kind="text"),
        *spans_columns("time_to_first_token_s", outcomes.first_s, label="First token", unit="s"),
        *spans_columns("time_per_output_token_s", outcomes.token_s, label="Time per token", unit="s"),
        column("output_tokens_per_s", along(speed), label="Speed of an answer", unit="tokens/s"),
        *spans_columns("cost_usd_per_1000_requests", outcomes.cost_usd, label="Cost of 1,000", unit="USD"),
        column("energy_j_per_request", along(energy), label="Energy per request", unit="J"),
        *verdict_columns(outcomes.probability, outcomes.binding),
        column("memory_needed_gbyte", along(placed.need_byte[0] / 1e9), label="Memory needed", unit="GB"),
        column("memory_usable_gbyte", along(placed.usable_byte[0] / 1e9), label="Memory usable", unit="GB"),
        column("chips", along(placed.chips[0]), label="Chips per copy"),
        column("machines", along(placed.machines[0]), label="Machines"),
        column("batch", along(placed.batch[0]), label="Requests at once"),
        column("load", along(load), label="Load in the busiest hour", unit="1"),
    )
    return table(columns, [int(at) for at in outcomes.order])
