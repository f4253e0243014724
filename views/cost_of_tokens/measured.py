"""How far the mechanisms are off for the model shown: every measured point's price beside the computed one."""

from dataclasses import dataclass

import numpy as np

from analysis.cost_of_tokens.sweep import usd_per_million
from analysis.serving.factors import by_name
from analysis.serving.tables import measured_points, model
from analysis.serving.times import serving_times, throughput
from charts.chart import Line, Points, Role, XYChart
from views import wording
from views.axes import log_axis
from views.cost_of_tokens.found import Found
from views.cost_of_tokens.words import usd
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


def pairs(found: Found) -> tuple[Pair, ...]:
    """Return every measured point of the model on an accelerator for rent, whatever its format and lengths."""
    points = measured_points()
    d = points.deployments
    keep = points.closed & np.isfinite(points.token_s) & np.isfinite(points.first_s)
    keep &= np.array(
        [
            name == found.inputs.model and chip in found.inputs.places
            for name, chip in zip(d.model, d.accelerator, strict=True)
        ]
    )
    at = np.flatnonzero(keep)
    if not len(at):
        return ()
    own = d.at(keep)
    base = serving_times(own, by_name(model().factors))
    rate = throughput(
        own, token_s=points.token_s[at], first_s=points.first_s[at], concurrency=own.concurrency
    )
    rent = np.array([found.inputs.places[name].listed.middle for name in own.accelerator])

    def price(tokens_per_s: np.ndarray) -> np.ndarray:
        return usd_per_million(
            usd_per_hour=rent, tokens_per_s=tokens_per_s, utilization=found.limits["utilization"]
        )

    measured, computed = price(rate), price(base.output_tokens_per_s_per_accelerator)
    return tuple(
        Pair(
            accelerator=found.inputs.short(own.accelerator[i]),
            words=f"{own.format_name[i]}, {own.prompt_tokens[i]:,.0f} in, {own.output_tokens[i]:,.0f} out, "
            f"{own.concurrency[i]:,.0f} requests on {own.all_chips[i]:.0f}, {own.engine[i]}",
            usd=float(measured[i]),
            computed_usd=float(computed[i]),
            speed=float(1 / points.token_s[place]),
            computed_speed=float(1 / base.time_per_output_token_s[i]),
        )
        for i, place in enumerate(at.tolist())
    )


def median_error(made: tuple[Pair, ...]) -> float:
    """Return the median error of the computed price as a factor less one: 0.2 is off by 20 % either way."""
    return float(np.exp(np.median([abs(np.log(pair.computed_usd / pair.usd)) for pair in made])) - 1)


def measured_exhibit(found: Found, *, source: str) -> Exhibit | None:
    """Return measured against computed prices; None where the model was not measured."""
    made = pairs(found)
    if not made:
        return None
    error = median_error(made)
    title = (
        f"Computed prices of {found.inputs.model} are off by {wording.percent(round(error, 2))} (median, "
        f"{wording.counted(len(made), 'measured point')})"
    )
    ends = [value for pair in made for value in (pair.usd, pair.computed_usd)]
    chips = list(dict.fromkeys(pair.accelerator for pair in made))
    best = found.place(found.best).short if found.best else chips[0]
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle="Price of a million output tokens from the serving model alone, before correction by similar "
            "measured points; all formats, lengths and loads. Model errors shows each chip predicted without its own.",
            alt=f"{title}.",
            source=source,
            x=log_axis("Measured price [$]", ends, word=usd),
            y=log_axis("Computed price [$]", ends, word=usd),
            marks=(
                Line(
                    series="Computed as measured",
                    role="context",
                    x=(min(ends), max(ends)),
                    y=(min(ends), max(ends)),
                    dash="dotted",
                ),
                *_clouds(made[:: -(-len(made) // DRAWN)], best=best),
            ),
        ),
        table=table(COLUMNS, made),
        section="sure",
    )


def _clouds(made: tuple[Pair, ...], *, best: str) -> list[Points]:
    """Return the points of the best accelerator above those of the others."""
    roles: dict[str, Role] = {"Other accelerators": "context", best: "memory"}
    clouds = []
    for name, role in roles.items():
        own = [pair for pair in made if (pair.accelerator == best) == (name == best)]
        if own:
            clouds.append(
                Points(
                    series=name,
                    role=role,
                    x=tuple(pair.usd for pair in own),
                    y=tuple(pair.computed_usd for pair in own),
                    names=tuple(pair.accelerator for pair in own),
                    details=tuple(
                        (pair.words, f"{usd(pair.usd)} measured, {usd(pair.computed_usd)} computed")
                        for pair in own
                    ),
                )
            )
    return clouds
