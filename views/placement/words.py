"""The verdict of /placement in words: where, why, what binds, and what would change it."""

from dataclasses import replace

import numpy as np

from analysis.placement.answers import Answers, answers_to
from views import wording
from views.placement.asked import FIRST_YEAR
from views.placement.by_load import Sides, break_even, turning
from views.placement.inputs import PlacementInputs
from views.placement.naming import at_place, named
from views.placement.ruled_out import ruled_out
from views.placement.settings import PlacementSettings
from views.placement.table import BINDING_WORDS, chance, room, seconds, usd

CLOSE = 1.1
"""Costs within this factor of each other are told as alike: the model tells no finer."""


def headline(
    settings: PlacementSettings, inputs: PlacementInputs, *, answers: Answers, sides: Sides | None
) -> str:
    """Return where the work runs best, why, what would change that, and what binds there."""
    noun, best = settings.preset.noun, answers.cheapest
    when = f"In {settings.year} " if settings.year > FIRST_YEAR else ""
    if best is None:
        near = answers.nearest
        return (
            f"{'No' if not when else when + 'no'} place meets all that is asked of {wording.small_initial(noun)}; "
            f"{named(inputs, near)} comes nearest: {_lack(answers, near)}"
        )
    start = f"{when}{wording.small_initial(noun)}" if when else noun
    cost = usd(float(answers.cost_usd.median[best]))
    start = f"{start} runs cheapest {at_place(inputs, best)}: {cost} per 1,000 requests"
    if sides is None:
        rented = inputs.question.rented[best]
        change = _nearest_own(inputs, answers) if rented else _free(inputs)
    else:
        other = sides.own if best == sides.cloud else sides.cloud
        cost = usd(float(answers.cost_usd.median[other]))
        change = f", {cost} {at_place(inputs, other)}{turning(inputs, answers, sides=sides)}"
    return f"{start}{change}; {BINDING_WORDS[answers.binding[best]]}"


def _lack(answers: Answers, i: int) -> str:
    binding = answers.binding[i]
    return f"{room(answers, i)} of memory" if binding == "capacity" else BINDING_WORDS[binding]


def _free(inputs: PlacementInputs) -> str:
    """Return what a cloud would cost where only the rule that texts stay keeps it out."""
    question, requirements = inputs.question, inputs.question.requirements
    if requirements.stay == "anywhere" and not requirements.offline:
        return "; no cloud meets what is asked"
    free = answers_to(replace(question, requirements=replace(requirements, stay="anywhere", offline=False)))
    cloud = free.cheapest_of(question.rented)
    if cloud is None:
        return "; no cloud would meet what is asked"
    might = "were a connection allowed" if requirements.offline else "were texts allowed out"
    return f"; {might}, {named(inputs, cloud)} would cost {usd(float(free.cost_usd.median[cloud]))}"


def _nearest_own(inputs: PlacementInputs, answers: Answers) -> str:
    """Return what keeps the nearest place of one's own from doing the work."""
    own = ~inputs.question.rented
    if not own.any():
        return ""
    i = answers.nearest_of(own)
    return f"; {named(inputs, i)} comes nearest of one's own places ({BINDING_WORDS[answers.binding[i]]})"


def notes(
    inputs: PlacementInputs, answers: Answers, *, sides: Sides | None, ahead: bool = False
) -> tuple[str, ...]:
    """Return what binds, what would change the verdict, what is ruled out by what, and what is poorly known."""
    lines: list[str] = []
    best = answers.cheapest
    if best is not None:
        low, median, high = (
            seconds(float(values[best]))
            for values in (answers.first_s.low, answers.first_s.median, answers.first_s.high)
        )
        lines.append(
            f"{wording.sentence_case(at_place(inputs, best))} {BINDING_WORDS[answers.binding[best]]}: "
            f"first token after {median} ({wording.at_level(0.9, low=low, high=high)}), "
            f"{wording.significant(1 / float(answers.token_s.median[best]))} tokens a second, "
            f"{chance(float(answers.probability[best]))} sure to meet all."
        )
        lines += _as_cheap(inputs, answers, best=best)
        lines += _unmeasured(inputs, best)
        lines += _cheaper(inputs, answers, best=best)
        lines += break_even(inputs, answers, sides=sides)
    else:
        lines += ruled_out(inputs, answers)
    if ahead:
        lines.append(
            "Only that year's hardware is compared here; a machine of an earlier year may be the cheaper one, and "
            "counts in the chart by year."
        )
    return (*lines, *_poorly_known(inputs, answers))


def _poorly_known(inputs: PlacementInputs, answers: Answers) -> list[str]:
    """Return which prices, phones and models are known poorly."""
    lines: list[str] = []
    unknown = [inputs.names[i] for i in np.flatnonzero(np.isnan(answers.cost_usd.median))]
    if unknown:
        they = "they are" if len(unknown) > 1 else "it is"
        lines.append(f"No price is known of: {', '.join(unknown)}; {they} never called cheapest.")
    ratios = inputs.question.sustained
    if inputs.question.phones.any():
        lines.append(
            "Phones are poorly known: few were measured, and under lasting work they kept "
            f"{100 * float(np.min(ratios)):.0f}–{100 * float(np.max(ratios)):.0f} % of their first "
            f"speed in {len(ratios)} published tests."
        )
    if inputs.question.work.mixture:
        lines.append(
            "Mixtures of experts are predicted less well than dense models; their intervals are wider."
        )
    return lines


def _as_cheap(inputs: PlacementInputs, answers: Answers, *, best: int) -> list[str]:
    """Return which places cost as much as the cheapest, as far as the model can tell."""
    cost = answers.cost_usd.median
    alike = [int(i) for i in np.flatnonzero(answers.meets & (cost <= CLOSE * cost[best])) if i != best]
    if not alike:
        return []
    costs = ", ".join(f"{named(inputs, i)} at {usd(float(cost[i]))}" for i in alike)
    return [f"About as cheap, within a tenth: {costs}."]


def _unmeasured(inputs: PlacementInputs, best: int) -> list[str]:
    """Return that the full load of the cheapest place was never measured, where it was not."""
    places = inputs.question.places
    device = places.device[best]
    if not places.accelerator[best] or device in inputs.measured:
        return []
    known = ", ".join(name.removeprefix("NVIDIA ").split(" SXM")[0] for name in inputs.measured)
    return [
        f"No published full load of {device} could be used, so its figures rest on those of {known}; hold them "
        "against a trial before buying."
    ]


def _cheaper(inputs: PlacementInputs, answers: Answers, *, best: int) -> list[str]:
    """Return which place would cost less and comes nearest to meeting what is requirements."""
    cost, held = answers.cost_usd.median, answers.fits & ~answers.ruled_out
    less = np.flatnonzero(held & ~answers.meets & (cost < cost[best]))
    if not len(less):
        return []
    i = int(less[np.argmax(answers.probability[less])])
    return [
        f"{wording.sentence_case(named(inputs, i))} would cost {usd(float(cost[i]))} but is "
        f"{chance(float(answers.probability[i]))} sure to meet all: {BINDING_WORDS[answers.binding[i]]}."
    ]
