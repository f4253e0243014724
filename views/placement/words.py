"""The verdict of /placement in words: what to buy or rent, the catch, and how sure it is."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from analysis.placement.answers import answers_to
from analysis.placement.by_load import Sides, Turn
from analysis.placement.places import PERSONAL
from analysis.placement.shortfall import Lack
from analysis.serving.tables import measured_lengths
from views import wording
from views.chips.measured_lengths import beyond_words
from views.placement.amounts import LACK_WORDS, chance, count, gigabytes, lack_detail, limit_words, usd
from views.placement.answer import PlacementAnswer
from views.wording import sentence_case, small_initial

CLOSE = 1.1
"""Costs within this factor of each other are called alike: the model distinguishes no finer."""
MOST_WORDS, MOST_NOTES, MOST_MEASURED = 12, 3, 4
ON = {
    "phone": "On a phone",
    "laptop": "On a laptop",
    "embedded": "On an embedded computer",
    "workstation": "On a desk workstation",
    "desktop": "On a desktop GPU",
    "edge-server": "On an edge server",
    "server-room": "In a server room",
    "cloud": "In the cloud",
}


def fitting(*candidates: str) -> str:
    """Return the first of the texts that is short enough for a headline, else the shortest."""
    return next(
        (text for text in candidates if len(text.split()) <= MOST_WORDS),
        min(candidates, key=lambda text: len(text.split())),
    )


def size_words(n_parameters: float) -> str:
    """Return the size of a model: 8B, 671B, 1T."""
    unit, letter = (1e12, "T") if n_parameters >= 0.9995e12 else (1e9, "B")
    number = n_parameters / unit
    return f"{float(f'{number:.3g}' if number >= 99.5 else f'{number:.2g}'):g}{letter}"


def headline(answer: PlacementAnswer) -> str:
    """Return what to buy or rent and its cost a month; of a class that was chosen, yes or no and why."""
    topic = answer.topic
    if answer.unknown:
        return f"{ON[answer.settings.only]}: not known, the data holds none of {len(answer.inputs.labels)}"
    if answer.fixed:
        return _yes_or_no(answer)
    if answer.lack is not None:
        return _nothing(answer)
    known = math.isfinite(answer.outcomes.cost_usd.median[answer.at])
    money = f"{answer.monthly(answer.at)} a month" if known else "price unknown"
    acts = answer.act(answer.at)
    return fitting(
        *(f"{topic}: {act}, {money}" for act in acts),
        f"{topic}: {acts[-1]}, {money}".replace(" with a GPU", ""),
        f"{sentence_case(acts[-1])}{answer.when}, {money}",
    )


def _nothing(answer: PlacementAnswer) -> str:
    lack = answer.lack
    assert lack is not None
    detail = lack_detail(lack)
    if lack.lack is Lack.RULE:
        return all_ruled_out(answer.topic, options=len(answer.inputs.labels), why=detail)
    best = (f"{answer.topic}: no option meets all; best has {detail}",) if lack.lack is Lack.MEMORY else ()
    return fitting(*best, *none_meets(answer.topic, when=answer.when, detail=detail))


def all_ruled_out(topic: str, *, options: int, why: str) -> str:
    """Return that every option is ruled out, and why."""
    return fitting(
        f"{topic}: all {options} options ruled out, {why}", f"All {options} options are ruled out: {why}"
    )


def none_meets(topic: str, *, when: str, detail: str) -> tuple[str, ...]:
    """Return that no option meets all targets and what the best one lacks, from the longest to the shortest."""
    return (
        f"{topic}: no option meets all targets; best {detail}",
        f"{topic}: no option meets all; best {detail}",
        f"{topic}: none meets all; best {detail}",
        f"No option meets all{when}; best {detail}",
        f"None meets all{when}; best {detail}",
    )


def _yes_or_no(answer: PlacementAnswer) -> str:
    start, size = f"{ON[answer.settings.only]}{answer.when}", size_words(answer.inputs.n_parameters)
    lack = answer.lack
    if lack is None:
        speed = answer.tokens_per_s(answer.at)
        return fitting(f"{start}: yes, {size} answers at {speed}", f"{start}: yes, {speed}")
    detail, reasons = lack_detail(lack), ()
    match lack.lack:
        case Lack.SPEED:
            reasons = (f"only {detail}",)
        case Lack.FIRST_TOKEN:
            reasons = (f"first token after {detail}", f"first token {detail}")
        case Lack.MEMORY:
            needed = gigabytes(lack.required)
            reasons = (f"{size} needs {needed} of memory", f"{needed} of memory needed", f"{needed} needed")
        case Lack.COST:
            reasons = (f"it costs {detail}",)
        case Lack.CHANCE:
            reasons = (detail, f"{chance(lack.reached)} likely")
        case Lack.RULE:
            reasons = (detail, "data may not go there")
    return fitting(*(f"{start}: no, {reason}" for reason in (*reasons, detail)))


def subtitle(answer: PlacementAnswer) -> str:
    """Return the interval and the catch in one line."""
    i, lack = answer.at, answer.lack
    name = sentence_case(answer.inputs.named(i))
    likely = f"{chance(float(answer.outcomes.probability[i]))} likely to meet every target"
    if answer.fixed:
        state = f"{likely}, {answer.settings.sure} % required"
        if lack is not None and lack.lack is Lack.RULE:
            state = "ruled out"
        if lack is not None and lack.lack is Lack.MEMORY:
            state = f"{gigabytes(lack.reached)} of memory usable, {gigabytes(lack.required)} needed"
        return f"{name}: {state}; {_elsewhere(answer)}."
    if lack is not None:
        return (
            f"{name} comes nearest, {likely}: {small_initial(LACK_WORDS[lack.lack])} ({lack_detail(lack)})."
        )
    cost = answer.outcomes.cost_usd
    if not math.isfinite(cost.median[i]):
        return f"{sentence_case(catch(answer))}."
    low, high = (usd(answer.usd_a_month(float(ends[i]))) for ends in (cost.low, cost.high))
    if low == high:
        return f"The cost is known to within a few per cent; {catch(answer)}."
    return f"90 % interval {wording.interval(low, high)} a month; {catch(answer)}."


def _elsewhere(answer: PlacementAnswer) -> str:
    best = answer.outcomes.cheapest
    if best is None:
        return "no option meets every target"
    return f"the cheapest option is {answer.inputs.named(best)} at {answer.monthly(best)} a month"


def catch(answer: PlacementAnswer) -> str:
    """Return what the other side would cost, owned or rented, and when it would be the cheaper one."""
    best, sides, named = answer.outcomes.cheapest, answer.sides, answer.inputs.named
    if best is None:
        return "no option with a known price meets every target"
    if sides is not None:
        other = sides.own if best == sides.cloud else sides.cloud
        return f"{named(other)} would cost {answer.monthly(other)} a month{_turning(answer, sides)}"
    if answer.question.rented[best]:
        return _nearest_own(answer)
    return _cloud_without_rules(answer)


def _cloud_without_rules(answer: PlacementAnswer) -> str:
    """Return what a cloud would cost if only the rule that data stays keeps it out."""
    question, requirements = answer.question, answer.question.requirements
    if not requirements.rule:
        return "no cloud meets every target"
    free = answers_to(replace(question, requirements=replace(requirements, stay="anywhere", offline=False)))
    cloud = free.cheapest_of(question.rented)
    if cloud is None:
        return "no cloud would meet every target even if data could leave"
    might = "with a connection" if requirements.offline else "if data could leave"
    cost = usd(answer.usd_a_month(float(free.cost_usd.median[cloud])))
    return f"{might}, {answer.inputs.named(cloud)} would cost {cost} a month"


def _nearest_own(answer: PlacementAnswer) -> str:
    """Return what keeps the nearest owned hardware from doing the work."""
    own = ~answer.question.rented
    if not own.any():
        return "no owned hardware is known in this release"
    i = answer.outcomes.nearest_of(own)
    name, lack = answer.inputs.named(i), answer.lacks[i]
    if lack is None:
        return f"the price of {name} is unknown"
    lacking = f"{small_initial(LACK_WORDS[lack.lack])} ({lack_detail(lack)})"
    return f"of owned hardware, {name} comes nearest: {lacking}"


def _turning(answer: PlacementAnswer, sides: Sides) -> str:
    """Return at which load, or at which charge, the cheapest place changes sides, as the end of a sentence."""
    question = answer.question
    own_wins = answer.outcomes.cheapest == sides.own
    free = own_wins and not np.any(question.conditions.share) and question.places.kind[sides.own] == PERSONAL
    if free:
        charged = answers_to(replace(question, conditions=replace(question.conditions, share=1.0)))
        if charged.cost_usd.median[sides.own] > charged.cost_usd.median[sides.cloud]:
            return ", cheaper if the device's price is charged"
    if sides.turn is not None:
        load = _load(sides.turn)
        if sides.turn.place in (sides.own, sides.cloud):
            return f", cheaper {load}"
        return f"; {answer.inputs.named(sides.turn.place)} is cheaper {load}"
    return ", costlier even if the device's price is charged" if free else ", costlier at any load"


def break_even(answer: PlacementAnswer) -> Iterator[str]:
    """Yield at how many requests a day the cheapest place changes sides."""
    sides = answer.sides
    if sides is None or sides.turn is None:
        return
    turn, name = sides.turn, answer.inputs.named(sides.turn.place)
    load = answer.question.work.total_requests_per_day
    other = "owned hardware" if answer.outcomes.cheapest == sides.own else "cloud"
    line = (
        f"{sentence_case(_load(turn))} {name} is cheaper than any {other}, each load with the machines it needs; "
        f"this task has {count(round(load) if load >= 10 else load)}."
    )
    if turn.between is not None and turn.word != "between":
        low, high = map(wording.significant, turn.between)
        line += f" Between about {low} and {high} a day the two alternate, as machines are bought one by one."
    yield line


def _load(turn: Turn) -> str:
    """Return the load, or loads, in words."""
    if turn.word == "between" and turn.between is not None:
        low, high = map(wording.significant, turn.between)
        return f"between about {low} and {high} requests a day"
    return f"{turn.word} about {wording.significant(turn.requests_per_day)} requests a day"


def notes(answer: PlacementAnswer, hints: Sequence[str]) -> tuple[str, ...]:
    """Return the caveats that a reader must see; ``hints`` say what would do where nothing does."""
    if answer.outcomes.cheapest is None:
        return tuple(hints[:MOST_NOTES])
    return tuple(_caveats(answer))[:MOST_NOTES]


def _caveats(answer: PlacementAnswer) -> Iterator[str]:
    i, outcomes, inputs, question = answer.at, answer.outcomes, answer.inputs, answer.question
    device = question.places.device[i]
    if question.places.accelerator[i]:
        if device not in inputs.measured:
            names = inputs.measured[:MOST_MEASURED]
            measured = ", ".join(
                name.removeprefix("NVIDIA ").split(" SXM")[0].split(" (")[0] for name in names
            )
            yield (
                f"No measured speed of {device} under load could be used, so its figures rest on {measured}: test "
                "before buying."
            )
        prompt, output = (
            float(np.min(size)) for size in (question.work.prompt_tokens, question.work.output_tokens)
        )
        yield from beyond_words(measured_lengths(), prompt=prompt, answer=output, of="speed")
    if (unproven := outcomes.cheaper_unproven(i)) is not None:
        yield (
            f"{sentence_case(inputs.named(unproven))} might do it for {answer.monthly(unproven)} a month, but no "
            "measured speed of it under load could be used: measure it first."
        )
    if (cheaper := outcomes.cheaper_but_unlikely(i)) is not None:
        yield (
            f"{sentence_case(inputs.named(cheaper))} would cost {answer.monthly(cheaper)} a month but is only "
            f"{chance(float(outcomes.probability[cheaper]))} likely to meet every target."
        )
    alike = outcomes.as_cheap(i, within=CLOSE) if outcomes.meets[i] else []
    if alike:
        costs = ", ".join(f"{inputs.named(k)} at {answer.monthly(k)}" for k in alike)
        yield f"About as cheap, within a tenth: {costs} a month."


def sureness(answer: PlacementAnswer) -> Iterator[str]:
    """Yield how likely the verdict is, and which prices, phones and models are known poorly."""
    i, outcomes, inputs = answer.at, answer.outcomes, answer.inputs
    if outcomes.fits[i] and not outcomes.ruled_out[i]:
        yield (
            f"{sentence_case(inputs.at_place(i))}, {chance(float(outcomes.probability[i]))} of 1,000 draws "
            f"meet every target; it is {limit_words(outcomes.binding[i])}."
        )
    unpriced = outcomes.unpriced
    if unpriced:
        they = "they are" if len(unpriced) > 1 else "it is"
        names = ", ".join(inputs.labels[k].text for k in unpriced)
        yield f"No price is known for {names}, so {they} never called cheapest."
    ratios = answer.question.sustained
    if answer.question.phones.any():
        yield (
            "Phones are poorly known: few were measured, and under sustained load they kept "
            f"{100 * float(np.min(ratios)):.0f}–{100 * float(np.max(ratios)):.0f} % of their first "
            f"speed in {len(ratios)} published tests."
        )
    if answer.question.work.mixture:
        yield "Mixtures of experts are predicted less well than dense models; their intervals are wider."
