"""How far the mechanisms are off for the model shown: every measured point's price beside the computed one."""

from dataclasses import dataclass

import numpy as np

from analysis.cost_of_tokens.measured_prices import whole_points
from charts.chart import Line, Points, Role
from views import wording
from views.axes import log_axis
from views.cost_of_tokens.answer import PriceAnswer
from views.cost_of_tokens.measured_points import prices_of
from views.cost_of_tokens.words import usd
from views.exhibits import ValueAxis, xy_exhibit
from views.result import Exhibit
from views.table import Getter, column, table

DRAWN = 200
"""So many points are drawn, spread evenly over the rows; the table has all."""


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A measured point: its price by measured times and by the mechanisms alone, and the same of its speed."""

    accelerator: str
    words: str
    usd: float
    computed_usd: float
    speed: float
    computed_speed: float


COLUMNS: tuple[Getter[Pair], ...] = (
    column("accelerator", lambda pair: pair.accelerator, label="Accelerator", kind="text"),
    column("setup", lambda pair: pair.words, label="Set-up", kind="text"),
    column("measured_usd", lambda pair: pair.usd, label="Measured", unit="USD"),
    column("computed_usd", lambda pair: pair.computed_usd, label="Computed", unit="USD"),
    column("measured_tokens_per_s", lambda pair: pair.speed, label="Speed measured", unit="tokens/s"),
    column(
        "computed_tokens_per_s", lambda pair: pair.computed_speed, label="Speed computed", unit="tokens/s"
    ),
)


def pairs(answer: PriceAnswer) -> tuple[Pair, ...]:
    """Return every measured point of the model on an accelerator for rent, whatever its format and lengths."""
    prices = prices_of(answer.settings, answer.inputs, keep=whole_points())
    if not len(prices.at):
        return ()
    d, (speed, computed) = prices.deployments, prices.by_model()
    return tuple(
        Pair(
            accelerator=answer.inputs.short(d.accelerator[i]),
            words=f"{d.format_name[i]}, {d.prompt_tokens[i]:,.0f} in, {d.output_tokens[i]:,.0f} out, "
            f"{d.concurrency[i]:,.0f} requests on {d.all_chips[i]:.0f}, {d.engine[i]}",
            usd=float(prices.usd[i]),
            computed_usd=float(computed[i]),
            speed=float(prices.speed[i]),
            computed_speed=float(speed[i]),
        )
        for i in range(len(prices.at))
    )


def median_error(made: tuple[Pair, ...]) -> float:
    """Return the median error of the computed price as a factor less one: 0.2 is off by 20 % either way."""
    return float(np.exp(np.median([abs(np.log(pair.computed_usd / pair.usd)) for pair in made])) - 1)


def measured_exhibit(answer: PriceAnswer, *, source: str) -> Exhibit | None:
    """Return measured against computed prices; None where the model was not measured."""
    made = pairs(answer)
    if not made:
        return None
    ends = [value for pair in made for value in (pair.usd, pair.computed_usd)]
    bounds = min(ends), max(ends)
    drawn = made[:: -(-len(made) // DRAWN)]
    best = answer.leader.short
    clouds: tuple[tuple[str, Role, list[Pair]], ...] = (
        ("Other accelerators", "context", [pair for pair in drawn if pair.accelerator != best]),
        (best, "memory", [pair for pair in drawn if pair.accelerator == best]),
    )
    return xy_exhibit(
        (
            Line(series="Computed as measured", role="context", x=bounds, y=bounds, dash="dotted"),
            *(_cloud(name, own, role=role) for name, role, own in clouds if own),
        ),
        title=f"Computed prices of {answer.inputs.model} are off by "
        f"{wording.percent(round(median_error(made), 2))} (median, {wording.counted(len(made), 'measured point')})",
        subtitle="Price of a million output tokens from the serving model alone, before correction by similar "
        "measured points; all formats, lengths and loads. Model errors shows each chip predicted without its own.",
        source=source,
        x=log_axis("Measured price [$]", ends, word=usd),
        y=ValueAxis(title="Computed price [$]", word=usd, log=True),
        numbers=table(COLUMNS, made),
        section="sure",
    )


def _cloud(name: str, own: list[Pair], *, role: Role) -> Points:
    return Points(
        series=name,
        role=role,
        x=tuple(pair.usd for pair in own),
        y=tuple(pair.computed_usd for pair in own),
        names=tuple(pair.accelerator for pair in own),
        details=tuple(
            (pair.words, f"{usd(pair.usd)} measured, {usd(pair.computed_usd)} computed") for pair in own
        ),
    )
