"""What each requirement rules out where no place meets all, and what to give up."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from analysis.placement.work import Requirements
from views import wording
from views.placement.answers import Answers, Ask
from views.placement.inputs import Inputs
from views.placement.naming import named
from views.placement.table import gigabytes, seconds, usd

RULES = {
    "stay": {
        "premises": "texts stay in the house",
        "device": "texts stay on the person's own device",
    }
}

LIMITS = ("time_to_first_token_s", "output_tokens_per_s", "cost_usd_per_1000_requests")


def ruled_out(found: Inputs, given: Answers, ask: Ask) -> list[str]:
    """Return what each requirement alone rules out, the nearest that would do, and what to give up."""
    asked = found.requirements
    told = _too_small(found, given) + _kept_in(found, given)
    free = [word != "rule" for word in given.binding]
    left = given.fits & np.array(free)
    for name in LIMITS:
        if getattr(asked, name) is None or not left.any():
            continue
        only = replace(asked, **{other: None for other in LIMITS if other != name})
        told += _missed(found, ask(replace(found, requirements=only)), name, left=left)
    dropped = _dropped(found, ask)
    return [*told, *(dropped or [_nothing_alone(found)])]


def _limit(asked: Requirements, name: str) -> str:
    return {
        "time_to_first_token_s": f"the limit on the first token ({asked.time_to_first_token_s or 0:,.6g} s)",
        "output_tokens_per_s": f"the speed asked ({asked.output_tokens_per_s or 0:,.6g} tokens a second)",
        "cost_usd_per_1000_requests": f"the budget ({usd(asked.cost_usd_per_1000_requests or 0.0)} per 1,000 requests)",
    }[name]


def _reached(given: Answers, name: str, i: int) -> str:
    """Return what a place reaches of a requirement."""
    return {
        "time_to_first_token_s": f"first token after {seconds(float(given.first_s.median[i]))}",
        "output_tokens_per_s": f"{wording.significant(1 / float(given.token_s.median[i]))} tokens a second",
        "cost_usd_per_1000_requests": f"{usd(float(given.cost_usd.median[i]))} per 1,000 requests",
    }[name]


def _too_small(found: Inputs, given: Answers) -> list[str]:
    short = ~given.fits
    if not short.any():
        return []
    which = "the largest of them, " if short.sum() > 1 else ""
    largest = int(np.argmax(np.where(short, given.setup.usable_byte[0], -np.inf)))
    need, there = (float(value[0, largest]) for value in (given.setup.need_byte, given.setup.usable_byte))
    return [
        f"Memory rules out {_of(int(short.sum()), len(short))}: {which}{named(found, largest)}{',' if which else ''} "
        f"has {gigabytes(there)} for {gigabytes(need)}."
    ]


def _of(count: int, all_of: int) -> str:
    places = "place" if all_of == 1 else "places"
    return f"all {all_of} {places}" if count == all_of > 1 else f"{count} of {all_of} {places}"


def _kept_in(found: Inputs, given: Answers) -> list[str]:
    asked = found.requirements
    count = sum(word == "rule" for word in given.binding)
    if not count:
        return []
    rules = [RULES["stay"][asked.stay]] if asked.stay != "anywhere" else []
    rules += ["it works offline"] if asked.offline else []
    return [f"That {' and '.join(rules)} rules out {_of(count, len(given.binding))}."]


def _missed(found: Inputs, alone: Answers, name: str, *, left: NDArray[np.bool_]) -> list[str]:
    """Return how many of the places that are left miss one requirement, and which comes nearest if all do."""
    missed = left & ~alone.meets
    if not missed.any():
        return []
    words, count = _limit(found.requirements, name), int(missed.sum())
    told = f"{wording.sentence_case(words)} alone rules out {_of(count, int(left.sum()))} that are left"
    if count == 1 and int(left.sum()) == 1:
        told = f"{wording.sentence_case(words)} alone rules out the only place that is left"
    if missed.sum() < left.sum():
        return [f"{told}."]
    reached = {
        "time_to_first_token_s": alone.first_s.median,
        "output_tokens_per_s": alone.token_s.median,
        "cost_usd_per_1000_requests": alone.cost_usd.median,
    }[name]
    i = int(np.argmin(np.where(left & np.isfinite(reached), reached, np.inf)))
    return [f"{told}; nearest is {named(found, i)}: {_reached(alone, name, i)}."]


def _dropped(found: Inputs, ask: Ask) -> list[str]:
    """Return which single requirement to give up, and what would do then."""
    asked, told = found.requirements, []
    for name in LIMITS:
        if getattr(asked, name) is None:
            continue
        without = ask(replace(found, requirements=replace(asked, **{name: None})))
        if (i := without.cheapest) is not None:
            told.append(
                f"Without {_limit(asked, name)}, {named(found, i)} would do: {_reached(without, name, i)}."
            )
    if asked.stay != "anywhere" or asked.offline:
        free = ask(replace(found, requirements=replace(asked, stay="anywhere", offline=False)))
        if (i := free.cheapest) is not None:
            told.append(
                f"Could texts travel, {named(found, i)} would do: {usd(float(free.cost_usd.median[i]))} per 1,000 "
                "requests."
            )
    return told


def _nothing_alone(found: Inputs) -> str:
    asked = found.requirements
    limits = [_limit(asked, name) for name in LIMITS if getattr(asked, name) is not None]
    limits += ["where texts stay"] if asked.stay != "anywhere" or asked.offline else []
    if len(limits) < 2:
        return "Take a smaller model, or fewer bits a weight."
    return f"Giving up one of {', '.join(limits)} is not enough: at least two have to give."
