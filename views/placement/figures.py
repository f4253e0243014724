"""The key figures of the place that /placement is about, and its verdict as cards."""

from collections.abc import Callable, Iterator

import numpy as np

from analysis.placement.answers import Spans
from analysis.placement.luck import DRAWS
from views import wording
from views.placement.amounts import LACK_WORDS, chance, lack_detail, limit_words, seconds, usd
from views.placement.answer import PlacementAnswer
from views.placement.options import CLASSES
from views.result import Card, Fact, Figure
from views.wording import sentence_case

NOTHING = "–"
Word = Callable[[float], str]


def spans_figure(
    name: str, spans: Spans, *, i: int, label: str, unit: str, word: Word, known: bool, **others: object
) -> Figure:
    """Return median and interval of a quantity at place ``i``; a dash where it is not known."""
    low, value, high = (float(values[i]) for values in (spans.low, spans.median, spans.high))
    return Figure(
        name=name,
        label=label,
        value=value if known else None,
        unit=unit,
        text=word(value) if known else NOTHING,
        low=low if known else None,
        high=high if known else None,
        level=0.9 if known else None,
        interval_text=wording.interval(word(low), word(high)) if known else "",
        n=DRAWS,
        **others,  # type: ignore[arg-type]
    )


def spans_fact(label: str, spans: Spans, *, i: int, word: Word) -> Fact:
    """Return median and interval of a quantity at place ``i`` as a line of a card."""
    low, median, high = (float(values[i]) for values in (spans.low, spans.median, spans.high))
    note = f"90 %: {wording.interval(word(low), word(high))}" if np.isfinite(median) else ""
    return Fact(label=label, text=word(median), note=note)


def likely_figure(probability: float, *, method: str) -> Figure:
    """Return the chance of a place to meet every target."""
    return Figure(
        name="probability_meets_requirement",
        label="Meets all targets",
        value=probability,
        unit="1",
        text=chance(probability),
        method=method,
        n=DRAWS,
    )


def likely_fact(probability: float, *, sure: int) -> Fact:
    """Return that chance as a line of a card, beside what is required in percent."""
    return Fact(label="Meets all targets", text=f"{chance(probability)} likely", note=f"{sure} % required")


def figures(answer: PlacementAnswer) -> tuple[Figure, ...]:
    """Return the key figures of the place that the page is about."""
    i, outcomes, month = answer.at, answer.outcomes, answer.cost_a_month
    name = answer.inputs.labels[i].text

    def spanned(key: str, spans: Spans, *, label: str, unit: str, word: Word, shown: bool = False) -> Figure:
        known = bool(np.isfinite(spans.median[i]) and outcomes.fits[i])
        method = f"median and 90 % of 1,000 draws at {name}"
        return spans_figure(
            key, spans, i=i, label=label, unit=unit, word=word, known=known, method=method, key=shown
        )

    cost, first, token = outcomes.cost_usd, outcomes.first_s, outcomes.token_s
    return (
        spanned("cost_usd_per_month", month, label="Cost a month", unit="USD", word=usd, shown=True),
        spanned("cost_usd_per_1000_requests", cost, label="Cost of 1,000 requests", unit="USD", word=usd),
        spanned("time_to_first_token_s", first, label="First token", unit="s", word=seconds, shown=True),
        spanned("time_per_output_token_s", token, label="Time per token", unit="s", word=seconds),
        likely_figure(
            float(outcomes.probability[i]),
            method=f"share of 1,000 draws at {name} in which every requirement is met",
        ),
        spanned(
            "energy_j_per_request",
            outcomes.energy_j,
            label="Energy per request",
            unit="J",
            word=lambda value: f"{wording.significant(value)} J",
        ),
        Figure(
            name="places_that_meet",
            label="Options that meet all targets",
            value=float(outcomes.meets.sum()),
            unit="",
            text=f"{int(outcomes.meets.sum())} of {len(outcomes.meets)}",
            key=False,
        ),
    )


def cards(answer: PlacementAnswer) -> tuple[Card, ...]:
    """Return the verdict on the place that the page is about, and on every other class."""
    i, lack, outcomes = answer.at, answer.lack, answer.outcomes
    fits = bool(outcomes.fits[i])
    limit = f"{sentence_case(limit_words(outcomes.binding[i]))}. "
    memory = Fact(label="Memory", text=NOTHING if lack is None else lack_detail(lack))
    verdict = Card(
        name="verdict",
        title=sentence_case(answer.act_in_full(i) if fits else answer.inputs.named(i)),
        verdict="Meets every target" if lack is None else LACK_WORDS[lack.lack],
        tone="good" if lack is None else "bad",
        facts=_facts(answer) if fits else (memory,),
        text=f"{limit if fits and not outcomes.ruled_out[i] else ''}{_runner_up(answer)}",
    )
    return verdict, Card(name="others", title="The other options", facts=tuple(_other_classes(answer)))


def _facts(answer: PlacementAnswer) -> tuple[Fact, ...]:
    i, outcomes, settings = answer.at, answer.outcomes, answer.settings
    charged = f"{100 * settings.share:.0f} % of it charged" if answer.question.personal[i] else ""
    bought = Fact(
        label="Purchase price",
        text=usd(answer.bought_usd(i)),
        note=charged or f"over {settings.years:g} years",
    )
    rented = Fact(label="Purchase price", text=NOTHING, note="nothing to buy")
    return (
        rented if answer.inputs.labels[i].rented else bought,
        spans_fact("Cost a month", answer.cost_a_month, i=i, word=usd),
        spans_fact("Per 1,000 requests", outcomes.cost_usd, i=i, word=usd),
        spans_fact("First token", outcomes.first_s, i=i, word=seconds),
        spans_fact(
            "Speed",
            outcomes.token_s.reciprocal,
            i=i,
            word=lambda value: f"{wording.significant(value)} tokens/s",
        ),
        likely_fact(float(outcomes.probability[i]), sure=settings.sure),
    )


def _runner_up(answer: PlacementAnswer) -> str:
    i, outcomes = answer.at, answer.outcomes
    second = outcomes.cheapest_of(np.arange(len(outcomes.meets)) != i)
    if second is None:
        return "No other option meets every target."
    cheaper = outcomes.cost_usd.median[second] < outcomes.cost_usd.median[i]
    start = "Instead" if not outcomes.meets[i] else "Cheapest" if cheaper else "Runner-up"
    first_token = seconds(float(outcomes.first_s.median[second]))
    cost = answer.monthly(second)
    return f"{start}: {answer.inputs.named(second)} at {cost} a month, first token after {first_token}."


def _other_classes(answer: PlacementAnswer) -> Iterator[Fact]:
    """Yield the best place of every other class: its cost, or what it lacks."""
    own, outcomes = answer.inputs.class_of(answer.at), answer.outcomes
    for word, (label, _) in CLASSES.items():
        among = answer.inputs.of_class(word)
        if word == own or not among.any():
            continue
        i = outcomes.cheapest_of(among)
        i = outcomes.nearest_of(among) if i is None else i
        lack = answer.lacks[i]
        if lack is None:
            yield Fact(label=label, text=f"{answer.monthly(i)} a month", note="meets every target")
        else:
            yield Fact(label=label, text=LACK_WORDS[lack.lack], note=lack_detail(lack))
