"""How far the mechanisms are off for the model shown: every measured point's price beside the computed one."""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.cost_of_tokens.measured_prices import MeasuredPrices, whole_points
from charts.chart import Line, Points, Role
from views import wording, written
from views.axes import log_axis
from views.cost_of_tokens.answer import PriceAnswer
from views.cost_of_tokens.words import usd
from views.exhibits import ValueAxis, xy_exhibit
from views.result import Exhibit
from views.table import Getter, stated_columns, table

DRAWN = 200
"""So many points are drawn, spread evenly over the rows; the table has all."""


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A measured point: its price by measured times and by the mechanisms alone, and the same of its speed."""

    accelerator: str
    setup: str
    usd: float
    computed_usd: float
    speed: float
    computed_speed: float


COLUMNS: tuple[Getter[Pair], ...] = stated_columns(written.toml(__file__, name="columns.toml")["measured"])


def every_point(answer: PriceAnswer) -> MeasuredPrices:
    """Return every measured point of the model on an accelerator for rent, whatever its format and lengths."""
    return answer.measured(whole_points())


def error_words(prices: MeasuredPrices) -> tuple[str, str]:
    """Return the median error of the computed prices, and how many measured points it is of: 15 %, 312 points."""
    error = wording.percent(round(prices.median_error, 2))
    return error, wording.counted(len(prices.at), "measured point")


def measured_exhibit(answer: PriceAnswer, *, source: str) -> Exhibit | None:
    """Return measured against computed prices; None where the model was not measured."""
    prices = every_point(answer)
    if not len(prices.at):
        return None
    d = prices.deployments
    pairs = [
        Pair(
            accelerator=answer.inputs.places[d.accelerator[i]].short,
            setup=f"{d.format_name[i]}, {d.prompt_tokens[i]:,.0f} in, {d.output_tokens[i]:,.0f} out, "
            f"{d.concurrency[i]:,.0f} requests on {d.all_chips[i]:.0f}, {d.engine[i]}",
            usd=float(prices.usd[i]),
            computed_usd=float(prices.computed_usd[i]),
            speed=float(prices.speed[i]),
            computed_speed=float(prices.computed_speed[i]),
        )
        for i in range(len(prices.at))
    ]
    ends = [value for pair in pairs for value in (pair.usd, pair.computed_usd)]
    bounds = min(ends), max(ends)
    drawn = pairs[:: -(-len(pairs) // DRAWN)]
    best = answer.leader.short
    own, others = (
        [pair for pair in drawn if (pair.accelerator == best) is is_best] for is_best in (True, False)
    )
    error, points = error_words(prices)
    return xy_exhibit(
        (
            Line(series="Computed as measured", role="context", x=bounds, y=bounds, dash="dotted"),
            *((_cloud("Other accelerators", others, role="context"),) if others else ()),
            *((_cloud(best, own, role="memory"),) if own else ()),
        ),
        title=f"Computed prices of {answer.inputs.model} are off by {error} (median, {points})",
        subtitle="Price of a million output tokens from the serving model alone, before correction by similar "
        "measured points; all formats, lengths and loads. Model errors shows each chip predicted without its own.",
        source=source,
        x=log_axis("Measured price [$]", ends, word=usd),
        y=ValueAxis(title="Computed price [$]", word=usd, log=True),
        numbers=table(COLUMNS, pairs),
        section="sure",
    )


def _cloud(name: str, pairs: Sequence[Pair], *, role: Role) -> Points:
    return Points(
        series=name,
        role=role,
        x=tuple(pair.usd for pair in pairs),
        y=tuple(pair.computed_usd for pair in pairs),
        names=tuple(pair.accelerator for pair in pairs),
        details=tuple(
            (pair.setup, f"{usd(pair.usd)} measured, {usd(pair.computed_usd)} computed") for pair in pairs
        ),
    )
