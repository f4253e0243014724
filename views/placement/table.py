"""The places side by side: the table with every number, and amounts in words."""

import math
from collections.abc import Callable

from analysis.arrays import FloatArray
from analysis.placement.answers import LEVEL, Answers, Spans
from charts.chart import Role
from views import wording
from views.placement.inputs import PlacementInputs
from views.result import Cell, Table
from views.table import Getter, column, table

ROLES: dict[str, Role] = {"personal": "edge", "owned": "links", "rented": "compute"}
KIND_WORDS = {"personal": "personal device", "owned": "on-premises machine", "rented": "rented"}
BINDING_WORDS = {
    "capacity": "memory too small",
    "bandwidth": "limited by memory bandwidth",
    "compute": "limited by compute",
    "overhead": "limited by fixed overhead",
    "links": "limited by chip links",
    "network": "limited by the network",
    "load": "limited by the load",
    "price": "limited by the price",
    "rule": "ruled out",
}
LIMITS = {word: said.removeprefix("limited by ").removeprefix("the ") for word, said in BINDING_WORDS.items()}
"""The same under the heading "Limited by"."""


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


def room(answers: Answers, i: int) -> str:
    """Return how much memory a copy needs, and how much there is."""
    need, there = (float(values[0, i]) for values in (answers.placed.need_byte, answers.placed.usable_byte))
    return f"needs {gigabytes(need)}, has {gigabytes(there)}"


def chance(probability: float) -> str:
    """Return a probability in words that does not claim certainty from a thousand draws."""
    if probability >= 0.995:
        return "over 99 %"
    percent = f"{100 * probability:.0f} %"
    return "under 1 %" if percent == "0 %" else percent


def _finite(values: FloatArray) -> Callable[[int], Cell]:
    return lambda i: float(values[i]) if math.isfinite(values[i]) else None


def _three(name: str, spans: Spans, *, label: str, unit: str) -> tuple[Getter[int], ...]:
    """Return the columns of a median and its interval."""
    return (
        column(name, _finite(spans.median), label=label, unit=unit),
        column(f"{name}_low", _finite(spans.low), label=f"{label}, low", unit=unit),
        column(f"{name}_high", _finite(spans.high), label=f"{label}, high", unit=unit),
    )


def places_table(inputs: PlacementInputs, answers: Answers) -> Table:
    """Return every number of every place."""
    placed, kinds, load = answers.placed, inputs.question.places.kind, answers.load

    def first_cell(values: FloatArray) -> Callable[[int], Cell]:
        return lambda i: float(values[0, i])

    def gbyte(values: FloatArray) -> Callable[[int], Cell]:
        return lambda i: float(values[0, i]) / 1e9

    columns: tuple[Getter[int], ...] = (
        column("place", lambda i: wording.sentence_case(inputs.names[i]), label="Option", kind="text"),
        column("word", lambda i: inputs.words[i], label="In a link", kind="text"),
        column("kind", lambda i: KIND_WORDS[kinds[i]], label="Kind", kind="text"),
        column("fits", lambda i: "yes" if answers.fits[i] else "no", label="Fits", kind="text"),
        *_three("time_to_first_token_s", answers.first_s, label="First token", unit="s"),
        *_three("time_per_output_token_s", answers.token_s, label="Time per token", unit="s"),
        column(
            "output_tokens_per_s",
            lambda i: 1 / float(answers.token_s.median[i]),
            label="Speed of an answer",
            unit="tokens/s",
        ),
        *_three("cost_usd_per_1000_requests", answers.cost_usd, label="Cost of 1,000", unit="USD"),
        column(
            "energy_j_per_request",
            lambda i: float(answers.energy_j.median[i]),
            label="Energy per request",
            unit="J",
        ),
        column(
            "probability_meets_requirement",
            lambda i: float(answers.probability[i]),
            label="Chance to meet all",
            unit="1",
        ),
        column("binding", lambda i: answers.binding[i], label="Limited by", kind="text", words=LIMITS),
        column("memory_needed_gbyte", gbyte(placed.need_byte), label="Memory needed", unit="GB"),
        column("memory_usable_gbyte", gbyte(placed.usable_byte), label="Memory usable", unit="GB"),
        column("chips", first_cell(placed.chips), label="Chips per copy"),
        column("machines", first_cell(placed.machines), label="Machines"),
        column("batch", first_cell(placed.batch), label="Requests at once"),
        column("load", lambda i: float(load[i]), label="Load in the busiest hour", unit="1"),
    )
    return table(columns, [int(at) for at in answers.order])


LEVEL_WORDS = f"{100 * LEVEL:.0f} %"
