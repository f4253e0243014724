"""Key figures, verdict cards and the comparison of places on /placement."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from analysis.intervals import Estimate
from analysis.placement.results import Lack, Spans
from analysis.placement.speed_draws import DRAWS
from charts.chart import Bar
from views import wording, written
from views.axes import log_axis
from views.exhibits import Word, bars_exhibit, count_figure, estimate_figure, stated_figure
from views.placement.amounts import LACK_WORDS, LIMITS, ROLES, chance, hours, joule, limit_words, seconds, usd
from views.placement.answer import Answer, Place, PlaceAnswer, PlacementAnswer, RequestsAt
from views.placement.settings import CLASSES
from views.result import Card, Exhibit, Fact, Figure
from views.table import stated_columns, table
from views.wording import sentence_case, small_initial

NOTHING = "–"
WORDS: dict[str, Word] = {"USD": usd, "s": seconds, "h": hours, "J": joule}
"""Functions that format numbers as text, keyed by unit."""
STATED = written.toml(__file__, name="figures.toml")


def estimate_figures(place: PlaceAnswer, section: str, *, method: str, known: bool = True) -> list[Figure]:
    """Return the figures in a section of figures.toml, with intervals. Unknown values are dashes."""
    figures = []
    for name, stated in STATED[section].items():
        others = {"key": True, **stated, "method": method, "n": DRAWS}
        estimate: Estimate = getattr(place, others.pop("of", name))
        if known and math.isfinite(estimate.value):
            word, ends = WORDS[stated["unit"]], (estimate.low, estimate.high)
            figure = estimate_figure(name, estimate, level=0.9, word=word, **others)
            figures.append(replace(figure, interval_text=wording.interval(*map(word, ends))))
        else:
            figures.append(Figure(name=name, value=None, text=NOTHING, **others))
    return figures


def likely_figure(answer: Answer[Place], *, method: str) -> Figure:
    """Return a figure with the probability of meeting every target, beside the required probability."""
    value, name = answer.selected.probability, "probability_meets_requirement"
    others = {"method": method, "n": DRAWS, "interval_text": f"{answer.settings.sure}% required"}
    return stated_figure(STATED["likely"], name, value=value, text=chance(value), **others)


def figures(answer: PlacementAnswer) -> tuple[Figure, ...]:
    """Return the key figures of the selected place."""
    place, meets = answer.selected, answer.results.meets
    name = place.label.text
    method = f"median and 90% interval of 1,000 simulations at {name}"
    *costs_and_times, energy = estimate_figures(place, "requests", method=method, known=place.possible)
    every = f"share of 1,000 simulations at {name} in which every requirement is met"
    count, label = int(meets.sum()), "Options that meet all targets"
    meeting = count_figure("places_that_meet", count, label=label, text=f"{count} of {len(meets)}")
    return (*costs_and_times, likely_figure(answer, method=every), energy, meeting)


def estimate_fact(label: str, estimate: Estimate, *, word: Word) -> Fact:
    """Return a card line with an estimate and its interval."""
    ends = wording.interval(word(estimate.low), word(estimate.high))
    note = f"90%: {ends}" if math.isfinite(estimate.value) else ""
    return Fact(label=label, text=word(estimate.value), note=note)


def verdict_card(
    answer: Answer[Place],
    *,
    title: str,
    facts: tuple[Fact, ...],
    limit: str = "",
    other: Callable[[Place], str],
) -> Card:
    """Return a card with the verdict on the selected place. ``other`` describes the next best place."""
    place, results = answer.selected, answer.results
    second = answer.place(results.cheapest_but(place.i))
    text = "No other option meets every target."
    if second is not None:
        cheaper = second.cost_usd.value < place.cost_usd.value
        start = "Instead" if place.lack is not None else "Cheapest" if cheaper else "Runner-up"
        text = f"{start}: {other(second)}."
    return Card(
        name="verdict",
        title=title,
        verdict="Meets every target" if place.lack is None else LACK_WORDS[place.lack.lack],
        tone="good" if place.lack is None else "bad",
        facts=facts,
        text=f"{limit}{text}",
    )


def cards(answer: PlacementAnswer) -> tuple[Card, ...]:
    """Return verdict cards for the selected place and for the best place in each other class."""
    place = answer.selected
    memory = Fact(label="Memory", text=NOTHING if place.lack is None else place.detail)
    limited = place.possible and place.binding != "rule"
    verdict = verdict_card(
        answer,
        title=sentence_case(place.act_in_full if place.possible else place.label.named()),
        facts=_facts(answer) if place.possible else (memory,),
        limit=f"{sentence_case(limit_words(place.binding))}. " if limited else "",
        other=lambda at: f"{at.label.named()} at {at.monthly} a month",
    )
    title = "Other options, monthly cost"
    return verdict, Card(name="others", title=title, facts=tuple(_other_classes(answer)))


def _facts(answer: PlacementAnswer) -> tuple[Fact, ...]:
    """Return the lines of the verdict card, without the page's key figures."""
    place, settings = answer.selected, answer.settings
    personal = answer.question.personal[place.i]
    note = f"{100 * settings.share:.0f}% of it is charged" if personal else f"over {settings.years:g} years"
    bought = Fact(label="Purchase price", text=usd(place.bought_usd), note=note)
    return (
        *(() if place.label.rented else (bought,)),
        estimate_fact("Speed", place.speed, word=lambda value: f"{wording.significant(value)} tokens/s"),
    )


def _other_classes(answer: PlacementAnswer) -> Iterator[Fact]:
    """Yield a card line on the best place in each other class."""
    results, own = answer.results, answer.selected.label.class_word
    for word, (label, _) in CLASSES.items():
        among = answer.inputs.of_class(word)
        if word == own or not among.any():
            continue
        place = answer.place(results.cheapest_of(among)) or answer.places[results.nearest_of(among)]
        if place.lack is None:
            yield Fact(label=label, text=place.monthly)
        else:
            yield Fact(label=label, text=LACK_WORDS[place.lack.lack], note=place.detail)


COLUMNS = written.toml(__file__, name="columns.toml")
ABSENT = (Lack.RULE, Lack.MEMORY)
"""Missed targets that leave a place without results."""


def places_exhibit(answer: PlacementAnswer, *, title: str, source: str) -> Exhibit:
    """Return an exhibit of each place's monthly cost and of whether the place meets the targets."""
    return cost_exhibit(
        answer,
        heading="Monthly cost",
        costs=answer.cost_a_month,
        text=_text,
        details=_details,
        title=title,
        source=source,
        section="places",
    )


def cost_exhibit(
    answer: Answer[Place],
    *,
    heading: str,
    costs: Spans,
    text: Callable[[Place], str],
    details: Callable[[Place], tuple[str, ...]] = lambda _: (),
    title: str,
    source: str,
    section: str,
) -> Exhibit:
    """Return an exhibit of the cost at each possible place. Places unlikely to meet the targets are grey.

    ``section`` names the columns of the table. In a chosen class, the place that the page is about is emphasized even
    if it misses a target.
    """
    stated = COLUMNS[section] | {"binding": {**COLUMNS[section]["binding"], "words": LIMITS}}
    estimates = {place.i: costs.at(place.i) for place in answer.places if answer.results.possible[place.i]}
    drawn = {i: cost for i, cost in estimates.items() if math.isfinite(cost.value) and cost.value > 0}
    axis = log_axis(
        heading, [end for cost in drawn.values() for end in (cost.low, cost.value, cost.high)], word=usd
    )

    def bar(place: Place) -> Bar:
        cost, meets = drawn.get(place.i), place.lack is None
        ends = [] if cost is None else [min(max(end, axis.low), axis.high) for end in (cost.low, cost.high)]
        low, high = ends or (None, None)
        return Bar(
            label=place.title,
            value=axis.low if cost is None else cost.value,
            low=low,
            high=high,
            text=text(place),
            role=ROLES[place.kind] if meets else "context",
            emphasised=place is answer.selected and (meets or answer.fixed),
            detail=details(place),
            absent=cost is None,
        )

    shown = _drawn(answer, drawn)
    return bars_exhibit(
        tuple(map(bar, shown)),
        title=title,
        subtitle=f"Dots show the {small_initial(heading)} of each option with its 90% interval. Grey options are less "
        f"than {answer.settings.sure}% likely to meet all targets. The table lists more chips of each kind.",
        source=source,
        axis=axis,
        dots=True,
        numbers=table(stated_columns(stated), [*shown, *(one for one in answer.ordered if one not in shown)]),
    )


def _drawn(answer: Answer[Place], costs: Mapping[int, Estimate]) -> list[Place]:
    """Return the places to draw, adequate ones first: by default, the best of each class and the selected one."""
    settings = answer.settings
    first: dict[str, Place] = {}
    for place in answer.ordered:
        first.setdefault(place.label.class_word, place)
    chosen = settings.only != "any" or settings.chips or settings.device != "none"
    shown = (
        answer.ordered
        if chosen
        else list({one.i: one for one in (*first.values(), answer.selected)}.values())
    )
    will_do = [place for place in shown if place.lack is None and place.i in costs]
    others = [place for place in answer.ordered if place in shown and place not in will_do]
    return [*sorted(will_do, key=lambda place: costs[place.i].value), *others]


def _text(place: RequestsAt) -> str:
    """Return the text beside a place's dot: the target that it misses or, if it misses none, its monthly cost."""
    lack, cost = place.lack, place.month_usd.value
    if lack is None:
        return "price unknown" if math.isnan(cost) else "no cost" if cost == 0 else usd(cost)
    match lack.lack:
        case Lack.FIRST_TOKEN:
            return "starts too late"
        case Lack.CHANCE:
            return f"{chance(lack.reached)} likely"
    return small_initial(LACK_WORDS[lack.lack])


def _details(place: RequestsAt) -> tuple[str, ...]:
    lack, why = place.lack, sentence_case(limit_words(place.binding))
    if lack is not None:
        why = f"{LACK_WORDS[lack.lack]}: {place.detail}"
        if lack.lack in ABSENT:
            return (why,)
    return (f"First token after {place.first_token}", place.tokens_per_s, place.likely, why)
