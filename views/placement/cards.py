"""The verdict of /placement as cards: what to buy or rent with its numbers, and what the other options lack."""

from collections.abc import Callable

import numpy as np

from analysis.placement.answers import Answers, Spans
from views import wording
from views.placement.buying import in_full, to_buy, usd_a_month
from views.placement.chosen import Chosen, class_of
from views.placement.inputs import PlacementInputs
from views.placement.naming import named
from views.placement.options import CLASS_LABELS
from views.placement.settings import PlacementSettings
from views.placement.shortfall import shortfall
from views.placement.table import BINDING_WORDS, chance, seconds, usd
from views.result import Card, Fact
from views.wording import sentence_case

NOTHING = "–"


def cards(
    settings: PlacementSettings, inputs: PlacementInputs, *, answers: Answers, about: Chosen
) -> tuple[Card, ...]:
    """Return the verdict on the place the page is about, and on every other class."""
    return (
        _verdict(settings, inputs, answers=answers, about=about),
        _others(settings, inputs, answers=answers, about=about),
    )


def _verdict(
    settings: PlacementSettings, inputs: PlacementInputs, *, answers: Answers, about: Chosen
) -> Card:
    i = about.at
    fits = bool(answers.fits[i])
    lack = shortfall(answers, i, sure=settings.sure / 100)
    title = in_full(inputs, answers, i=i) if fits else named(inputs, i)
    return Card(
        name="verdict",
        title=sentence_case(title),
        verdict="Meets every target" if lack is None else lack.word,
        tone="good" if lack is None else "bad",
        facts=_facts(settings, inputs, answers=answers, i=i) if fits else (_memory(answers, i),),
        text=" ".join(filter(None, (_limit(answers, i), _runner_up(inputs, answers, i=i)))),
    )


def _memory(answers: Answers, i: int) -> Fact:
    lack = shortfall(answers, i, sure=1.0)
    return Fact(label="Memory", text=lack.detail if lack is not None else NOTHING)


def _facts(
    settings: PlacementSettings, inputs: PlacementInputs, *, answers: Answers, i: int
) -> tuple[Fact, ...]:
    price, cost = to_buy(inputs, answers, i=i), answers.cost_usd
    rented = bool(inputs.question.rented[i])
    per_month = Spans(
        low=cost.low * _month(inputs), median=cost.median * _month(inputs), high=cost.high * _month(inputs)
    )
    speed = Spans(
        low=1 / answers.token_s.high, median=1 / answers.token_s.median, high=1 / answers.token_s.low
    )
    share = f"{100 * settings.share:.0f} % of it charged" if inputs.question.personal[i] else ""
    return (
        Fact(
            label="Purchase price",
            text=NOTHING if rented else usd(price),
            note="nothing to buy" if rented else share or f"over {settings.years:g} years",
        ),
        _spanned("Cost a month", per_month, i=i, word=usd),
        _spanned("Per 1,000 requests", cost, i=i, word=usd),
        _spanned("First token", answers.first_s, i=i, word=seconds),
        _spanned("Speed", speed, i=i, word=lambda value: f"{wording.significant(value)} tokens/s"),
        Fact(
            label="Meets all targets",
            text=f"{chance(float(answers.probability[i]))} likely",
            note=f"{settings.sure} % required",
        ),
    )


def _month(inputs: PlacementInputs) -> float:
    return usd_a_month(inputs, 1.0)


def _spanned(label: str, spans: Spans, *, i: int, word: Callable[[float], str]) -> Fact:
    low, middle, high = (float(values[i]) for values in (spans.low, spans.median, spans.high))
    if not np.isfinite(middle):
        return Fact(label=label, text="unknown" if label != "First token" else word(middle))
    return Fact(label=label, text=word(middle), note=f"90 %: {wording.interval(word(low), word(high))}")


def _limit(answers: Answers, i: int) -> str:
    if not answers.fits[i] or answers.binding[i] == "rule":
        return ""
    return f"{sentence_case(BINDING_WORDS[answers.binding[i]])}."


def _runner_up(inputs: PlacementInputs, answers: Answers, *, i: int) -> str:
    others = np.arange(len(inputs.names)) != i
    second = answers.cheapest_of(others)
    if second is None:
        return "No other option meets every target."
    cost = usd(usd_a_month(inputs, float(answers.cost_usd.median[second])))
    first_token = seconds(float(answers.first_s.median[second]))
    name = f"{named(inputs, second)} at {cost} a month, first token after {first_token}"
    if not answers.meets[i]:
        return f"Instead: {name}."
    cheaper = answers.cost_usd.median[second] < answers.cost_usd.median[i]
    return f"{'Cheapest' if cheaper else 'Runner-up'}: {name}."


def _others(settings: PlacementSettings, inputs: PlacementInputs, *, answers: Answers, about: Chosen) -> Card:
    own = class_of(inputs, about.at)
    facts = []
    for word, label in CLASS_LABELS.items():
        among = np.array([class_of(inputs, i) == word for i in range(len(inputs.names))], dtype=bool)
        if word == own or not among.any():
            continue
        i = answers.cheapest_of(among)
        i = answers.nearest_of(among) if i is None else i
        lack = shortfall(answers, i, sure=settings.sure / 100)
        cost = usd_a_month(inputs, float(answers.cost_usd.median[i]))
        if lack is None:
            facts.append(Fact(label=label, text=f"{usd(cost)} a month", note="meets every target"))
        else:
            facts.append(Fact(label=label, text=lack.word, note=lack.detail))
    return Card(name="others", title="The other options", facts=tuple(facts))
