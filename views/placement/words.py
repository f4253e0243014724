"""The verdict of /placement in words: where, why, what binds, and what would change it."""

from dataclasses import dataclass, replace

import numpy as np

from analysis.placement.places import PERSONAL, Growth
from views import wording
from views.placement.answers import Answers, Ask, rented
from views.placement.by_load import Turn, turn
from views.placement.inputs import Inputs
from views.placement.naming import at_place, named
from views.placement.ruled_out import ruled_out
from views.placement.settings import FIRST_YEAR, PlacementSettings
from views.placement.table import BINDING_WORDS, chance, room, seconds, usd


@dataclass(frozen=True, kw_only=True)
class Sides:
    """The cheapest place of one's own and in a cloud that do the work, and the load at which they change sides."""

    own: int
    cloud: int
    turn: Turn | None


def sides(found: Inputs, given: Answers, growth: Growth, *, sure: float) -> Sides | None:
    """Return the two sides, None where one of them has no place that does the work."""
    keep = rented(found)
    own, cloud = given.cheapest_of(~keep), given.cheapest_of(keep)
    if own is None or cloud is None:
        return None
    return Sides(own=own, cloud=cloud, turn=turn(found, growth, sure=sure, own_wins=given.cheapest == own))


def headline(settings: PlacementSettings, found: Inputs, given: Answers, ask: Ask, both: Sides | None) -> str:
    """Return where the work runs best, why, what would change that, and what binds there."""
    noun, best = settings.preset.noun, given.cheapest
    when = f"In {settings.year} " if settings.year > FIRST_YEAR else ""
    if best is None:
        near = given.nearest
        return (
            f"{'No' if not when else when + 'no'} place meets all that is asked of {noun[:1].lower()}{noun[1:]}; "
            f"{named(found, near)} comes nearest: {_lack(given, near)}"
        )
    start = f"{when}{noun[:1].lower()}{noun[1:]}" if when else noun
    cost = usd(float(given.cost_usd.median[best]))
    start = f"{start} runs cheapest {at_place(found, best)}: {cost} per 1,000 requests"
    if both is None:
        change = _nearest_own(found, given) if rented(found)[best] else _free(found, given, ask)
    else:
        other = both.own if best == both.cloud else both.cloud
        cost = usd(float(given.cost_usd.median[other]))
        change = f", {cost} {at_place(found, other)}{_turn(found, given, ask, both)}"
    return f"{start}{change}; {BINDING_WORDS[given.binding[best]]}"


def _lack(given: Answers, i: int) -> str:
    binding = given.binding[i]
    return f"{room(given, i)} of memory" if binding == "capacity" else BINDING_WORDS[binding]


def _free(found: Inputs, given: Answers, ask: Ask) -> str:
    """Return what a cloud would cost where only the rule that texts stay keeps it out."""
    asked = found.requirements
    if asked.stay == "anywhere" and not asked.offline:
        return "; no cloud meets what is asked"
    free = ask(replace(found, requirements=replace(asked, stay="anywhere", offline=False)))
    cloud = free.cheapest_of(rented(found))
    if cloud is None:
        return "; no cloud would meet what is asked"
    might = "were a connection allowed" if asked.offline else "were texts allowed out"
    return f"; {might}, {named(found, cloud)} would cost {usd(float(free.cost_usd.median[cloud]))}"


def _nearest_own(found: Inputs, given: Answers) -> str:
    """Return what keeps the nearest place of one's own from doing the work."""
    own = np.flatnonzero(~rented(found))
    if not len(own):
        return ""
    i = int(own[np.lexsort((given.first_s.median[own], ~given.fits[own], -given.probability[own]))[0]])
    return f"; {named(found, i)} comes nearest of one's own places ({BINDING_WORDS[given.binding[i]]})"


def _turn(found: Inputs, given: Answers, ask: Ask, both: Sides) -> str:
    """Return at which load, or at which charge, the cheapest place changes sides."""
    own_wins = given.cheapest == both.own
    free = own_wins and not np.any(found.conditions.share) and found.places.kind[both.own] == PERSONAL
    if free:
        charged = ask(replace(found, conditions=replace(found.conditions, share=1.0)))
        if charged.cost_usd.median[both.own] > charged.cost_usd.median[both.cloud]:
            return ", the cheaper one if the device's price is charged"
    if both.turn is not None:
        load = both.turn.in_words
        if both.turn.place in (both.own, both.cloud):
            return f", the cheaper one {load}"
        return f"; {named(found, both.turn.place)} is the cheaper one {load}"
    return ", dearer even if the device's price is charged" if free else ", dearer at any load"


def notes(
    found: Inputs, given: Answers, ask: Ask, both: Sides | None, *, ahead: bool = False
) -> tuple[str, ...]:
    """Return what binds, what would change the verdict, what is ruled out by what, and what is poorly known."""
    told: list[str] = []
    best = given.cheapest
    if best is not None:
        low, median, high = (
            seconds(float(values[best]))
            for values in (given.first_s.low, given.first_s.median, given.first_s.high)
        )
        told.append(
            f"{wording.sentence_case(at_place(found, best))} {BINDING_WORDS[given.binding[best]]}: "
            f"first token after {median} ({wording.at_level(0.9, low, high)}), "
            f"{wording.significant(1 / float(given.token_s.median[best]))} tokens a second, "
            f"{chance(float(given.probability[best]))} sure to meet all."
        )
        told += _as_cheap(found, given, best)
        told += _cheaper(found, given, best)
        told += _break_even(found, given, both)
    else:
        told += ruled_out(found, given, ask)
    if ahead:
        told.append(
            "Only that year's hardware is compared here; a machine of an earlier year may be the cheaper one, and "
            "counts in the chart by year."
        )
    unknown = [found.places.name[i] for i in np.flatnonzero(np.isnan(given.cost_usd.median))]
    if unknown:
        they = "they are" if len(unknown) > 1 else "it is"
        told.append(f"No price is known of: {', '.join(unknown)}; {they} never called cheapest.")
    if any(name == "phone" for name in found.places.device_class):
        told.append(
            "Phones are poorly known: few were measured, and under lasting work they kept "
            f"{100 * float(np.min(found.sustained)):.0f}–{100 * float(np.max(found.sustained)):.0f} % of their first "
            f"speed in {len(found.sustained)} published tests."
        )
    if found.work.mixture:
        told.append(
            "Mixtures of experts are predicted less well than dense models; their intervals are wider."
        )
    return tuple(told)


CLOSE = 1.1
"""Costs within this factor of each other are told as alike: the model tells no finer."""


def _as_cheap(found: Inputs, given: Answers, best: int) -> list[str]:
    """Return which places cost as much as makes no difference, and whether the best one was ever measured."""
    told, cost = [], given.cost_usd.median
    alike = [int(i) for i in np.flatnonzero(given.meets & (cost <= CLOSE * cost[best])) if i != best]
    if alike:
        costs = ", ".join(f"{named(found, i)} at {usd(float(cost[i]))}" for i in alike)
        told.append(f"About as cheap, within a tenth: {costs}.")
    device = found.places.device[best]
    if found.places.accelerator[best] and device not in found.served:
        known = ", ".join(name.removeprefix("NVIDIA ").split(" SXM")[0] for name in found.served)
        told.append(
            f"No published full load of {device} could be used, so its figures rest on those of {known}; hold them "
            "against a trial before buying."
        )
    return told


def _cheaper(found: Inputs, given: Answers, best: int) -> list[str]:
    """Return which place would cost less and comes nearest to meeting what is asked."""
    held = given.fits & np.array([word != "rule" for word in given.binding])
    less = np.flatnonzero(held & ~given.meets & (given.cost_usd.median < given.cost_usd.median[best]))
    if not len(less):
        return []
    i = int(less[np.argmax(given.probability[less])])
    return [
        f"{wording.sentence_case(named(found, i))} would cost {usd(float(given.cost_usd.median[i]))} but is "
        f"{chance(float(given.probability[i]))} sure to meet all: {BINDING_WORDS[given.binding[i]]}."
    ]


def _break_even(found: Inputs, given: Answers, both: Sides | None) -> list[str]:
    """Return at how many requests a day the cheapest place changes sides."""
    if both is None or both.turn is None:
        return []
    other = "place of one's own" if given.cheapest == both.own else "cloud"
    told = (
        f"{wording.sentence_case(both.turn.in_words)} {named(found, both.turn.place)} is cheaper than any {other}, "
        f"each load with the machines it needs; this work has {float(np.max(found.work.requests_per_day)):,.0f}."
    )
    if both.turn.between is None or both.turn.word == "between":
        return [told]
    low, high = map(wording.significant, both.turn.between)
    return [
        f"{told} Between about {low} and {high} a day the two take turns, as machines are bought one by one."
    ]
