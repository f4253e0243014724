"""What each requirement rules out where no place meets all, and what to give up."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from analysis.arrays import BoolArray
from analysis.placement.answers import Answers, answers_to
from views import wording
from views.placement.amounts import gigabytes, seconds, usd
from views.placement.answer import PlacementAnswer
from views.wording import sentence_case

STAYS = {"premises": "data stays on premises", "device": "data stays on the user's own device"}
LIMITS = ("time_to_first_token_s", "output_tokens_per_s", "cost_usd_per_1000_requests")


def ruled_out(answer: PlacementAnswer) -> Iterator[str]:
    """Yield what to give up, what each requirement alone rules out, and the nearest that would do."""
    outcomes, requirements = answer.outcomes, answer.question.requirements
    given_up = list(_given_up(answer))
    yield from given_up or [_nothing_alone(answer)]
    yield from _too_small(answer)
    rules = [STAYS[requirements.stay]] if requirements.stay != "anywhere" else []
    rules += ["it works offline"] if requirements.offline else []
    if excluded := int(outcomes.ruled_out.sum()):
        yield f"That {' and '.join(rules)} rules out {_of(excluded, len(outcomes.binding))}."
    left = outcomes.fits & ~outcomes.ruled_out
    for name in LIMITS:
        if getattr(requirements, name) is not None and left.any():
            only = replace(requirements, **{other: None for other in LIMITS if other != name})
            alone = answers_to(replace(answer.question, requirements=only))
            yield from _missed(answer, alone, name=name, left=left)


def _limit(answer: PlacementAnswer, name: str) -> str:
    limit = getattr(answer.question.requirements, name)
    return {
        "time_to_first_token_s": "the limit on the first token ({:,.6g} s)",
        "output_tokens_per_s": "the speed asked ({:,.6g} tokens a second)",
        "cost_usd_per_1000_requests": f"the budget ({usd(limit)} per 1,000 requests)",
    }[name].format(limit)


def _reached(answers: Answers, i: int, *, name: str) -> str:
    """Return what a place reaches of a requirement."""
    match name:
        case "time_to_first_token_s":
            return f"first token after {seconds(float(answers.first_s.median[i]))}"
        case "output_tokens_per_s":
            return f"{wording.significant(1 / float(answers.token_s.median[i]))} tokens a second"
    return f"{usd(float(answers.cost_usd.median[i]))} per 1,000 requests"


def _too_small(answer: PlacementAnswer) -> Iterator[str]:
    short, placed = ~answer.outcomes.fits, answer.outcomes.placed
    if short.any():
        several = short.sum() > 1
        largest = int(np.argmax(np.where(short, placed.usable_byte[0], -np.inf)))
        need, usable = (gigabytes(float(size[0, largest])) for size in (placed.need_byte, placed.usable_byte))
        name = answer.inputs.named(largest)
        which = f"the largest of them, {name}," if several else name
        yield f"Memory rules out {_of(int(short.sum()), len(short))}: {which} has {usable} for {need}."


def _of(count: int, all_of: int) -> str:
    options = "option" if all_of == 1 else "options"
    return f"all {all_of} {options}" if count == all_of > 1 else f"{count} of {all_of} {options}"


def _missed(answer: PlacementAnswer, alone: Answers, *, name: str, left: BoolArray) -> Iterator[str]:
    """Yield how many of the places that are left miss one requirement, and which comes nearest if all do."""
    missed, count = int((left & ~alone.meets).sum()), int(left.sum())
    if not missed:
        return
    which = "the only option" if missed == count == 1 else _of(missed, count)
    line = f"{sentence_case(_limit(answer, name))} alone rules out {which} left"
    if missed == count:
        reached = {
            "time_to_first_token_s": alone.first_s.median,
            "output_tokens_per_s": alone.token_s.median,
            "cost_usd_per_1000_requests": alone.cost_usd.median,
        }[name]
        i = int(np.argmin(np.where(left & np.isfinite(reached), reached, np.inf)))
        line += f"; nearest is {answer.inputs.named(i)}: {_reached(alone, i, name=name)}"
    yield f"{line}."


def _given_up(answer: PlacementAnswer) -> Iterator[str]:
    """Yield which single requirement to give up, and what would do then."""
    question, requirements = answer.question, answer.question.requirements
    for name in LIMITS:
        if getattr(requirements, name) is None:
            continue
        without = answers_to(replace(question, requirements=replace(requirements, **{name: None})))
        if (i := without.cheapest) is not None:
            place, reached = answer.inputs.named(i), _reached(without, i, name=name)
            yield f"Without {_limit(answer, name)}, {place} would do: {reached}."
    if requirements.rule:
        free = answers_to(
            replace(question, requirements=replace(requirements, stay="anywhere", offline=False))
        )
        if (i := free.cheapest) is not None:
            cost = _reached(free, i, name="cost_usd_per_1000_requests")
            yield f"If data could leave, {answer.inputs.named(i)} would do: {cost}."


def _nothing_alone(answer: PlacementAnswer) -> str:
    requirements = answer.question.requirements
    limits = [_limit(answer, name) for name in LIMITS if getattr(requirements, name) is not None]
    limits += ["where data may go"] if requirements.rule else []
    if len(limits) < 2:
        return "Choose a smaller model, or fewer bits per weight."
    return f"Dropping one of {', '.join(limits)} is not enough: relax at least two."
