"""The verdict of /placement in words: where, why, what binds, what would change it, and what rules a place out."""

from dataclasses import replace

import numpy as np

from views import wording
from views.placement.answers import Answers, answers, rented
from views.placement.inputs import Inputs
from views.placement.settings import PlacementSettings
from views.placement.table import BINDING_WORDS, KIND_WORDS, chance, seconds, usd

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
    return f"{'an' if name[0] in 'aeio' else 'a'} {name}"


def headline(settings: PlacementSettings, found: Inputs, given: Answers) -> str:
    """Return where the work runs best, why, what binds there and what the other side would cost."""
    noun = settings.preset.noun
    best = given.cheapest
    if best is None:
        near = given.nearest
        return (
            f"No place meets all that is asked of {noun[:1].lower()}{noun[1:]}; {named(found, near)} comes nearest, "
            f"and {BINDING_WORDS[given.binding[near]]}"
        )
    own = rented(found)[best]
    other = given.cheapest_of(rented(found) if not own else ~rented(found))
    cost = usd(float(given.cost_usd.median[best]))
    start = f"{noun} runs cheapest on {named(found, best)}".replace("on the cloud", "in the cloud")
    start = f"{start}, {cost} per 1,000 requests"
    if other is None:
        missing = "no device of one's own" if own else "no cloud"
        return f"{start}; {missing} meets what is asked"
    return f"{start}; {named(found, other)} costs {usd(float(given.cost_usd.median[other]))}"


def notes(settings: PlacementSettings, found: Inputs, given: Answers) -> tuple[str, ...]:
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
        told += _break_even(found, given, best)
    else:
        told += _ruled_out(settings, found, given)
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


def _break_even(found: Inputs, given: Answers, best: int) -> list[str]:
    """Return from how many requests a day one's own place is cheaper, or until when it is."""
    keep = rented(found)
    own, cloud = given.cheapest_of(~keep), given.cheapest_of(keep)
    if own is None or cloud is None or not given.setup.by_use[0, cloud]:
        return []
    fixed = float(given.setup.fixed_usd[0, own])
    running = float(given.cost_usd.median[own]) - fixed
    room = float(given.cost_usd.median[cloud]) - running
    requests = float(np.max(found.work.requests_per_day))
    if fixed <= 0 or room <= 0:
        return []
    even = requests * fixed / room
    load = float(np.median(given.drawn.load[0, own])) * even / requests
    if load > found.conditions.utilization:
        return [
            f"One's own {found.places.name[own]} would be full before its price is earned back against "
            f"{found.places.name[cloud]}."
        ]
    word = "from" if best == cloud else "down to"
    return [
        f"{wording.sentence_case(named(found, own))} is cheaper than {named(found, cloud)} {word} about "
        f"{wording.significant(even)} requests a day; this work has {requests:,.0f}."
    ]


def _ruled_out(settings: PlacementSettings, found: Inputs, given: Answers) -> list[str]:
    """Return what each requirement rules out, and the nearest that would do."""
    asked, sure = found.requirements, settings.sure / 100
    told = [
        f"{int((~given.fits).sum())} of {len(found.places)} places have too little memory."
        if not given.fits.all()
        else ""
    ]
    limits = {
        "time_to_first_token_s": f"a first token within {asked.time_to_first_token_s or 0:g} s",
        "output_tokens_per_s": f"{asked.output_tokens_per_s or 0:g} tokens a second",
        "cost_usd_per_1000_requests": f"at most {usd(asked.cost_usd_per_1000_requests or 0.0)} per 1,000 requests",
    }
    for name, words in limits.items():
        if getattr(asked, name) is None:
            continue
        without = answers(found, sure=sure, requirements=replace(asked, **{name: None}))
        if without.cheapest is None:
            continue
        i = without.cheapest
        value = {
            "time_to_first_token_s": f"a first token within {seconds(float(without.first_s.high[i]))}",
            "output_tokens_per_s": f"{wording.significant(1 / float(without.token_s.high[i]))} tokens a second",
            "cost_usd_per_1000_requests": f"{usd(float(without.cost_usd.high[i]))} per 1,000 requests",
        }[name]
        told.append(
            f"Without {words}, {named(found, i)} would do: it gives {value} nine times in ten or better."
        )
    if asked.stay != "anywhere" or asked.offline:
        free = answers(found, sure=sure, requirements=replace(asked, stay="anywhere", offline=False))
        rule = "it works offline" if asked.offline else RULES["stay"].get(asked.stay, "")
        if free.cheapest is not None:
            told.append(
                f"That {rule} rules out {named(found, free.cheapest)} "
                f"({KIND_WORDS[found.places.kind[free.cheapest]]}), which would do."
            )
    kept = [line for line in told if line]
    return kept or ["Every requirement alone can be met, but not all at once."]
