"""The verdict of /placement in words: what to buy or rent, the catch, and what would change it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from analysis.placement.answers import Answers, answers_to
from analysis.serving.tables import measured_lengths
from views import wording
from views.chips.measured_lengths import beyond_words
from views.placement.asked import FIRST_YEAR
from views.placement.buying import act, usd_a_month
from views.placement.by_load import Sides, turning
from views.placement.chosen import Chosen
from views.placement.inputs import PlacementInputs
from views.placement.naming import at_place, named
from views.placement.settings import PlacementSettings
from views.placement.shortfall import Shortfall, shortfall
from views.placement.table import BINDING_WORDS, chance, usd

CLOSE = 1.1
"""Costs within this factor of each other are told as alike: the model tells no finer."""
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


def when(settings: PlacementSettings) -> str:
    """Return the year as the end of a phrase, empty for today."""
    return f" in {settings.year}" if settings.year > FIRST_YEAR else ""


def topic(settings: PlacementSettings) -> str:
    """Return the task, with the year where it is a later one."""
    return f"{settings.preset.noun}{when(settings)}"


def size_words(inputs: PlacementInputs) -> str:
    """Return the size of the model: 8B, 671B, 1T."""
    weights = np.broadcast_to(inputs.question.work.weights_byte, len(inputs.names))
    devices = weights[~inputs.question.places.accelerator]
    if not len(devices):
        return "the model"
    size = float(np.min(devices)) * 8 / inputs.bits
    unit, letter = (1e12, "T") if size >= 0.9995e12 else (1e9, "B")
    number = size / unit
    return f"{float(f'{number:.3g}' if number >= 99.5 else f'{number:.2g}'):g}{letter}"


def headline(settings: PlacementSettings, inputs: PlacementInputs, *, answers: Answers, about: Chosen) -> str:
    """Return what to buy or rent and its cost a month; of a class asked about, yes or no and why."""
    if about.unknown:
        return f"{ON[settings.only]}: not known, the data holds none of {len(inputs.names)}"
    if about.fixed:
        return _yes_or_no(settings, inputs, answers=answers, i=about.at)
    if not about.meets:
        return _nothing(settings, answers, i=about.at)
    cost = usd_a_month(inputs, float(answers.cost_usd.median[about.at]))
    money = f"{usd(cost)} a month" if np.isfinite(cost) else "price unknown"
    acts = act(inputs, answers, i=about.at)
    return fitting(
        *(f"{topic(settings)}: {one}, {money}" for one in acts),
        f"{topic(settings)}: {acts[-1]}, {money}".replace(" with a GPU", ""),
        f"{wording.sentence_case(acts[-1])}{when(settings)}, {money}",
    )


def _nothing(settings: PlacementSettings, answers: Answers, *, i: int) -> str:
    lack = shortfall(answers, i, sure=settings.sure / 100)
    assert lack is not None
    start = topic(settings)
    if lack.word == "Ruled out":
        count = f"all {len(answers.meets)} options"
        return fitting(
            f"{start}: {count} ruled out, {lack.detail}",
            f"{wording.sentence_case(count)} are ruled out: {lack.detail}",
        )
    return fitting(
        *(
            (f"{start}: no option meets all; best has {lack.detail}",)
            if lack.word == "Memory too small"
            else ()
        ),
        f"{start}: no option meets all targets; best {lack.detail}",
        f"{start}: no option meets all; best {lack.detail}",
        f"{start}: none meets all; best {lack.detail}",
        f"No option meets all{when(settings)}; best {lack.detail}",
        f"None meets all{when(settings)}; best {lack.detail}",
    )


def _yes_or_no(settings: PlacementSettings, inputs: PlacementInputs, *, answers: Answers, i: int) -> str:
    start, size = f"{ON[settings.only]}{when(settings)}", size_words(inputs)
    lack = shortfall(answers, i, sure=settings.sure / 100)
    if lack is None:
        speed = f"{wording.significant(1 / float(answers.token_s.median[i]))} tokens/s"
        return fitting(f"{start}: yes, {size} answers at {speed}", f"{start}: yes, {speed}")
    reasons = {
        "Too slow": (f"only {lack.detail}",),
        "First token too late": (f"first token after {lack.detail}", f"first token {lack.detail}"),
        "Memory too small": (
            f"{size} needs {_needed(lack)} of memory",
            f"{_needed(lack)} of memory needed",
            f"{_needed(lack)} needed",
        ),
        "Over budget": (f"it costs {lack.detail}",),
        "Not sure enough": (lack.detail, lack.detail.partition(",")[0]),
        "Ruled out": (lack.detail, "data may not go there"),
    }.get(lack.word, ())
    return fitting(*(f"{start}: no, {reason}" for reason in (*reasons, lack.detail)))


def _needed(lack: Shortfall) -> str:
    """Return how much memory a place lacks to hold the work: the second of the two numbers."""
    return lack.detail.partition(", ")[2].removesuffix(" needed")


def _memory(lack: Shortfall) -> str:
    return f"{lack.detail.partition(', ')[0]} of memory usable, {_needed(lack)} needed"


def subtitle(
    settings: PlacementSettings,
    inputs: PlacementInputs,
    *,
    answers: Answers,
    about: Chosen,
    sides: Sides | None,
) -> str:
    """Return the interval and the catch in one line."""
    i = about.at
    name, cost = wording.sentence_case(named(inputs, i)), answers.cost_usd
    likely = f"{chance(float(answers.probability[i]))} likely to meet every target"
    lack = shortfall(answers, i, sure=settings.sure / 100)
    if about.fixed:
        known = lack is not None and lack.word in ("Memory too small", "Ruled out")
        found = f"{likely}, {settings.sure} % required"
        if lack is not None and known:
            found = _memory(lack) if lack.word == "Memory too small" else "ruled out"
        return f"{name}: {found}; {_elsewhere(inputs, answers)}."
    if lack is not None:
        return f"{name} comes nearest, {likely}: {wording.small_initial(lack.word)} ({lack.detail})."
    told = catch(settings, inputs, answers=answers, sides=sides)
    if not np.isfinite(cost.median[i]):
        return f"{wording.sentence_case(told)}."
    low, high = (usd(usd_a_month(inputs, float(ends[i]))) for ends in (cost.low, cost.high))
    if low == high:
        return f"The cost is known to within a few per cent; {told}."
    return f"90 % interval {wording.interval(low, high)} a month; {told}."


def _elsewhere(inputs: PlacementInputs, answers: Answers) -> str:
    best = answers.cheapest
    if best is None:
        return "no option meets every target"
    cost = usd(usd_a_month(inputs, float(answers.cost_usd.median[best])))
    return f"the cheapest option is {named(inputs, best)} at {cost} a month"


def catch(
    settings: PlacementSettings, inputs: PlacementInputs, *, answers: Answers, sides: Sides | None
) -> str:
    """Return what the other side would cost, owned or rented, and when it would be the cheaper one."""
    best = answers.cheapest
    if best is None:
        return "no option with a known price meets every target"
    if sides is not None:
        other = sides.own if best == sides.cloud else sides.cloud
        cost = usd(usd_a_month(inputs, float(answers.cost_usd.median[other])))
        return f"{named(inputs, other)} would cost {cost} a month{turning(inputs, answers, sides=sides)}"
    if inputs.question.rented[best]:
        return _nearest_own(settings, inputs, answers=answers)
    return _free(inputs)


def _free(inputs: PlacementInputs) -> str:
    """Return what a cloud would cost where only the rule that data stays keeps it out."""
    question, requirements = inputs.question, inputs.question.requirements
    if requirements.stay == "anywhere" and not requirements.offline:
        return "no cloud meets every target"
    free = answers_to(replace(question, requirements=replace(requirements, stay="anywhere", offline=False)))
    cloud = free.cheapest_of(question.rented)
    if cloud is None:
        return "no cloud would meet every target even if data could leave"
    might = "with a connection" if requirements.offline else "if data could leave"
    cost = usd(usd_a_month(inputs, float(free.cost_usd.median[cloud])))
    return f"{might}, {named(inputs, cloud)} would cost {cost} a month"


def _nearest_own(settings: PlacementSettings, inputs: PlacementInputs, *, answers: Answers) -> str:
    """Return what keeps the nearest owned hardware from doing the work."""
    own = ~inputs.question.rented
    if not own.any():
        return "no owned hardware is known in this release"
    i = answers.nearest_of(own)
    lack = shortfall(answers, i, sure=settings.sure / 100)
    if lack is None:
        return f"the price of {named(inputs, i)} is unknown"
    return f"of owned hardware, {named(inputs, i)} comes nearest: {wording.small_initial(lack.word)} ({lack.detail})"


def notes(
    inputs: PlacementInputs, answers: Answers, *, about: Chosen, hints: Sequence[str]
) -> tuple[str, ...]:
    """Return the caveats that a reader must see; ``hints`` say what would do where nothing does."""
    if answers.cheapest is None:
        return tuple(hints[:MOST_NOTES])
    lines = [
        *_unmeasured(inputs, about.at),
        *_beyond(inputs, about.at),
        *_unproven(inputs, answers, best=about.at),
        *_cheaper(inputs, answers, best=about.at),
        *_as_cheap(inputs, answers, best=about.at),
    ]
    return tuple(lines[:MOST_NOTES])


def sureness(inputs: PlacementInputs, answers: Answers, *, about: Chosen) -> list[str]:
    """Return how likely the verdict is, and which prices, phones and models are known poorly."""
    i = about.at
    lines: list[str] = []
    if answers.fits[i] and answers.binding[i] != "rule":
        lines.append(
            f"{wording.sentence_case(at_place(inputs, i))}, {chance(float(answers.probability[i]))} of 1,000 draws "
            f"meet every target; it is {BINDING_WORDS[answers.binding[i]]}."
        )
    unknown = [inputs.names[k] for k in np.flatnonzero(np.isnan(answers.cost_usd.median))]
    if unknown:
        they = "they are" if len(unknown) > 1 else "it is"
        lines.append(f"No price is known for {', '.join(unknown)}, so {they} never called cheapest.")
    ratios = inputs.question.sustained
    if inputs.question.phones.any():
        lines.append(
            "Phones are poorly known: few were measured, and under sustained load they kept "
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
    near = answers.meets & (cost <= CLOSE * cost[best]) & (cost >= cost[best] / CLOSE)
    proven = inputs.question.proven
    alike = [int(i) for i in np.flatnonzero(near) if i != best and (proven[i] or not proven[best])]
    if not alike or not answers.meets[best]:
        return []
    costs = ", ".join(f"{named(inputs, i)} at {usd(usd_a_month(inputs, float(cost[i])))}" for i in alike)
    return [f"About as cheap, within a tenth: {costs} a month."]


def _unmeasured(inputs: PlacementInputs, best: int) -> list[str]:
    """Return that the cheapest place was never measured under load, where it was not."""
    places = inputs.question.places
    device = places.device[best]
    if not places.accelerator[best] or device in inputs.measured:
        return []
    most = inputs.measured[:MOST_MEASURED]
    known = ", ".join(name.removeprefix("NVIDIA ").split(" SXM")[0].split(" (")[0] for name in most)
    return [
        f"No measured speed of {device} under load could be used, so its figures rest on {known}: test before buying."
    ]


def _beyond(inputs: PlacementInputs, best: int) -> list[str]:
    """Return that a prompt or an answer is shorter or longer than any measured under load, where it is."""
    work = inputs.question.work
    if not inputs.question.places.accelerator[best]:
        return []
    prompt, answer = float(np.min(work.prompt_tokens)), float(np.min(work.output_tokens))
    return beyond_words(measured_lengths(), prompt=prompt, answer=answer, of="speed")


def _unproven(inputs: PlacementInputs, answers: Answers, *, best: int) -> list[str]:
    """Return what an accelerator would cost that the model finds cheaper and nobody measured."""
    cost = np.where(inputs.question.proven, np.inf, answers.cost_usd.median)
    i = int(np.argmin(np.where(answers.meets, cost, np.inf)))
    if not (answers.meets[i] and cost[i] < answers.cost_usd.median[best]):
        return []
    return [
        f"{wording.sentence_case(named(inputs, i))} might do it for "
        f"{usd(usd_a_month(inputs, float(cost[i])))} a month, but no measured "
        "speed of it under load could be used: measure it first."
    ]


def _cheaper(inputs: PlacementInputs, answers: Answers, *, best: int) -> list[str]:
    """Return which place would cost less and comes nearest to meeting the targets."""
    cost, held = answers.cost_usd.median, answers.fits & ~answers.ruled_out
    less = np.flatnonzero(held & ~answers.meets & (cost < cost[best]))
    if not len(less):
        return []
    i = int(less[np.argmax(answers.probability[less])])
    return [
        f"{wording.sentence_case(named(inputs, i))} would cost {usd(usd_a_month(inputs, float(cost[i])))} a month "
        f"but is only {chance(float(answers.probability[i]))} likely to meet every target."
    ]
