"""What each requirement rules out where no place meets all, and what to give up."""

from collections.abc import Iterator

from analysis.placement.answers import answers_to, missed_alone
from analysis.placement.work import COST, FIRST_TOKEN, SPEED
from views import wording
from views.placement.amounts import STAYS, gigabytes, seconds, usd
from views.placement.answer import PlacementAnswer
from views.wording import sentence_case

LIMITS = {
    FIRST_TOKEN: (
        "the limit on the first token ({:,.6g} s)",
        lambda value: f"first token after {seconds(value)}",
    ),
    SPEED: (
        "the speed asked ({:,.6g} tokens a second)",
        lambda value: f"{wording.significant(1 / value)} tokens a second",
    ),
    COST: ("the budget ({} per 1,000 requests)", lambda value: f"{usd(value)} per 1,000 requests"),
}
"""Each limit by its requirement, and what a place reaches of it, from the median of what is drawn, in words."""


def ruled_out(answer: PlacementAnswer) -> Iterator[str]:
    """Yield what to give up, what each requirement alone rules out, and the nearest that would do."""
    results, requirements = answer.results, answer.question.requirements
    limits = {name: _limit(answer, name) for name in LIMITS if getattr(requirements, name) is not None}
    given_up = list(_given_up(answer, limits))
    yield from given_up or [_nothing_alone(answer, limits)]
    yield from _too_small(answer)
    rules = [STAYS[requirements.data_residency]] if requirements.data_residency != "anywhere" else []
    rules += ["it works offline"] if requirements.offline else []
    if excluded := int(results.ruled_out.sum()):
        yield f"That {' and '.join(rules)} rules out {_of(excluded, len(answer.places))}."
    if not results.possible.any():
        return
    for name, limit in limits.items():
        missed = missed_alone(results, name)
        if missed.count:
            which = "the only option" if missed.count == missed.left == 1 else _of(missed.count, missed.left)
            line = f"{sentence_case(limit)} alone rules out {which} left"
            if missed.count == missed.left:
                reached = LIMITS[name][1](missed.reached)
                line += f"; nearest is {answer.places[missed.nearest].label.named()}: {reached}"
            yield f"{line}."


def _limit(answer: PlacementAnswer, name: str) -> str:
    limit = getattr(answer.question.requirements, name)
    return LIMITS[name][0].format(usd(limit) if name == COST else limit)


def _of(count: int, all_of: int) -> str:
    options = "option" if all_of == 1 else "options"
    return f"all {all_of} {options}" if count == all_of > 1 else f"{count} of {all_of} {options}"


def _too_small(answer: PlacementAnswer) -> Iterator[str]:
    small = [place for place in answer.places if not place.possible]
    if small:
        largest = max(small, key=lambda place: place.usable_gbyte)
        usable, need = (gigabytes(size * 1e9) for size in (largest.usable_gbyte, largest.need_gbyte))
        name = largest.label.named()
        which = f"the largest of them, {name}," if len(small) > 1 else name
        yield f"Memory rules out {_of(len(small), len(answer.places))}: {which} has {usable} for {need}."


def _given_up(answer: PlacementAnswer, limits: dict[str, str]) -> Iterator[str]:
    """Yield which single requirement to give up, and what would do then."""
    for name, limit in limits.items():
        without = answers_to(answer.question.requiring(**{name: None}))
        if (i := without.cheapest) is not None:
            reached = LIMITS[name][1](float(without.limited[name].median[i]))
            yield f"Without {limit}, {answer.places[i].label.named()} would do: {reached}."
    if answer.question.requirements.rule:
        free = answers_to(answer.question.requiring(data_residency="anywhere", offline=False))
        if (i := free.cheapest) is not None:
            cost = LIMITS[COST][1](float(free.cost_usd.median[i]))
            yield f"If data could leave, {answer.places[i].label.named()} would do: {cost}."


def _nothing_alone(answer: PlacementAnswer, limits: dict[str, str]) -> str:
    names = [*limits.values(), *(["where data may go"] if answer.question.requirements.rule else [])]
    if len(names) < 2:
        return "Choose a smaller model, or fewer bits per weight."
    return f"Dropping one of {', '.join(names)} is not enough: relax at least two."
