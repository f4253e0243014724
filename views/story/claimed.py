"""Show a claim in the chart that tests it: a line at the claimed rate, or bars for the claim and our number."""

import math
from dataclasses import replace

from charts.chart import Bar, BarChart, Chart, Line, XYChart
from views.axes import linear_axis, log_axis
from views.claims.statements import Statement, TestedPart, with_interval
from views.story.settings import Step


def with_claim(chart: Chart, *, step: Step, item: Statement) -> Chart:
    """Return the chart of a step with its claim drawn as the step declares."""
    part = item.parts[0]
    if isinstance(chart, XYChart):
        return _with_line(chart, name=step.claimed.format(item.claimed), yearly_growth=part.against.value)
    if isinstance(chart, BarChart):
        return _with_rows(chart, step=step, claimed=item.claimed, part=part)
    return chart


def _with_line(chart: XYChart, *, name: str, yearly_growth: float) -> XYChart:
    """Return the chart with a dotted line growing at the claimed rate from its trend's start, without unnamed lines."""
    trend = next(mark for mark in chart.marks if isinstance(mark, Line) and mark.dash == "solid")
    start, height = trend.x[0], trend.y[0]
    end = next(mark for mark in reversed(chart.marks) if isinstance(mark, Line)).x[-1]
    if yearly_growth > 1:
        end = min(end, start + math.log(chart.y.high / height) / math.log(yearly_growth))
    claim = Line(
        series=name,
        role="context",
        x=(start, end),
        y=(height, height * yearly_growth ** (end - start)),
        dash="dotted",
        end_label=(name,),
    )
    named = [mark for mark in chart.marks if not isinstance(mark, Line) or mark.role != "context"]
    return replace(chart, marks=(*named, claim), alt=f"{chart.alt} The dotted line is the claim: {name}.")


def _with_rows(chart: BarChart, *, step: Step, claimed: str, part: TestedPart) -> BarChart:
    """Return the chart with a row for the claim, and one for our number if the step declares it."""
    against, measured = part.against, part.measured
    scale = 100 if "%" in chart.x.title else 1
    claim = Bar(
        label=step.claimed,
        value=scale * against.middle,
        low=None if against.high is None else scale * against.value,
        high=None if against.high is None else scale * against.high,
        text=claimed,
        role="context",
    )
    rows = [claim]
    if step.ours and measured is not None:
        text = with_interval(measured, part.unit)
        rows.append(
            Bar(label=step.ours, value=scale * measured.value, text=text, role="links", emphasised=True)
        )
    reach = [tick.value for tick in chart.x.ticks] + [claim.high or claim.value]
    axis = chart.x
    if max(reach) > axis.high:
        over = log_axis if axis.scale == "log" else linear_axis
        title = axis.title.removesuffix(", log scale")
        axis = over(title, reach, word=lambda value: f"{value:g}×" if scale == 1 else f"{value:g}")
    return replace(chart, x=axis, bars=(*rows, *chart.bars))
