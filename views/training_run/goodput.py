"""The share of time that counts, by the number of accelerators."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.training_run.reliability import checkpoint_s, goodput
from analysis.units import DAY_S, HOUR_S
from charts.chart import Axis, Line, Tick, XYChart
from views import wording
from views.axes import log_axis
from views.result import Exhibit
from views.table import Getter, column, table
from views.training_run.inputs import RunInputs
from views.training_run.words import count, days_words, percent, short_count


@dataclass(frozen=True, kw_only=True)
class _Number:
    """A number of accelerators: hours between failures, seconds between checkpoints, and the share that counts."""

    accelerators: float
    between_failures_h: float
    interval_s: float
    stopping: float
    in_background: float


COLUMNS: tuple[Getter[_Number], ...] = (
    column("accelerators", lambda number: number.accelerators, label="Accelerators"),
    column(
        "hours_between_failures", lambda number: number.between_failures_h, label="Between failures", unit="h"
    ),
    column("checkpoint_every_s", lambda number: number.interval_s, label="Checkpoint every", unit="s"),
    column("goodput", lambda number: number.stopping, label="Work, run stops to save", unit="1"),
    column(
        "goodput_in_background",
        lambda number: number.in_background,
        label="Work, saving in background",
        unit="1",
    ),
)


def goodput_exhibit(inputs: RunInputs, *, used: int, source: str) -> Exhibit:
    """Return the share of time that counts against the number of accelerators."""
    numbers = np.array([2.0**k for k in range(8, 21)])
    circumstances = inputs.circumstances
    saving = max(
        checkpoint_s(inputs.model.counted.total, storage_byte_per_s=circumstances.storage_byte_per_s), 1e-3
    )

    def share(accelerators: Any, *, asynchronous: bool) -> Any:
        return goodput(
            accelerators,
            hours_per_failure=circumstances.hours_per_failure,
            checkpoint_s=saving,
            restart_s=circumstances.restart_s,
            interval_s=circumstances.interval_s,
            asynchronous=asynchronous,
            spare_share=circumstances.spare_share,
        )

    stop, behind = share(numbers, asynchronous=False), share(numbers, asynchronous=True)
    own = share(float(used), asynchronous=circumstances.asynchronous)
    title = (
        f"On {count(used)} accelerators a failure comes every "
        f"{days_words(float(own.between_failures_s) / DAY_S)}; {percent(float(own.work))} of the time is useful work"
    )
    x = tuple(numbers.tolist())
    lines = (
        Line(
            series="Saving in the background",
            role="links",
            x=x,
            y=tuple((100 * behind.work).tolist()),
            dash="dotted",
            end_label=("In background",),
        ),
        Line(
            series="The run stops to save",
            role="compute",
            x=x,
            y=tuple((100 * stop.work).tolist()),
            end_label=("Run stops",),
        ),
    )
    ticks = tuple(Tick(value=value, label=f"{value} %") for value in range(0, 101, 20))
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=(
                f"Share of the time spent on work that is kept, by number of accelerators; a checkpoint takes "
                f"{wording.significant(saving)} s, a restart "
                f"{wording.significant(circumstances.restart_s / 60)} minutes."
            ),
            alt=title,
            source=source,
            x=log_axis("Accelerators", [float(numbers[0]), float(numbers[-1]) * 16], word=short_count),
            y=Axis(title="Useful work [%]", low=0, high=104, ticks=ticks),
            marks=lines,
        ),
        table=table(
            COLUMNS,
            [
                _Number(
                    accelerators=float(number),
                    between_failures_h=float(stop.between_failures_s[i]) / HOUR_S,
                    interval_s=float(stop.interval_s[i]),
                    stopping=float(stop.work[i]),
                    in_background=float(behind.work[i]),
                )
                for i, number in enumerate(numbers)
            ],
        ),
    )
