"""Text of the verdict on /placement."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

from analysis.placement.answers import answers_to, missed_alone
from analysis.placement.by_load import Sides, Turn
from analysis.placement.places import PERSONAL
from analysis.placement.results import Lack, Missed
from analysis.placement.work import COST, FIRST_TOKEN, SPEED
from analysis.serving.tables import measured_lengths
from views import wording, written
from views.placement.amounts import ON, STAYS, chance, gigabytes, seconds, usd
from views.placement.answer import Answer, Place, PlacementAnswer, RequestsAt
from views.placement.settings import PlacementSettings
from views.settings import definitions
from views.wording import beyond_words, fitting, sentence_case

CLOSE = 1.1
"""Factor within which two costs are called similar. The model is not more precise. [1]"""
MOST_NOTES, MOST_MEASURED = 3, 4
_ALWAYS = written.toml(__file__, name="words.toml")["settings_line"]["always"]
FURTHER = tuple(name for name in definitions(PlacementSettings) if name not in _ALWAYS)


def size_words(n_parameters: float) -> str:
    """Return a model's size as text: 8B, 671B, 1T."""
    unit, letter = (1e12, "T") if n_parameters >= 0.9995e12 else (1e9, "B")
    number = n_parameters / unit
    return f"{float(f'{number:.3g}' if number >= 99.5 else f'{number:.2g}'):g}{letter}"


def settings_line(answer: Answer[Place], *, work: str, limits: Sequence[str]) -> str:
    """Return a line on the settings. Some appear only if they differ from the usual ones."""
    settings, requirements = answer.settings, answer.question.requirements
    stay = [STAYS[requirements.data_residency]] if requirements.data_residency != "anywhere" else []
    offline = ["works offline"] if requirements.offline else []
    targets = ", ".join([*limits, *stay, *offline]) or "no targets"
    return (
        f"{work}; {targets}; {settings.year}. {settings.chosen_words(*FURTHER)}"
        f"Epoch AI (CC BY 4.0) and curated data, {answer.release.words}."
    )


def verdict_words(
    answer: Answer[Place], *, yes: Sequence[str], does: Callable[[Place], Iterable[str]]
) -> str:
    """Return a headline on what the place does. For a chosen class, the headline is yes or no and the reason.

    ``yes`` and ``does`` give texts of several lengths, longest first, of which the first that fits is used.
    """
    place, lack = answer.selected, answer.selected.lack
    topic, when, options = answer.topic, answer.when, len(answer.places)
    if answer.unknown:
        return f"{ON[answer.settings.only]}: unknown, because the data have none of {options}"
    if answer.fixed:
        words = (
            [f"yes, {word}" for word in yes] if lack is None else [f"no, {why}" for why in _reasons(answer)]
        )
        return fitting(*(f"{ON[answer.settings.only]}{when}: {word}" for word in words))
    if lack is None:
        return fitting(*does(place))
    detail = place.detail
    if lack.lack is Lack.RULE or (lack.lack is Lack.MEMORY and math.isnan(lack.required)):
        return fitting(
            f"{topic}: all {options} options ruled out, {detail}",
            f"All {options} options are ruled out: {detail}",
        )
    return fitting(
        *([f"{topic}: no option meets all; best has {detail}"] if lack.lack is Lack.MEMORY else ()),
        f"{topic}: no option meets all targets; best {detail}",
        f"{topic}: no option meets all; best {detail}",
        f"{topic}: none meets all; best {detail}",
        f"No option meets all{when}; best {detail}",
        f"Nothing meets all{when}; best {detail}",
    )


def _reasons(answer: Answer[Place]) -> Iterator[str]:
    """Yield reasons why the selected place misses the targets, longest first."""
    lack, detail = answer.selected.lack, answer.selected.detail
    assert lack is not None
    match lack.lack:
        case Lack.SPEED:
            yield f"only {detail}"
        case Lack.FIRST_TOKEN:
            yield from (f"first token after {detail}", f"first token {detail}")
        case Lack.TIME:
            yield f"it takes {detail}"
        case Lack.MEMORY if not math.isnan(lack.required):
            needed = gigabytes(lack.required)
            yield f"{size_words(answer.inputs.n_parameters)} needs {needed} of memory"
            yield from (f"{needed} of memory needed", f"{needed} needed")
        case Lack.COST:
            yield f"it costs {detail}"
        case Lack.CHANCE:
            yield from (detail, f"{chance(lack.reached)} likely")
        case Lack.RULE:
            yield from (detail, "data may not go there")
    yield detail


def headline(answer: PlacementAnswer) -> str:
    """Return a headline on what to buy or rent. For a chosen class, the headline is yes or no and the reason."""
    size, speed = size_words(answer.inputs.n_parameters), answer.selected.tokens_per_s

    def does(place: RequestsAt) -> Iterator[str]:
        money = f"{place.monthly} a month" if math.isfinite(place.cost_usd.value) else "price unknown"
        *_, shortest = acts = place.acts
        yield from (f"{answer.topic}: {act}, {money}" for act in acts)
        yield f"{answer.topic}: {shortest}, {money}".replace(" with a GPU", "")
        yield f"{sentence_case(shortest)}{answer.when}, {money}"

    return verdict_words(answer, yes=(f"{size} answers at {speed}", speed), does=does)


def shortcoming(answer: Answer[Place], *, best: Callable[[Place], str]) -> str | None:
    """Return text that compares the chosen class with the ``best`` place, or states what the nearest place lacks.

    ``best`` describes the cheapest place. Returns None if no class is chosen and a place meets all targets.
    """
    place, lack = answer.selected, answer.selected.lack
    name = sentence_case(place.label.named())
    if answer.fixed:
        state = f"is {place.likely}, and {answer.settings.sure}% is required"
        if lack is not None and lack.lack is Lack.RULE:
            state = "is ruled out"
        elif lack is not None and lack.lack is Lack.MEMORY and not math.isnan(lack.required):
            state = f"has {gigabytes(lack.reached)} of usable memory and needs {gigabytes(lack.required)}"
        cheapest = answer.cheapest
        other = "No option meets all targets" if cheapest is None else f"The cheapest option {best(cheapest)}"
        return f"{name} {state}. {other}."
    return None if lack is None else f"{name} comes closest and is {place.likely}: {place.lacking}."


def subtitle(answer: PlacementAnswer) -> str:
    """Return a subtitle of two sentences, with the interval and the caveat."""
    place = answer.selected
    if line := shortcoming(answer, best=lambda best: f"is {best.label.named()} at {best.monthly} a month"):
        return line
    if not math.isfinite(place.cost_usd.value):
        return f"{sentence_case(catch(answer))}."
    low, high = usd(place.month_usd.low), usd(place.month_usd.high)
    if low == high:
        return f"The cost is known within a few percent{place.priced}. {sentence_case(catch(answer))}."
    return f"The 90% interval is {wording.interval(low, high)} a month{place.priced}. {sentence_case(catch(answer))}."


def catch(answer: PlacementAnswer) -> str:
    """Return a clause on the cost of the alternative, owned or rented."""
    best, sides = answer.cheapest, answer.sides
    if best is None:
        return "no option with a known price meets every target"
    if sides is not None:
        other = answer.places[sides.own if best.i == sides.cloud else sides.cloud]
        turning = _turning(answer, sides)
        comma = "," if other.priced and turning.startswith(" and") else ""
        return f"{other.label.named()} would cost {other.monthly} a month{other.priced}{comma}{turning}"
    return _nearest_own(answer) if best.label.rented else _cloud_without_rules(answer)


def _cloud_without_rules(answer: PlacementAnswer) -> str:
    """Return a clause on the cost of a cloud that is excluded only by the data residency rule."""
    question, requirements = answer.question, answer.question.requirements
    if not requirements.rule:
        return "no cloud meets every target"
    free = answers_to(question.requiring(data_residency="anywhere", offline=False))
    cloud = free.cheapest_of(question.rented)
    if cloud is None:
        return "no cloud would meet every target even if data could leave"
    might = "with a connection" if requirements.offline else "if data could leave"
    cost = usd(question.work.usd_a_month(float(free.cost_usd.median[cloud])))
    return f"{might}, {answer.places[cloud].label.named()} would cost {cost} a month"


def _nearest_own(answer: PlacementAnswer) -> str:
    """Return a clause on the owned hardware nearest to the targets, and on the target it misses."""
    own = ~answer.question.rented
    if not own.any():
        return "no owned hardware is known in this release"
    place = answer.places[answer.results.nearest_of(own)]
    name = place.label.named()
    if place.lack is None:
        return f"the price of {name} is unknown"
    return f"of owned hardware, {name} comes closest: {place.lacking}"


def _turning(answer: PlacementAnswer, sides: Sides) -> str:
    """Return the end of a sentence on when the alternative becomes cheaper."""
    question, best = answer.question, answer.cheapest
    own_wins = best is not None and best.i == sides.own
    free = own_wins and not question.conditions.share and answer.places[sides.own].kind == PERSONAL
    if free:
        cost = answers_to(question.under(share=1.0)).cost_usd.median
        if cost[sides.own] > cost[sides.cloud]:
            return " and is cheaper if the device's price is charged"
    if sides.turn is not None:
        load = _load(sides.turn)
        if sides.turn.place in (sides.own, sides.cloud):
            return f" and is cheaper {load}"
        label = answer.places[sides.turn.place].label
        return f". {sentence_case(label.named(brief=bool(label.year)))} is cheapest {load}"
    return f" and costs more {'even if its price is charged' if free else 'at any load'}"


def break_even(answer: PlacementAnswer) -> Iterator[str]:
    """Yield sentences on the daily requests at which owned and rented hardware cost the same."""
    sides, best = answer.sides, answer.cheapest
    if sides is None or sides.turn is None or best is None:
        return
    turn, other = sides.turn, "owned hardware" if best.i == sides.own else "cloud"
    name = answer.places[turn.place].label.named()
    yield f"{sentence_case(_load(turn))}, {name} is cheaper than any {other}."
    if turn.between is not None and turn.word != "between":
        low, high = map(wording.significant, turn.between)
        yield (
            f"Between about {low} and {high} requests a day, either owned or rented hardware can be cheapest, "
            "because machines can only be bought whole."
        )


def _load(turn: Turn) -> str:
    if turn.word == "between" and turn.between is not None:
        low, high = map(wording.significant, turn.between)
        return f"between about {low} and {high} requests a day"
    return f"{turn.word} about {wording.significant(turn.requests_per_day)} requests a day"


def caveats(answer: PlacementAnswer) -> Iterator[str]:
    """Yield the caveats that the result needs."""
    place, results, places, question = answer.selected, answer.results, answer.places, answer.question
    if question.places.accelerator[place.i]:
        device, measured = question.places.device[place.i], question.fits.accelerators
        if device not in measured:
            short = (name.removeprefix("NVIDIA ").split(" SXM")[0].split(" (")[0] for name in measured)
            yield (
                f"No usable speed of {device} under load has been published, so its figures are based on "
                f"{wording.listed([*short][:MOST_MEASURED])}. Test it before buying."
            )
        prompt, output = float(question.work.prompt_tokens), float(question.work.output_tokens)
        yield from beyond_words(measured_lengths(), prompt=prompt, answer=output, of="speed")
    if (unproven := answer.place(results.cheaper_unproven(place.i))) is not None:
        yield (
            f"{sentence_case(unproven.label.named())} might meet all targets for {unproven.monthly} a month, but no "
            "usable speed of it under load has been published. Measure it first."
        )
    if (cheaper := answer.place(results.cheaper_but_unlikely(place.i))) is not None:
        yield (
            f"{sentence_case(cheaper.label.named())} would cost {cheaper.monthly} a month but is only "
            f"{cheaper.likely}."
        )
    as_cheap = results.as_cheap(place.i, within=CLOSE) if place.lack is None else []
    if as_cheap:
        costs = wording.listed([f"{places[k].label.named()} at {places[k].monthly}" for k in as_cheap])
        yield f"{sentence_case(costs)} a month {'are' if len(as_cheap) > 1 else 'is'} within 10% of that cost."


def sureness(answer: PlacementAnswer) -> Iterator[str]:
    """Yield sentences on poorly known prices, phones and models."""
    unpriced, ratios = answer.results.unpriced, answer.question.sustained
    if unpriced:
        they = "they are" if len(unpriced) > 1 else "it is"
        names = ", ".join(answer.places[k].label.text for k in unpriced)
        yield f"No price is known for {names}, so {they} never ranked as cheapest."
    if answer.question.phones.any():
        yield (
            "Phone speeds are uncertain, because few phones were measured. Under sustained load, phones kept "
            f"{100 * min(ratios):.0f}–{100 * max(ratios):.0f}% of their initial speed in {len(ratios)} published tests."
        )
    if answer.question.work.mixture:
        yield "Predicted speed is less accurate for mixtures of experts than for dense models, so intervals are wider."


LIMITS = {
    FIRST_TOKEN: (
        "the limit on the time to first token ({:,.6g} s)",
        lambda value: f"first token after {seconds(value)}",
    ),
    SPEED: (
        "the required speed ({:,.6g} tokens a second)",
        lambda value: f"{wording.significant(1 / value)} tokens a second",
    ),
    COST: ("the budget ({} per 1,000 requests)", lambda value: f"{usd(value)} per 1,000 requests"),
}
"""Each limit as text, and a place's median result for it, keyed by requirement."""


def ruled_out(answer: PlacementAnswer) -> Iterator[str]:
    """Yield sentences on which requirement to give up, and on what each requirement rules out."""
    results, requirements = answer.results, answer.question.requirements
    limits = {
        name: words.format(usd(limit) if name == COST else limit)
        for name, (words, _) in LIMITS.items()
        if (limit := getattr(requirements, name)) is not None
    }
    given_up = list(_given_up(answer, limits))
    yield from given_up or [_nothing_alone(answer, limits)]
    yield from _too_small(answer)
    rules = [STAYS[requirements.data_residency]] if requirements.data_residency != "anywhere" else []
    rules += ["it works offline"] if requirements.offline else []
    if excluded := int(results.ruled_out.sum()):
        yield f"The requirement that {' and '.join(rules)} rules out {of_options(excluded, len(answer.places))}."
    if not results.possible.any():
        return
    for name, limit in limits.items():
        yield from ruled_out_alone(answer, missed_alone(results, name), limit=limit, words=LIMITS[name][1])


def ruled_out_alone(
    answer: Answer[Place], missed: Missed, *, limit: str, words: Callable[[float], str]
) -> Iterator[str]:
    """Yield a sentence on how many options a limit alone rules out."""
    if missed.count:
        which = (
            "the only option" if missed.count == missed.left == 1 else of_options(missed.count, missed.left)
        )
        line = f"On its own, {limit} rules out {which} left"
        if missed.count == missed.left:
            line += f". The nearest is {answer.places[missed.nearest].label.named()}: {words(missed.reached)}"
        yield f"{line}."


def of_options(count: int, all_of: int) -> str:
    """Return a number of options as text: 3 of 16 options, all 16 options."""
    options = "option" if all_of == 1 else "options"
    return f"all {all_of} {options}" if count == all_of > 1 else f"{count} of {all_of} {options}"


def _too_small(answer: PlacementAnswer) -> Iterator[str]:
    small = [place for place in answer.places if not place.possible]
    if small:
        largest = max(small, key=lambda place: place.usable_gbyte)
        usable, need = (gigabytes(size * 1e9) for size in (largest.usable_gbyte, largest.need_gbyte))
        name = largest.label.named()
        which = f"the largest of them, {name}," if len(small) > 1 else name
        yield f"Memory rules out {of_options(len(small), len(answer.places))}: {which} has {usable} and needs {need}."


def _given_up(answer: PlacementAnswer, limits: dict[str, str]) -> Iterator[str]:
    """Yield a sentence on each requirement whose removal is enough, and on the place that then suffices."""
    for name, limit in limits.items():
        without = answers_to(answer.question.requiring(**{name: None}))
        if (i := without.cheapest) is not None:
            reached = LIMITS[name][1](float(without.limited[name].median[i]))
            yield f"Without {limit}, {answer.places[i].label.named()} would meet all targets: {reached}."
    if answer.question.requirements.rule:
        free = answers_to(answer.question.requiring(data_residency="anywhere", offline=False))
        if (i := free.cheapest) is not None:
            cost = LIMITS[COST][1](float(free.cost_usd.median[i]))
            yield f"If data could leave, {answer.places[i].label.named()} would meet all targets: {cost}."


def _nothing_alone(answer: PlacementAnswer, limits: dict[str, str]) -> str:
    count = len(limits) + bool(answer.question.requirements.rule)
    if count < 2:
        return "Choose a smaller model, or fewer bits per weight."
    return f"Dropping one of the {count} limits is not enough. Relax at least two."
