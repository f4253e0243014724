"""What doubling bandwidth or FLOP/s goes with, by kind of work, and which chips that rests on."""

import math
from collections.abc import Sequence

from analysis.in_practice.exponents import Exponents
from analysis.intervals import Estimate
from charts.chart import Bar, Role
from views import wording
from views.exhibits import ValueAxis, bars_exhibit
from views.in_practice import words
from views.in_practice.charts import factor
from views.in_practice.settings import WORKS, InPracticeSettings
from views.result import Exhibit
from views.table import Getter, column, table


def _doubled(power: Estimate | None) -> float | None:
    """Return how much faster work gets when this number is doubled, None where that is not known."""
    return None if power is None else words.doubled(power.value)


WORK_COLUMNS: tuple[Getter[tuple[str, Exponents]], ...] = (
    column("work", lambda one: WORKS[one[0]][0], label="Work", kind="text"),
    column("twice_bandwidth", lambda one: _doubled(one[1].bandwidth), label="Double the bandwidth", unit="x"),
    column("twice_flop", lambda one: _doubled(one[1].flop), label="Double the FLOP/s", unit="x"),
    column("pairs", lambda one: one[1].n_pairs, label="Pairs"),
    column("works", lambda one: one[1].n_works, label="Workloads"),
    column("chips", lambda one: one[1].n_chips, label="Chips"),
    column(
        "bandwidth", lambda one: one[1].bandwidth and one[1].bandwidth.value, label="Exponent of bandwidth"
    ),
    column("bandwidth_low", lambda one: one[1].bandwidth and one[1].bandwidth.low, label="from"),
    column("bandwidth_high", lambda one: one[1].bandwidth and one[1].bandwidth.high, label="to"),
    column("flop", lambda one: one[1].flop and one[1].flop.value, label="Exponent of FLOP/s"),
    column("flop_low", lambda one: one[1].flop and one[1].flop.low, label="from"),
    column("flop_high", lambda one: one[1].flop and one[1].flop.high, label="to"),
    column("bandwidth_off", lambda one: one[1].bandwidth_off.value, label="Bandwidth ratio off by", unit="x"),
    column("flop_off", lambda one: one[1].flop_off.value, label="FLOP/s ratio off by", unit="x"),
    column("correlation", lambda one: one[1].correlation, label="Correlation of the two"),
)


AXIS = "Speed when one is doubled and the other stays [×]"
AS_CHOSEN = "As chosen"
POWERS: tuple[tuple[str, Role], ...] = (("bandwidth", "memory"), ("FLOP/s", "compute"))
"""The two numbers of a data sheet with their roles."""


def _bar(label: str, power: Estimate, *, role: Role, emphasised: bool) -> Bar:
    """Return what doubling goes with as a bar with its interval."""
    low, value, high = (words.doubled(end) for end in (power.low, power.value, power.high))
    return Bar(
        label=label,
        value=value,
        low=low,
        high=high,
        text=wording.times(value),
        role=role,
        emphasised=emphasised,
    )


def works_exhibit(
    found: Sequence[tuple[str, Exponents]],
    settings: InPracticeSettings,
    *,
    title: str,
    subtitle: str,
    source: str,
) -> Exhibit | None:
    """Return what doubling either number goes with, for each kind of work whose pairs tell it; None where none do."""
    bars = tuple(
        _bar(f"{WORKS[work][0]}: {name}", power, role=role, emphasised=work == settings.work)
        for work, one in found
        if words.sure_enough(one) and one.bandwidth is not None and one.flop is not None
        for (name, role), power in zip(POWERS, (one.bandwidth, one.flop), strict=True)
    )
    if not bars:
        return None
    return bars_exhibit(
        bars,
        title=title,
        subtitle=subtitle,
        source=source,
        axis=ValueAxis(title=AXIS, word=factor, span=(1.0, 2.0)),
        numbers=table(WORK_COLUMNS, found),
        base=1.0,
        dots=True,
    )


Case = tuple[str, float, float]
CASE_COLUMNS: tuple[Getter[Case], ...] = (
    column("case", lambda one: one[0], label="Pairs", kind="text"),
    column("twice_bandwidth", lambda one: words.doubled(one[1]), label="Double the bandwidth", unit="x"),
    column("twice_flop", lambda one: words.doubled(one[2]), label="Double the FLOP/s", unit="x"),
    column("bandwidth", lambda one: one[1], label="Exponent of bandwidth"),
    column("flop", lambda one: one[2], label="Exponent of FLOP/s"),
)
MOST_LEFT_OUT = 2


def without_exhibit(
    found: Exponents, others: Sequence[tuple[str, Exponents]], *, source: str
) -> Exhibit | None:
    """Return both powers where pairs are chosen otherwise, and without each chip; None where there are no powers.

    The chips left out that are drawn are those that move the powers most.
    """
    if not words.sure_enough(found) or found.bandwidth is None or found.flop is None:
        return None
    whole = (found.bandwidth.value, found.flop.value)
    otherwise: list[Case] = [
        (wording.sentence_case(label), one.bandwidth.value, one.flop.value)
        for label, one in others
        if one.bandwidth and one.flop
    ]
    left_out: list[Case] = [
        (f"Without {chip}", *both)
        for chip, both in sorted(found.without.items(), key=lambda item: -math.dist(item[1], whole))
    ]
    drawn = [(AS_CHOSEN, *whole), *otherwise, *left_out[:MOST_LEFT_OUT]]
    spans = [
        wording.interval(wording.times(words.doubled(min(ends))), wording.times(words.doubled(max(ends))))
        for ends in ([case[1] for case in drawn], [case[2] for case in drawn])
    ]
    title = f"However pairs are chosen, bandwidth doubled gives {spans[0]}, FLOP/s doubled {spans[1]}"
    bars = tuple(
        Bar(
            label=f"{label}: {name}",
            value=words.doubled(power),
            text=wording.times(words.doubled(power)),
            role=role,
            emphasised=label == AS_CHOSEN,
        )
        for label, bandwidth, flop in drawn
        for (name, role), power in zip(POWERS, (bandwidth, flop), strict=True)
    )
    return bars_exhibit(
        bars,
        title=title,
        subtitle=f"One choice changed at a time; also without each of the {MOST_LEFT_OUT} chips whose removal "
        "matters most.",
        source=source,
        axis=ValueAxis(title=AXIS, word=factor, span=(1.0,)),
        numbers=table(CASE_COLUMNS, [(AS_CHOSEN, *whole), *otherwise, *left_out]),
        base=1.0,
        dots=True,
        section="sure",
    )
