"""What each requirement rules out where no place meets all, and what to give up."""

from dataclasses import replace

import numpy as np

from analysis.arrays import BoolArray
from analysis.placement.answers import Answers, answers_to
from analysis.placement.work import Requirements
from views import wording
from views.placement.inputs import PlacementInputs
from views.placement.naming import named
from views.placement.table import gigabytes, seconds, usd

RULES = {
    "stay": {
        "premises": "data stays on premises",
        "device": "data stays on the user's own device",
    }
}

LIMITS = ("time_to_first_token_s", "output_tokens_per_s", "cost_usd_per_1000_requests")


def ruled_out(inputs: PlacementInputs, answers: Answers) -> list[str]:
    """Return what to give up, what each requirement alone rules out, and the nearest that would do."""
    question, requirements = inputs.question, inputs.question.requirements
    lines = (
        (_dropped(inputs) or [_nothing_alone(requirements)]) + _too_small(inputs, answers) + _kept_in(answers)
    )
    left = answers.fits & ~answers.ruled_out
    for name in LIMITS:
        if getattr(requirements, name) is None or not left.any():
            continue
        only = replace(requirements, **{other: None for other in LIMITS if other != name})
        alone = answers_to(replace(question, requirements=only))
        lines += _missed(inputs, alone, name=name, left=left)
    return lines


def _limit(requirements: Requirements, name: str) -> str:
    budget = requirements.cost_usd_per_1000_requests or 0.0
    return {
        "time_to_first_token_s": f"the limit on the first token ({requirements.time_to_first_token_s or 0:,.6g} s)",
        "output_tokens_per_s": f"the speed asked ({requirements.output_tokens_per_s or 0:,.6g} tokens a second)",
        "cost_usd_per_1000_requests": f"the budget ({usd(budget)} per 1,000 requests)",
    }[name]


def _reached(answers: Answers, i: int, *, name: str) -> str:
    """Return what a place reaches of a requirement."""
    return {
        "time_to_first_token_s": f"first token after {seconds(float(answers.first_s.median[i]))}",
        "output_tokens_per_s": f"{wording.significant(1 / float(answers.token_s.median[i]))} tokens a second",
        "cost_usd_per_1000_requests": f"{usd(float(answers.cost_usd.median[i]))} per 1,000 requests",
    }[name]


def _too_small(inputs: PlacementInputs, answers: Answers) -> list[str]:
    short, placed = ~answers.fits, answers.placed
    if not short.any():
        return []
    which = "the largest of them, " if short.sum() > 1 else ""
    largest = int(np.argmax(np.where(short, placed.usable_byte[0], -np.inf)))
    need, there = (float(value[0, largest]) for value in (placed.need_byte, placed.usable_byte))
    return [
        f"Memory rules out {_of(int(short.sum()), len(short))}: {which}{named(inputs, largest)}{',' if which else ''} "
        f"has {gigabytes(there)} for {gigabytes(need)}."
    ]


def _of(count: int, all_of: int) -> str:
    options = "option" if all_of == 1 else "options"
    return f"all {all_of} {options}" if count == all_of > 1 else f"{count} of {all_of} {options}"


def _kept_in(answers: Answers) -> list[str]:
    requirements, count = answers.requirements, int(answers.ruled_out.sum())
    if not count:
        return []
    rules = [RULES["stay"][requirements.stay]] if requirements.stay != "anywhere" else []
    rules += ["it works offline"] if requirements.offline else []
    return [f"That {' and '.join(rules)} rules out {_of(count, len(answers.binding))}."]


def _missed(inputs: PlacementInputs, alone: Answers, *, name: str, left: BoolArray) -> list[str]:
    """Return how many of the places that are left miss one requirement, and which comes nearest if all do."""
    missed = left & ~alone.meets
    if not missed.any():
        return []
    words, count = _limit(inputs.question.requirements, name), int(missed.sum())
    line = f"{wording.sentence_case(words)} alone rules out {_of(count, int(left.sum()))} left"
    if count == 1 and int(left.sum()) == 1:
        line = f"{wording.sentence_case(words)} alone rules out the only option left"
    if missed.sum() < left.sum():
        return [f"{line}."]
    reached = {
        "time_to_first_token_s": alone.first_s.median,
        "output_tokens_per_s": alone.token_s.median,
        "cost_usd_per_1000_requests": alone.cost_usd.median,
    }[name]
    i = int(np.argmin(np.where(left & np.isfinite(reached), reached, np.inf)))
    return [f"{line}; nearest is {named(inputs, i)}: {_reached(alone, i, name=name)}."]


def _dropped(inputs: PlacementInputs) -> list[str]:
    """Return which single requirement to give up, and what would do then."""
    question, requirements, lines = inputs.question, inputs.question.requirements, []
    for name in LIMITS:
        if getattr(requirements, name) is None:
            continue
        without = answers_to(replace(question, requirements=replace(requirements, **{name: None})))
        if (i := without.cheapest) is not None:
            lines.append(
                f"Without {_limit(requirements, name)}, {named(inputs, i)} would do: {_reached(without, i, name=name)}."
            )
    if requirements.stay != "anywhere" or requirements.offline:
        free = answers_to(
            replace(question, requirements=replace(requirements, stay="anywhere", offline=False))
        )
        if (i := free.cheapest) is not None:
            lines.append(
                f"If data could leave, {named(inputs, i)} would do: {usd(float(free.cost_usd.median[i]))} per 1,000 "
                "requests."
            )
    return lines


def _nothing_alone(requirements: Requirements) -> str:
    limits = [_limit(requirements, name) for name in LIMITS if getattr(requirements, name) is not None]
    limits += ["where data may go"] if requirements.stay != "anywhere" or requirements.offline else []
    if len(limits) < 2:
        return "Choose a smaller model, or fewer bits per weight."
    return f"Dropping one of {', '.join(limits)} is not enough: relax at least two."
