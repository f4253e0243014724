"""The same run on the chips of later years, each part of a chip along its own trend."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from analysis.hardware.machine import Machine
from analysis.training_run.outlook import outlook
from analysis.training_run.plan_search import NoPlanFits, fastest_of_at_most
from analysis.units import DAY_S
from charts.chart import Line, XYChart
from data.releases import Release, load, names
from views import wording
from views.axes import log_axis, year_axis
from views.chips import choice as chip_choice
from views.chips import rows as chip_rows
from views.chips.choice import AcceleratorSettings
from views.chips.metrics import METRICS
from views.result import Column, Exhibit, Table
from views.training_run.inputs import Inputs
from views.training_run.words import days_words, percent
from views.trend import fit as fit_settings

PARTS = ("fp16", "memory-bandwidth", "memory-capacity", "chip-link", "network-link")
YEARS = 6
SINCE = "2016"


@lru_cache(maxsize=8)
def yearly_growths(release: str) -> dict[str, float]:
    """Return the yearly growth of every part of leading data-centre chips; 1 where too few are known."""
    found = {}
    for name in PARTS:
        asked = AcceleratorSettings(metric=name, rule="flagships", since=SINCE, interval="classical")
        chips = chip_rows.candidates(load(release), asked, metric=METRICS[name])
        try:
            fitted = fit_settings.fitted(
                chip_rows.series(chips), asked, rule=chip_choice.rule(asked), since=SINCE
            )
            found[name] = fitted.trend.yearly_growth
        except ValueError:
            found[name] = 1.0
    return found


def later(machine: Machine, growths: dict[str, float], *, years: float) -> Machine:
    """Return the machine's successor after so many years, every part grown at its own rate."""
    times = {name: growth**years for name, growth in growths.items()}
    return replace(
        machine,
        peak_flop_per_s=machine.peak_flop_per_s * times["fp16"],
        matmul_flop_per_s=machine.matmul_flop_per_s * times["fp16"],
        memory_bandwidth_byte_per_s=machine.memory_bandwidth_byte_per_s * times["memory-bandwidth"],
        memory_capacity_byte=machine.memory_capacity_byte * times["memory-capacity"],
        link_bandwidth_byte_per_s=machine.link_bandwidth_byte_per_s * times["chip-link"],
        network_bandwidth_byte_per_s=machine.network_bandwidth_byte_per_s * times["network-link"],
    )


def later_exhibit(
    release: Release, found: Inputs, *, accelerators: int, overlap: float, source: str
) -> Exhibit | None:
    """Return days and utilization of the run on chips of the years to come."""
    name = release.name if release.name in names() else release.base or names()[-1]
    growths = yearly_growths(name)
    rows: list[tuple[int, float, float]] = []
    for ahead in range(YEARS + 1):
        machine = later(found.machine, growths, years=ahead)
        try:
            best, _ = fastest_of_at_most(
                found.model,
                machine,
                accelerators=accelerators,
                global_batch=found.global_batch,
                overlap=overlap,
            )
        except NoPlanFits:
            return None
        run = outlook(
            found.model,
            machine,
            plan=best.plan,
            global_batch=found.global_batch,
            circumstances=found.circumstances,
        )
        rows.append((ahead, run.seconds / DAY_S, run.mfu))
    first, last = rows[0], rows[-1]
    title = (
        f"On chips {YEARS} years on, the run takes {days_words(last[1])} instead of "
        f"{days_words(first[1])}, at {percent(last[2])} instead of "
        f"{percent(first[2])} utilization"
    )
    told = ", ".join(f"{METRICS[part].noun} {wording.times(growth)}" for part, growth in growths.items())
    years = np.array([row[0] for row in rows], dtype=float)
    ideal = first[1] / growths["fp16"] ** years
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=f"Days by years ahead, each part of the chip at its fitted rate a year since {SINCE}: {told}.",
            alt=title,
            source=source,
            x=replace(year_axis(0, YEARS), title="Years ahead"),
            y=log_axis(
                "Time [days]", [*(row[1] for row in rows), *ideal], lambda value: wording.significant(value)
            ),
            marks=(
                Line(
                    series="If all parts grew as throughput does",
                    role="context",
                    x=tuple(years.tolist()),
                    y=tuple(ideal.tolist()),
                    dash="dotted",
                    end_label=("throughput", "alone"),
                ),
                Line(
                    series="This run",
                    role="compute",
                    x=tuple(years.tolist()),
                    y=tuple(row[1] for row in rows),
                    end_label=("this run",),
                ),
            ),
        ),
        table=Table(
            columns=(
                Column(name="years_ahead", label="Years ahead"),
                Column(name="days", label="Time", unit="day"),
                Column(name="mfu", label="Utilization", unit="1"),
            ),
            rows=tuple(rows),
        ),
    )
