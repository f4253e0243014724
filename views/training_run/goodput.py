"""The share of time that counts, by the number of accelerators."""

from typing import Any

import numpy as np

from analysis.training_run.reliability import checkpoint_s, goodput
from analysis.units import HOUR_S
from charts.chart import Axis, Line, Tick, XYChart
from views import wording
from views.axes import log_axis
from views.result import Column, Exhibit, Table
from views.training_run.inputs import RunInputs
from views.training_run.words import count, percent, short_count


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
        f"On {count(used)} accelerators something fails every "
        f"{wording.significant(float(own.between_failures_s) / HOUR_S)} hours and "
        f"{percent(float(own.work))} of the time counts"
    )
    x = tuple(numbers.tolist())
    lines = (
        Line(
            series="Saving in the background",
            role="links",
            x=x,
            y=tuple((100 * behind.work).tolist()),
            dash="dotted",
            end_label=("background",),
        ),
        Line(
            series="The run stops to save",
            role="compute",
            x=x,
            y=tuple((100 * stop.work).tolist()),
            end_label=("stops",),
        ),
    )
    ticks = tuple(Tick(value=value, label=f"{value} %") for value in range(0, 101, 20))
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=(
                f"Share of the wall clock that is work kept, by accelerators; a checkpoint takes "
                f"{wording.significant(saving)} s, a restart "
                f"{wording.significant(circumstances.restart_s / 60)} minutes."
            ),
            alt=title,
            source=source,
            x=log_axis("Accelerators", [float(numbers[0]), float(numbers[-1]) * 16], word=short_count),
            y=Axis(title="Work that counts [%]", low=0, high=104, ticks=ticks),
            marks=lines,
        ),
        table=Table(
            columns=(
                Column(name="accelerators", label="Accelerators"),
                Column(name="hours_between_failures", label="Between failures", unit="h"),
                Column(name="checkpoint_every_s", label="Checkpoint every", unit="s"),
                Column(name="goodput", label="Work, run stops to save", unit="1"),
                Column(name="goodput_in_background", label="Work, saving in background", unit="1"),
            ),
            rows=tuple(
                (
                    float(number),
                    float(stop.between_failures_s[i]) / HOUR_S,
                    float(stop.interval_s[i]),
                    float(stop.work[i]),
                    float(behind.work[i]),
                )
                for i, number in enumerate(numbers)
            ),
        ),
    )
