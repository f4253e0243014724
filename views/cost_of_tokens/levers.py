"""Changes to a single setting that raise or lower the price."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from charts.chart import Bar
from views import wording, written
from views.cost_of_tokens.answer import PriceAnswer, usd
from views.cost_of_tokens.inputs import work_of
from views.exhibits import ValueAxis, bar_exhibit
from views.result import Exhibit
from views.table import stated_columns

CHOSEN = "As chosen"
SMALLEST = 0.005
"""Minimum relative change of the price for a lever in the chart. [1]"""


@dataclass(frozen=True, kw_only=True)
class Lever:
    """A change of a setting, the new price, and its ratio to the price under the chosen settings. [USD, 1]"""

    label: str
    usd: float
    times: float


_COLUMNS = written.toml(__file__, name="columns.toml")


def levers(answer: PriceAnswer) -> tuple[Lever, ...]:
    """Return the chosen settings, and then every lever that changes the price, each with its price."""
    base = answer.price()
    return tuple(
        Lever(label=label, usd=value, times=value / base)
        for label, value in _prices(answer, base=base)
        if label == CHOSEN or abs(value / base - 1) > SMALLEST
    )


def _prices(answer: PriceAnswer, *, base: float) -> Iterator[tuple[str, float]]:
    settings, price = answer.settings, answer.price
    maker = answer.leader.place.rented.chip.maker
    own = work_of(settings, vendor=maker)
    yield CHOSEN, base
    yield "Half the speed", price(speed=max(settings.speed // 2, 1))
    yield "Twice the speed", price(speed=settings.speed * 2)
    yield "One request at a time", price(one_request=True)
    for share in (90, 20):
        if settings.utilization != share:
            yield f"{share}% of rented hours in use", price(utilization=share)
    yield "Reserved instead of on demand", base * answer.to_reserved
    listed = answer.leader.place.listed
    for which, rent in (("cheapest", listed.low), ("most expensive", listed.high)):
        yield f"At the {which} provider, ${rent:.2f} an hour", base * rent / listed.middle
    for word, label in (("bf16", "16-bit weights"), ("fp8", "8-bit weights"), ("fp4", "4-bit weights")):
        if work_of(replace(settings, format=word), vendor=maker) != own:
            yield label, price(format=word)
    if settings.tuning == "tuned":
        yield "Servers as installed, not tuned", price(tuning="installed")
    if settings.drafts != 2:
        yield "2 draft tokens a step", price(drafts=2)
    if settings.cached < 90:
        yield "90% of the prompt cached", price(cached=90)
    yield "Prompts eight times as long", price(prompt=settings.prompt * 8)
    shape = answer.inputs.shape
    if shape.is_mixture:
        dense = replace(shape, n_active_experts=shape.n_experts)
        yield "Every expert active, as in a dense model", price(shape=dense)


def levers_exhibit(answer: PriceAnswer, *, source: str) -> Exhibit | None:
    """Return an exhibit of the price with each lever on its own. None if no plan reaches the speed."""
    pulled = levers(answer)
    possible = [lever for lever in pulled if math.isfinite(lever.usd)]
    if not possible:
        return None
    worst, best = (pick(possible, key=lambda lever: lever.times) for pick in (max, min))
    reach = [lever.usd for lever in possible]
    extremes = [
        f"{verb} most with “{wording.small_initial(lever.label)}” (to {wording.multiple(lever.times)})"
        for verb, lever in (("rises", worst), ("falls", best))
        if lever.label != CHOSEN
    ]
    title = f"The price {' and '.join(extremes)}" if extremes else "None of these changes affects the price"

    def bar(lever: Lever) -> Bar:
        chosen = lever.label == CHOSEN
        return Bar(
            label=lever.label,
            value=min(lever.usd, max(reach)),
            text=usd(lever.usd) if lever in possible else "does not reach the speed",
            role="memory" if chosen else "compute" if lever.times < 1 else "context",
            emphasised=chosen,
            absent=lever not in possible,
        )

    return bar_exhibit(
        pulled,
        bar,
        title=title,
        subtitle=f"Each dot shows the cost of a million output tokens on the {answer.leader.place.short} if a single "
        "setting is changed.",
        source=source,
        axis=ValueAxis(title="Cost of a million output tokens [$]", word=usd, log=True),
        dots=True,
        columns=stated_columns(_COLUMNS["levers"]),
    )
