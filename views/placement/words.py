"""The verdict of /placement in words: where, why, what binds, what would change it, and what rules a place out."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from views import wording
from views.placement.answers import Answers, rented
from views.placement.inputs import Inputs
from views.placement.settings import FIRST_YEAR, PlacementSettings
from views.placement.table import BINDING_WORDS, KIND_WORDS, chance, seconds, usd

Ask = Callable[[Inputs], Answers]
"""Answers the same question of changed inputs, in the same year."""

RULES = {
    "stay": {
        "premises": "texts stay in the house",
        "device": "texts stay on the person's own device",
    }
}


def named(found: Inputs, i: int) -> str:
    """Return a place as it stands in a sentence."""
    name = found.places.name[i]
    if rented(found)[i]:
        return f"the cloud ({name.removeprefix('cloud ')})"
    return wording.a(name)


def headline(settings: PlacementSettings, found: Inputs, given: Answers, ask: Ask) -> str:
    """Return where the work runs best, why, what would change that, and what binds there."""
    noun, best = settings.preset.noun, given.cheapest
    when = f"In {settings.year} " if settings.year > FIRST_YEAR else ""
    if best is None:
        near = given.nearest
        return (
            f"{'No' if not when else when + 'no'} place meets all that is asked of {noun[:1].lower()}{noun[1:]}; "
            f"{named(found, near)} comes nearest: {BINDING_WORDS[given.binding[near]]}"
        )
    keep = rented(found)
    other = given.cheapest_of(keep if not keep[best] else ~keep)
    start = f"{when}{noun[:1].lower()}{noun[1:]}" if when else noun
    cost = usd(float(given.cost_usd.median[best]))
    start = f"{start} runs cheapest {at_place(found, best)}: {cost} per 1,000 requests"
    if other is None:
        change = _free(found, given, ask) if not keep[best] else _nearest_own(found, given)
    else:
        own, cloud = (other, best) if keep[best] else (best, other)
        cost = usd(float(given.cost_usd.median[other]))
        change = f", {cost} {at_place(found, other)}{_turn(found, given, ask, own=own, cloud=cloud)}"
    return f"{start}{change}; {BINDING_WORDS[given.binding[best]]}"


def at_place(found: Inputs, i: int) -> str:
    """Return a place with its preposition."""
    return f"{'in' if rented(found)[i] else 'on'} {named(found, i)}"


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


def _turn(found: Inputs, given: Answers, ask: Ask, *, own: int, cloud: int) -> str:
    """Return at which load, or at which charge, the cheapest place changes sides."""
    even, full = break_even(found, given, own=own, cloud=cloud)
    if even is not None and full:
        return ", which is full before it pays"
    if even is not None:
        wins = given.cheapest == cloud
        return f", which wins {'from' if wins else 'below'} about {wording.significant(even)} a day"
    if given.cheapest == own and not np.any(found.conditions.share):
        charged = ask(replace(found, conditions=replace(found.conditions, share=1.0)))
        wins = charged.cost_usd.median[own] > charged.cost_usd.median[cloud]
        return (
            ", which wins if the device's price is charged"
            if wins
            else " even if the device's price is charged"
        )
    return ""


def notes(found: Inputs, given: Answers, ask: Ask) -> tuple[str, ...]:
    """Return what binds, what would change the verdict, what is ruled out by what, and what is poorly known."""
    told: list[str] = []
    best = given.cheapest
    if best is not None:
        low, median, high = (
            seconds(float(values[best]))
            for values in (given.first_s.low, given.first_s.median, given.first_s.high)
        )
        told.append(
            f"{'In' if rented(found)[best] else 'On'} {named(found, best)} {BINDING_WORDS[given.binding[best]]}: "
            f"first token after {median} ({wording.at_level(0.9, low, high)}), "
            f"{wording.significant(1 / float(given.token_s.median[best]))} tokens a second, "
            f"{chance(float(given.probability[best]))} sure to meet all."
        )
        told += _cheaper(found, given, best)
        told += _break_even(found, given, best)
    else:
        told += _ruled_out(found, given, ask)
    unknown = [found.places.name[i] for i in np.flatnonzero(np.isnan(given.cost_usd.median))]
    if unknown:
        told.append(f"No price is known of: {', '.join(unknown)}; they are never called cheapest.")
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


def break_even(found: Inputs, given: Answers, *, own: int, cloud: int) -> tuple[float | None, bool]:
    """Return from how many requests a day one's own place is cheaper, None if never or always; and if it is full then.

    A device's price is there whatever it does, a cloud paid by use costs the same for each request.
    """
    if not given.setup.by_use[0, cloud]:
        return None, False
    fixed = float(given.setup.fixed_usd[0, own])
    room = float(given.cost_usd.median[cloud]) - (float(given.cost_usd.median[own]) - fixed)
    if fixed <= 0 or room <= 0:
        return None, False
    times = fixed / room
    load = float(np.median(given.drawn.load[0, own])) * times
    return float(np.max(found.work.requests_per_day)) * times, load > float(found.conditions.utilization)


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


def _break_even(found: Inputs, given: Answers, best: int) -> list[str]:
    """Return from how many requests a day one's own place is cheaper, or until when it is."""
    keep = rented(found)
    own, cloud = given.cheapest_of(~keep), given.cheapest_of(keep)
    even, full = (
        (None, False) if own is None or cloud is None else break_even(found, given, own=own, cloud=cloud)
    )
    if own is None or cloud is None or even is None:
        return []
    if full:
        return [
            f"One's own {found.places.name[own]} would be full before its price is earned back against "
            f"{found.places.name[cloud]}."
        ]
    word = "from" if best == cloud else "down to"
    return [
        f"{wording.sentence_case(named(found, own))} is cheaper than {named(found, cloud)} {word} about "
        f"{wording.significant(even)} requests a day; this work has {float(np.max(found.work.requests_per_day)):,.0f}."
    ]


def _ruled_out(found: Inputs, given: Answers, ask: Ask) -> list[str]:
    """Return what each requirement rules out, and the nearest that would do."""
    asked = found.requirements
    short = int((~given.fits).sum())
    told = (
        [f"{short} of {len(found.places)} places {'have' if short > 1 else 'has'} too little memory."]
        if short
        else []
    )
    limits = {
        "time_to_first_token_s": f"the limit on the first token ({asked.time_to_first_token_s or 0:g} s)",
        "output_tokens_per_s": f"the speed asked ({asked.output_tokens_per_s or 0:g} tokens a second)",
        "cost_usd_per_1000_requests": f"the budget ({usd(asked.cost_usd_per_1000_requests or 0.0)} per 1,000 requests)",
    }
    for name, words in limits.items():
        if getattr(asked, name) is None:
            continue
        without = ask(replace(found, requirements=replace(asked, **{name: None})))
        if without.cheapest is None:
            continue
        i = without.cheapest
        value = {
            "time_to_first_token_s": f"its first token comes within {seconds(float(without.first_s.high[i]))}",
            "output_tokens_per_s": f"it writes {wording.significant(1 / float(without.token_s.high[i]))} tokens/s",
            "cost_usd_per_1000_requests": f"it costs {usd(float(without.cost_usd.high[i]))} per 1,000 requests",
        }[name]
        told.append(f"Without {words}, {named(found, i)} would do: {value}, nine times in ten or better.")
    if asked.stay != "anywhere" or asked.offline:
        free = ask(replace(found, requirements=replace(asked, stay="anywhere", offline=False)))
        rule = "it works offline" if asked.offline else RULES["stay"].get(asked.stay, "")
        if free.cheapest is not None:
            told.append(
                f"That {rule} rules out {named(found, free.cheapest)} "
                f"({KIND_WORDS[found.places.kind[free.cheapest]]}), which would do."
            )
    return told or ["Every requirement alone can be met, but not all at once."]
