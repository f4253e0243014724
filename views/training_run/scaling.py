"""What more accelerators do to a run's length."""

from collections.abc import Sequence

import numpy as np

from analysis.training_run.more_accelerators import RunOnNumber, gains_little, makes_slower
from charts.chart import Line, XYChart
from views import wording
from views.axes import log_axis
from views.result import Exhibit
from views.table import Getter, column, table
from views.training_run.parts import WORK, named
from views.training_run.words import count, short_count

COLUMNS: tuple[Getter[RunOnNumber], ...] = (
    column("accelerators", lambda step: step.accelerators, label="Accelerators"),
    column("days", lambda step: step.days, label="Batch fixed", unit="day"),
    column("mfu", lambda step: step.mfu, label="Utilization on the wall clock", unit="1"),
    column(
        "days_growing_batch",
        lambda step: step.days_growing if np.isfinite(step.days_growing) else None,
        label="Batch growing",
        unit="day",
    ),
    column(
        "growing_batch_token",
        lambda step: step.batch_growing_token,
        label="Grown batch",
        unit="token",
        kind="scientific",
    ),
)


def _title(steps: Sequence[RunOnNumber]) -> str:
    little, slower = gains_little(steps), makes_slower(steps)
    if little is None:
        return "Doubling the accelerators still helps at every number drawn"
    why = f"mostly because of {named(what_grows(steps, little))}"
    if slower == little:
        return f"Beyond {count(little)} accelerators, doubling them makes the run slower, {why}"
    title = (
        f"Beyond {count(little)} accelerators, doubling them makes the run less than 1.5 times faster, {why}"
    )
    return title if slower is None else f"{title}; beyond {count(slower)}, slower"


def what_grows(steps: Sequence[RunOnNumber], stop: int) -> str:
    """Return the part of the wall clock that grows most when the accelerators are doubled at ``stop``."""
    now = next(step for step in steps if step.accelerators == stop)
    then = next(step for step in steps if step.accelerators > stop)
    others = [name for name in now.shares if name not in WORK]
    return max(others, key=lambda name: then.shares[name] * then.days * 2 - now.shares[name] * now.days)


def scaling_exhibit(steps: Sequence[RunOnNumber], *, source: str) -> Exhibit | None:
    """Return days against accelerators: batch fixed, batch growing, and what twice as fast would be."""
    if len(steps) < 2:
        return None
    x = tuple(float(step.accelerators) for step in steps)
    days = tuple(step.days for step in steps)
    ideal = tuple(days[0] * x[0] / number for number in x)
    grown = [(step.accelerators, step.days_growing) for step in steps if np.isfinite(step.days_growing)]
    title = _title(steps)
    marks = (
        Line(
            series="Ideal: twice as many, twice as fast",
            role="context",
            x=x,
            y=ideal,
            dash="dotted",
            end_label=("Ideal",),
        ),
        Line(
            series="Batch growing with the machine",
            role="memory",
            x=tuple(float(number) for number, _ in grown),
            y=tuple(value for _, value in grown),
            end_label=("Batch grows",),
        ),
        Line(series="Batch as chosen", role="compute", x=x, y=days, end_label=("Batch fixed",)),
    )
    values = [*days, *ideal, *(value for _, value in grown)]
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=(
                "Days on the fastest plan with all accelerators in use, failures included. A batch that grows with the "
                "machine needs more tokens past its critical size (Kaplan 2020); a fixed one runs out of work. Dotted: "
                "the ideal, twice as many accelerators in half the time."
            ),
            alt=title,
            source=source,
            x=log_axis("Accelerators", [*x, x[-1] * 2.5], word=short_count),
            y=log_axis("Time [days]", values, word=lambda value: wording.significant(value)),
            marks=tuple(mark for mark in marks if mark.x),
        ),
        table=table(COLUMNS, steps),
    )
