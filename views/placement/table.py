"""The places side by side: chart of costs and chances, and the table with every number."""

import math

import numpy as np

from charts.chart import Bar, BarChart, Role
from views import wording
from views.axes import log_axis
from views.placement.answers import LEVEL, Answers, Spans
from views.placement.inputs import Inputs
from views.result import Column, Exhibit, Table

ROLES: dict[str, Role] = {"personal": "edge", "owned": "links", "rented": "compute"}
KIND_WORDS = {"personal": "a person's own", "owned": "in the house", "rented": "rented"}
BINDING_WORDS = {
    "capacity": "memory too small",
    "bandwidth": "bandwidth binds",
    "compute": "compute binds",
    "overhead": "fixed overheads bind",
    "links": "chip links bind",
    "network": "the network binds",
    "load": "the load binds",
    "price": "the price binds",
    "rule": "ruled out",
}


def usd(value: float) -> str:
    """Return an amount of money in words. [USD]"""
    if not math.isfinite(value):
        return "unknown"
    if value >= 1000:
        return f"${wording.significant(value)}"
    if value >= 10:
        return f"${value:.0f}"
    return f"${value:.2f}" if value >= 0.095 else f"${wording.significant(value)}"


def seconds(value: float) -> str:
    """Return a time in words. [s]"""
    if not math.isfinite(value):
        return "no end"
    if value < 1:
        return f"{wording.significant(value * 1e3)} ms"
    return f"{wording.significant(value)} s" if value < 600 else f"{wording.significant(value / 60)} min"


def gigabytes(size_byte: float) -> str:
    """Return an amount of memory in words. [byte]"""
    return f"{wording.significant(size_byte / 1e9, 3 if size_byte >= 100e9 else 2)} GB"


def order(answers: Answers) -> list[int]:
    """Return the places as a reader wants them: those that meet what is asked by cost, then the rest by chance.

    Of the rest, those whose memory is too small and those that are ruled out come last.
    """
    cost = np.nan_to_num(answers.cost_usd.median, nan=np.inf)
    ruled = np.array([word == "rule" for word in answers.binding])
    rank = -np.where(answers.meets, 1.0, answers.probability)
    return [int(i) for i in np.lexsort((cost, ~answers.fits, ruled, rank))]


def places_exhibit(found: Inputs, answers: Answers, *, title: str, sure: int, source: str) -> Exhibit:
    """Return the places by what 1,000 requests cost there, and whether they meet what is asked."""
    costs = answers.cost_usd.median
    known = [float(value) for value in costs if math.isfinite(value) and value > 0]
    axis = log_axis("Cost of 1,000 requests", known or [0.01, 1.0], usd)
    bars = []
    for i in order(answers):
        cost, meets = float(costs[i]), bool(answers.meets[i])
        shown = answers.fits[i] and math.isfinite(cost) and cost > 0 and answers.binding[i] != "rule"
        bars.append(
            Bar(
                label=wording.sentence_case(found.places.name[i]),
                value=max(cost, axis.low) if shown else axis.low,
                text=_bar_words(answers, i, cost=cost, meets=meets, shown=bool(shown)),
                role=ROLES[found.places.kind[i]] if meets else "context",
                emphasised=i == answers.cheapest,
                detail=_bar_details(answers, i),
            )
        )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=f"Median cost of 1,000 requests by place, log scale; grey where the chance to meet all that is "
            f"asked is below {sure} %. At the end: cost and that chance.",
            alt=f"{title}.",
            source=source,
            x=axis,
            base=axis.low,
            bars=tuple(bars),
        ),
        table=places_table(found, answers),
    )


def _bar_words(answers: Answers, i: int, *, cost: float, meets: bool, shown: bool) -> str:
    if answers.binding[i] == "rule":
        return BINDING_WORDS["rule"]
    if not answers.fits[i]:
        return room(answers, i)
    price = usd(cost) if shown else "price unknown" if math.isnan(cost) else "no cost"
    return (
        f"{price}, {chance(answers.probability[i])}"
        if meets
        else f"{price}, {BINDING_WORDS[answers.binding[i]]}"
    )


def room(answers: Answers, i: int) -> str:
    """Return how much memory a copy needs, and how much there is."""
    need, there = (float(values[0, i]) for values in (answers.setup.need_byte, answers.setup.usable_byte))
    return f"needs {gigabytes(need)}, has {gigabytes(there)}"


def _bar_details(answers: Answers, i: int) -> tuple[str, ...]:
    if answers.binding[i] == "rule":
        return (wording.sentence_case(BINDING_WORDS["rule"]),)
    if not answers.fits[i]:
        return (wording.sentence_case(BINDING_WORDS["capacity"]), room(answers, i))
    return (
        f"first token after {seconds(float(answers.first_s.median[i]))}",
        f"{wording.significant(1 / float(answers.token_s.median[i]))} tokens a second",
        f"{chance(answers.probability[i])} sure to meet all",
        wording.sentence_case(BINDING_WORDS[answers.binding[i]]),
    )


def chance(probability: float) -> str:
    """Return a probability in words that does not claim certainty from a thousand draws."""
    if probability >= 0.995:
        return "over 99 %"
    return "under 1 %" if probability < 0.005 else f"{100 * probability:.0f} %"


def places_table(found: Inputs, answers: Answers) -> Table:
    """Return every number of every place."""

    def three(name: str, label: str, unit: str) -> tuple[Column, ...]:
        return (
            Column(name=name, label=label, unit=unit),
            Column(name=f"{name}_low", label=f"{label}, low", unit=unit),
            Column(name=f"{name}_high", label=f"{label}, high", unit=unit),
        )

    def numbers(spans: Spans, i: int) -> tuple[float | None, ...]:
        values = (float(spans.median[i]), float(spans.low[i]), float(spans.high[i]))
        return tuple(value if math.isfinite(value) else None for value in values)

    setup = answers.setup
    return Table(
        columns=(
            Column(name="place", label="Place", kind="text"),
            Column(name="word", label="In a link", kind="text"),
            Column(name="kind", label="Kind", kind="text"),
            Column(name="fits", label="Fits", kind="text"),
            *three("time_to_first_token_s", "First token", "s"),
            *three("time_per_output_token_s", "Time per token", "s"),
            Column(name="output_tokens_per_s", label="Speed of an answer", unit="tokens/s"),
            *three("cost_usd_per_1000_requests", "Cost of 1,000", "USD"),
            Column(name="energy_j_per_request", label="Energy per request", unit="J"),
            Column(name="probability_meets_requirement", label="Chance to meet all", unit="1"),
            Column(name="binding", label="What binds", kind="text"),
            Column(name="memory_needed_gbyte", label="Memory needed", unit="GB"),
            Column(name="memory_usable_gbyte", label="Memory usable", unit="GB"),
            Column(name="chips", label="Chips per copy"),
            Column(name="machines", label="Machines"),
            Column(name="batch", label="Requests at once"),
            Column(name="load", label="Load in the busiest hour", unit="1"),
        ),
        rows=tuple(
            (
                wording.sentence_case(found.places.name[i]),
                found.words[i],
                KIND_WORDS[found.places.kind[i]],
                "yes" if answers.fits[i] else "no",
                *numbers(answers.first_s, i),
                *numbers(answers.token_s, i),
                1 / float(answers.token_s.median[i]),
                *numbers(answers.cost_usd, i),
                float(answers.energy_j.median[i]),
                float(answers.probability[i]),
                answers.binding[i],
                float(setup.need_byte[0, i]) / 1e9,
                float(setup.usable_byte[0, i]) / 1e9,
                float(setup.chips[0, i]),
                float(setup.machines[0, i]),
                float(setup.batch[0, i]),
                float(np.median(np.broadcast_to(answers.drawn.load, answers.drawn.met.shape)[0, i])),
            )
            for i in order(answers)
        ),
    )


LEVEL_WORDS = f"{100 * LEVEL:.0f} %"
