"""The places side by side: what the work costs there, as dots with intervals and as a table with every number."""

import math
from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Any

from analysis.arrays import BoolArray
from analysis.placement.results import Lack, Spans
from charts.chart import Bar
from views import written
from views.axes import log_axis
from views.exhibits import bars_exhibit
from views.placement.amounts import LACK_WORDS, LIMITS, ROLES, chance, lack_detail, limit_words, usd
from views.placement.answer import Answer, Place, PlacementAnswer, RequestsAt
from views.result import Exhibit
from views.table import Getter, column, finite, table
from views.wording import sentence_case, small_initial

COLUMNS = written.toml(__file__, name="columns.toml")
ABSENT = (Lack.RULE, Lack.MEMORY)
"""What leaves a place without any number."""
ENDS = (("", "value", ""), ("_low", "low", ", low"), ("_high", "high", ", high"))
"""The columns of an interval: what follows the name, the part of the estimate, what follows the label."""


def places_exhibit(answer: PlacementAnswer, *, title: str, source: str) -> Exhibit:
    """Return the places by what a month costs there, and whether they meet the targets."""
    return cost_exhibit(
        answer,
        heading="Cost a month",
        costs=answer.cost_a_month,
        spanned=~answer.results.too_small,
        otherwise=(0.01, 1.0),
        drawn=answer.results.possible,
        text=_text,
        details=_details,
        marked=answer.fixed,
        title=title,
        source=source,
        section="places",
    )


def cost_exhibit(
    answer: Answer[Place],
    *,
    heading: str,
    costs: Spans,
    spanned: BoolArray,
    otherwise: tuple[float, float],
    drawn: BoolArray,
    text: Callable[[Place], str],
    details: Callable[[Place], tuple[str, ...]] = lambda _: (),
    marked: bool = False,
    title: str,
    source: str,
    section: str,
    of: str = "",
) -> Exhibit:
    """Return a dot for each place at its cost, grey where it is less likely than required to do the work.

    The axis spans the costs of the places that are ``spanned``; those that are ``drawn`` have a dot if their cost is
    known. ``section`` names the columns of the table, ``of`` the costs in the subtitle where ``heading`` does not.
    ``marked`` has the place that the page is about stand out even where it falls short.
    """
    estimates = [costs.at(place.i) for place in answer.places]
    ends = [
        end
        for at, one in zip(spanned, estimates, strict=True)
        if at
        for end in (one.low, one.value, one.high)
    ]
    known = [end for end in ends if math.isfinite(end) and end > 0]
    axis = log_axis(heading, known or otherwise, word=usd)

    def bar(place: Place) -> Bar:
        cost, meets = estimates[place.i], place.lack is None
        shown = bool(drawn[place.i]) and math.isfinite(cost.value) and cost.value > 0
        low, high = (min(max(end, axis.low), axis.high) for end in (cost.low, cost.high))
        return Bar(
            label=place.title,
            value=cost.value if shown else axis.low,
            low=low if shown else None,
            high=high if shown else None,
            text=text(place),
            role=ROLES[place.kind] if meets else "context",
            emphasised=place is answer.selected and (meets or marked),
            detail=details(place),
            absent=not shown,
        )

    return bars_exhibit(
        tuple(map(bar, answer.ordered)),
        title=title,
        subtitle=f"{of or heading} by option with its 90 % interval; grey: less than {answer.settings.sure} % likely "
        "to meet every target.",
        source=source,
        axis=axis,
        base=axis.low,
        dots=True,
        numbers=table(tuple(_columns(COLUMNS[section])), answer.ordered),
    )


def _text(place: RequestsAt) -> str:
    """Return the cost of a month, or what a place lacks in words that leave room for its dot."""
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
        why = f"{LACK_WORDS[lack.lack]}: {lack_detail(lack)}"
        if lack.lack in ABSENT:
            return (why,)
    return (f"First token after {place.first_token}", place.tokens_per_s, place.likely, why)


def _columns(stated: Mapping[str, Mapping[str, Any]]) -> Iterator[Getter[Any]]:
    """Yield the columns that a table states by name; one with an interval stands for three."""

    def known(of: str) -> Callable[[Any], float | None]:
        read = attrgetter(of)
        return lambda place: finite(read(place))

    for name, about in stated.items():
        of, label = about.get("of", name), about["label"]
        others = {key: about[key] for key in ("unit", "kind") if key in about}
        if about.get("interval"):
            for end, part, words in ENDS:
                yield column(f"{name}{end}", known(f"{of}.{part}"), label=f"{label}{words}", **others)
        else:
            cell = known(of) if about.get("finite") else attrgetter(of)
            yield column(name, cell, label=label, words=LIMITS if name == "binding" else None, **others)
