"""Growth taken apart, drawn: the factors of one year as steps, and stacked over the years."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from analysis.growth_accounting import PartGrowth, layers, steps
from analysis.trend.calendar_year import decimal_year
from analysis.units import DAY_S
from charts.chart import Axis, Band, Line, Mark, Points, Role, Span, Tick, XYChart
from views import wording
from views.axes import log_axis, year_axis
from views.growth_accounting.figures import LABELS
from views.result import Exhibit
from views.runs.parts import FACTORS
from views.table import Getter, column, table
from views.trend import landmarks

ROLES: dict[str, Role] = {
    "chips": "edge",
    "time": "links",
    "flop_per_s_per_chip": "compute",
    "utilization": "context",
    "total": "compute",
}
SHORT = {
    "chips": "Chips",
    "time": "Time",
    "flop_per_s_per_chip": "FLOP/s per chip",
    "utilization": "Utilization",
    "total": "Compute",
}
ON_AXIS = {**SHORT, "flop_per_s_per_chip": "Per chip", "utilization": "Utilization", "total": "Total"}
"""The factors in words so short that five of them stand side by side on a phone."""

RISER = 0.3
"""How far left of its dot a factor's step rises."""


def staircase(parts: Mapping[str, PartGrowth], *, headline: str, source: str) -> XYChart:
    """Return the factors of a year's growth as dots on a log axis, each a step above the last, and the whole."""
    marks: list[Mark] = []
    ends = [1.0]
    level = wording.percent(parts["total"].level)
    order = (*FACTORS, "total")
    for place, step in enumerate(steps(parts, factors=FACTORS, total="total"), start=1):
        name, part = step.name, parts[step.name]
        role = ROLES[name]
        label = "Training compute" if name == "total" else LABELS[name]
        text = (
            f"{wording.times(part.yearly_growth)} a year",
            wording.at_level(part.level, low=wording.times(part.low), high=wording.times(part.high)),
        )
        if name != "total":
            marks.append(
                Line(
                    series=label,
                    role=role,
                    x=(place - RISER, place - RISER, float(place)),
                    y=(step.start, step.top, step.top),
                    hover=(text[0],) * 3,
                )
            )
            onwards = place + 1 - (RISER if place < len(FACTORS) else 0)
            marks.append(
                Line(
                    series=f"Up to {within(name)}",
                    role="context",
                    dash="dotted",
                    faded=True,
                    x=(float(place), onwards),
                    y=(step.top, step.top),
                    hover=(f"{wording.times(step.top)} a year so far",) * 2,
                )
            )
        marks.append(
            Span(
                x=float(place),
                low=step.low,
                high=step.high,
                label=(wording.times(part.yearly_growth),),
            )
        )
        marks.append(
            Points(
                series=label,
                role=role,
                x=(float(place),),
                y=(step.top,),
                names=(label,),
                details=(text,),
            )
        )
        ends += [step.low, step.high, step.top]
    return XYChart(
        title=headline,
        subtitle=(
            f"Growth a year, each step multiplied onto the last; bars: {level} interval of the step. "
            "Per chip: FLOP/s per chip. Utilization is implied by the others."
        ),
        alt=f"{headline}: four steps from 1× to {wording.times(parts['total'].yearly_growth)} a year.",
        source=source,
        x=Axis(
            title="",
            low=0.4,
            high=len(order) + 0.6,
            ticks=tuple(Tick(value=place, label=ON_AXIS[name]) for place, name in enumerate(order, start=1)),
        ),
        y=log_axis("Growth a year, multiplied up", ends, word=wording.factor_tick),
        marks=tuple(marks),
    )


def stacked(parts: Mapping[str, PartGrowth], *, runs: pd.DataFrame, source: str) -> Exhibit:
    """Return the fitted factors stacked on a log axis over the years, each 1× at the first run."""
    total = parts["total"]
    used = runs.loc[runs["missing"] == ""]
    year = decimal_year(used["published_on"])
    first, last = float(year.min()), float(year.max())
    years = np.linspace(first, last, 2)
    laid = layers(parts, factors=FACTORS, years=years)
    bands = [
        Band(
            series=LABELS[layer.name],
            role=ROLES[layer.name],
            strength="confidence" if layer.name in ("chips", "flop_per_s_per_chip") else "prediction",
            x=tuple(years.tolist()),
            low=tuple(np.minimum(layer.floor, layer.ceiling).tolist()),
            high=tuple(np.maximum(layer.floor, layer.ceiling).tolist()),
        )
        for layer in laid
    ]
    lines = [
        Line(
            series=f"Up to {within(layer.name)}",
            role=ROLES[layer.name],
            x=tuple(years.tolist()),
            y=tuple(layer.ceiling.tolist()),
            end_label=(
                f"{SHORT[layer.name]} {wording.multiple(parts[layer.name].times_over(last - first))}",
            ),
        )
        for layer in laid
    ]
    start = float(total.at(first))
    points = Points(
        series="Training runs",
        role="compute",
        x=tuple(year.tolist()),
        y=tuple((used["training_compute_flop"] / start).tolist()),
        names=tuple(used["name"]),
        details=tuple(
            (
                f"{wording.power_of_ten(compute, 3)} FLOP",
                f"{chips:,.0f} chips for {seconds / DAY_S:,.0f} days at {share:.0%} of peak".replace(
                    "%", " %"
                ),
                f"{date:%Y-%m-%d}",
            )
            for compute, chips, seconds, share, date in zip(
                used["training_compute_flop"],
                used["chips"],
                used["time"],
                used["utilization"],
                used["published_on"],
                strict=True,
            )
        ),
        marked=landmarks.marked(tuple(used["name"]), kind="training_runs"),
    )
    whole = float(laid[-1].ceiling[-1])
    most = max(FACTORS, key=lambda name: parts[name].slope_per_year)
    title = (
        f"{wording.multiple(whole)} the compute in {wording.significant(last - first)} years, most from "
        f"the {within(most)} ({wording.multiple(parts[most].times_over(last - first))})"
    )
    chart = XYChart(
        title=title,
        subtitle=(
            "Fitted factors stacked, 1× at the first run: heights multiply. Points: compute of the runs, divided by "
            "the trend at the start."
        ),
        alt=f"{title}; {', '.join(SHORT[name] for name in FACTORS)} stacked over {first:.0f} to {last:.0f}.",
        source=source,
        x=year_axis(first, last),
        y=log_axis("Times the start", [1.0, whole, *points.y], word=wording.multiple),
        marks=(*bands, *lines, points),
    )
    columns: tuple[Getter[str], ...] = (
        column("factor", lambda name: LABELS.get(name, "Training compute"), label="Factor", kind="text"),
        column("yearly_growth", lambda name: parts[name].yearly_growth, label="Growth", unit="x/year"),
        column("low", lambda name: parts[name].low, label="Low", unit="x/year"),
        column("high", lambda name: parts[name].high, label="High", unit="x/year"),
        column("share", lambda name: parts[name].share_of(total), label="Share of the growth", unit="1"),
        column(
            "times_in_all",
            lambda name: parts[name].times_over(last - first),
            label="Over all years",
            unit="x",
        ),
    )
    return Exhibit(chart=chart, table=table(columns, (*FACTORS, "total")), section="finding")


def within(name: str) -> str:
    """Return the name of a factor as it stands inside a sentence."""
    return LABELS[name] if name == "flop_per_s_per_chip" else LABELS[name].lower()
