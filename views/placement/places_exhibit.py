"""The places by what a month costs there, as dots with intervals, beside the table of every number."""

import math

from analysis.placement.answers import Answers
from charts.chart import Axis, Bar, BarChart
from views import wording
from views.axes import log_axis
from views.placement.buying import usd_a_month
from views.placement.chosen import Chosen
from views.placement.inputs import PlacementInputs
from views.placement.settings import PlacementSettings
from views.placement.shortfall import Shortfall, shortfall
from views.placement.table import BINDING_WORDS, ROLES, chance, places_table, seconds, usd
from views.result import Exhibit

SHORT = {
    "Ruled out": "ruled out",
    "Memory too small": "memory too small",
    "Price unknown": "price unknown",
    "Too slow": "too slow",
    "First token too late": "starts too late",
    "Over budget": "over budget",
}
"""What a place lacks in words that leave room for its dot; how likely it is stands for what is not sure enough."""


def places_exhibit(
    inputs: PlacementInputs,
    answers: Answers,
    *,
    title: str,
    settings: PlacementSettings,
    source: str,
    about: Chosen,
) -> Exhibit:
    """Return the places by what a month costs there, and whether they meet the targets."""
    month = usd_a_month(inputs, 1.0)
    spans = answers.cost_usd
    known = [
        float(value) * month
        for i, ends in enumerate(zip(spans.low, spans.median, spans.high, strict=True))
        for value in ends
        if answers.fits[i] and math.isfinite(value) and value > 0
    ]
    axis = log_axis("Cost a month", known or [0.01, 1.0], word=usd)
    bars = []
    for i in map(int, answers.order):
        cost, meets = float(spans.median[i]) * month, bool(answers.meets[i])
        shown = bool(answers.fits[i] and math.isfinite(cost) and cost > 0 and answers.binding[i] != "rule")
        lack = shortfall(answers, i, sure=settings.sure / 100)
        bars.append(
            Bar(
                label=wording.sentence_case(inputs.names[i]),
                value=cost if shown else axis.low,
                low=_within(axis, float(spans.low[i]) * month) if shown else None,
                high=_within(axis, float(spans.high[i]) * month) if shown else None,
                text=_words(cost, lack=lack),
                role=ROLES[inputs.question.places.kind[i]] if meets else "context",
                emphasised=i == about.at and (meets or about.fixed),
                detail=_details(answers, i, lack=lack),
                absent=not shown,
            )
        )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle="Cost a month by option with its 90 % interval; grey: less than "
            f"{settings.sure} % likely to meet every target.",
            alt=f"{title}.",
            source=source,
            x=axis,
            base=axis.low,
            bars=tuple(bars),
            dots=True,
        ),
        table=places_table(inputs, answers),
    )


def _within(axis: Axis, value: float) -> float:
    return min(max(value, axis.low), axis.high)


def _words(cost: float, *, lack: Shortfall | None) -> str:
    price = "price unknown" if math.isnan(cost) else "no cost" if cost == 0 else usd(cost)
    if lack is None:
        return price
    return SHORT.get(lack.word) or lack.detail.partition(",")[0]


def _details(answers: Answers, i: int, *, lack: Shortfall | None) -> tuple[str, ...]:
    if lack is not None and lack.word in ("Ruled out", "Memory too small"):
        return (f"{lack.word}: {lack.detail}",)
    return (
        f"First token after {seconds(float(answers.first_s.median[i]))}",
        f"{wording.significant(1 / float(answers.token_s.median[i]))} tokens/s",
        f"{chance(answers.probability[i])} likely to meet every target",
        f"{lack.word}: {lack.detail}"
        if lack is not None
        else wording.sentence_case(BINDING_WORDS[answers.binding[i]]),
    )
