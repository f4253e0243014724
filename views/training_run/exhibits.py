"""Charts of a run on more accelerators, at several sites, and on later chips."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from analysis.intervals import product_bounds
from analysis.rent_rates import LaterRent
from analysis.training_run.candidates import NoPlanFits
from analysis.training_run.exchange_time import GroupExchange, group_exchange
from analysis.training_run.more_accelerators import PARTS as CHIP_PARTS
from analysis.training_run.more_accelerators import (
    LaterRun,
    RunOnNumber,
    gains_little,
    later_runs,
    makes_slower,
)
from analysis.training_run.outlook import WORK
from analysis.training_run.run import Goodput, TrainingRun
from analysis.trend.growth import Window, growth
from analysis.trend.selection import Rule
from analysis.units import DAY_S, HOUR_S
from charts.chart import Axis, Line, Role, Tick
from data.by_release import kept_by_release
from data.releases import Release
from views import wording, written
from views.axes import log_axis, year_axis
from views.chips.rents import later, scenario_label
from views.chips.rows import SINCE, flagships
from views.exhibits import ValueAxis, line_of, xy_exhibit
from views.result import Exhibit
from views.table import Getter, along, stated_columns, table
from views.training_run.inputs import RunInputs
from views.training_run.parts import PARTS
from views.training_run.words import change_of_days, days_words, money_words, percent, short_count

Of = Callable[[Any], float]
Bounds = tuple[float, float]
_COLUMNS, _NAMES = (written.toml(__file__, name=f"{name}.toml") for name in ("columns", "names"))


def _length_title(steps: Sequence[RunOnNumber]) -> str:
    little, slower = gains_little(steps), makes_slower(steps)
    if little is None:
        return "Doubling the accelerators helps at every number shown"
    why = f"mostly because of {PARTS[what_grows(steps, little)].name}"
    if slower == little:
        return f"Beyond {little:,} accelerators, doubling their number slows the run, {why}"
    title = f"Beyond {little:,} accelerators, doubling makes the run less than 1.5 times faster, {why}"
    return title if slower is None else f"{title}; beyond {slower:,} it slows the run"


def what_grows(steps: Sequence[RunOnNumber], stop: int) -> str:
    """Return the part of the accelerator time that grows most if the number of accelerators doubles from ``stop``."""
    now = next(step for step in steps if step.accelerators == stop)
    then = next(step for step in steps if step.accelerators > stop)
    others = [name for name in now.shares if name not in WORK]
    return max(others, key=lambda name: then.shares[name] * then.days * 2 - now.shares[name] * now.days)


def _beside_ideal(
    runs: Sequence[Any], *, x: Of, ideal: Of, series: str, hover: tuple[str, ...] = ()
) -> tuple[Line, Line]:
    """Return a dotted line of ideal durations, and the line of the durations of ``runs``. [day]"""
    line = partial(line_of, runs, x=x)
    return (
        line(y=ideal, series=series, role="context", dash="dotted", end_label=("Ideal",)),
        line(y=lambda run: run.days, series="This run", role="compute", end_label=("This run",), hover=hover),
    )


def length_exhibit(steps: Sequence[RunOnNumber], *, source: str) -> Exhibit | None:
    """Return an exhibit of a run's duration in days by number of accelerators."""
    if len(steps) < 2:
        return None
    first, last = steps[0], steps[-1]
    return xy_exhibit(
        _beside_ideal(
            steps,
            x=lambda step: float(step.accelerators),
            ideal=lambda step: first.days * float(first.accelerators) / step.accelerators,
            series="Ideal: twice as many, twice as fast",
        ),
        title=_length_title(steps),
        subtitle="The solid line shows the time at a constant batch size with the fastest plan, including time lost to "
        "failures. The dotted line is the ideal: twice as many accelerators take half the time.",
        source=source,
        x=log_axis("Accelerators", [first.accelerators, last.accelerators * 2.5], word=short_count),
        y=ValueAxis(title="Time [days]", word=wording.significant, log=True),
        numbers=table(stated_columns(_COLUMNS["length"]), steps),
    )


SAVING: tuple[tuple[str, Role, str], ...] = (
    ("The run stops to save", "compute", "Run stops"),
    ("Saving in the background", "links", "In background"),
)
"""Ways to save checkpoints: line name, colour role, and end label."""


def goodput_exhibit(run: TrainingRun, *, used: int, source: str) -> Exhibit:
    """Return an exhibit of goodput by number of accelerators, for each way to save checkpoints."""
    own, model, numbers = run.circumstances, run.model, [2**k for k in range(8, 21)]
    ways = [replace(own, asynchronous=in_background) for in_background in (False, True)]
    rows: list[tuple[int, list[Goodput]]] = [
        (number, [way.goodput(model, accelerators=number) for way in ways]) for number in numbers
    ]
    columns: tuple[Getter[tuple[int, list[Goodput]]], ...] = stated_columns(
        _COLUMNS["kept"],
        accelerators=lambda row: float(row[0]),
        hours_between_failures=lambda row: float(row[1][0].between_failures_s) / HOUR_S,
        checkpoint_every_s=lambda row: float(row[1][0].interval_s),
        goodput=lambda row: float(row[1][0].work),
        goodput_in_background=lambda row: float(row[1][1].work),
    )
    on_these = own.goodput(model, accelerators=used)
    ticks = tuple(Tick(value=value, label=f"{value}%") for value in range(0, 101, 20))
    return xy_exhibit(
        [
            line_of(
                rows,
                x=lambda row: float(row[0]),
                y=lambda row, way=way: 100 * float(row[1][way].work),
                series=series,
                role=role,
                end_label=(end_label,),
                dash="dotted" if way else "solid",
            )
            for way, (series, role, end_label) in reversed([*enumerate(SAVING)])
        ],
        title=f"On {used:,} accelerators, a failure occurs every "
        f"{days_words(float(on_these.between_failures_s) / DAY_S)} and goodput is {percent(float(on_these.work))}",
        subtitle="Lines show goodput, the share of time spent on work that is kept. A checkpoint takes "
        f"{wording.significant(own.saving_s(model))} s, and a restart takes "
        f"{wording.significant(own.restart_s / 60)} minutes.",
        source=source,
        x=log_axis("Accelerators", [numbers[0], numbers[-1] * 16], word=short_count),
        y=Axis(title="Goodput [%]", low=0, high=104, ticks=ticks),
        numbers=table(columns, rows),
    )


MESSAGE_BYTE = 1e9
COMPARED = "Everyone sends all to everyone"
"""Name of a communication pattern for comparison, which no run uses."""
EXCHANGES: tuple[tuple[str, Role, Callable[[GroupExchange], float]], ...] = (
    ("Ring all-reduce", "compute", lambda group: group.ring_s),
    ("Tree all-reduce", "links", lambda group: group.tree_s),
    ("All-to-all", "edge", lambda group: group.all_to_all_s),
    (COMPARED, "context", lambda group: group.everyone_s),
)


def exchange_exhibit(run: TrainingRun, *, source: str) -> Exhibit:
    """Return an exhibit of the time to communicate a gigabyte, by number of accelerators."""
    groups = [group_exchange(run.machine, accelerators=2**k, message_byte=MESSAGE_BYTE) for k in range(1, 18)]
    of_32 = next(group for group in groups if group.accelerators == 32)
    last = groups[-1]
    columns = stated_columns(_COLUMNS["exchange"], accelerators=lambda group: float(group.accelerators))
    return xy_exhibit(
        [
            line_of(
                groups,
                x=lambda group: float(group.accelerators),
                y=seconds,
                series=kind,
                role=role,
                end_label=("All to all chips" if kind == COMPARED else kind,),
                dash="dotted" if kind == COMPARED else "solid",
            )
            for kind, role, seconds in EXCHANGES
        ],
        title=f"A tree all-reduce takes {wording.multiple(last.tree_s / of_32.tree_s)} as long on "
        f"{last.accelerators:,} accelerators as on 32, so its time does not grow quadratically",
        subtitle=_NAMES["exchange"],
        source=source,
        x=log_axis("Accelerators", [2.0, last.accelerators * 12], word=short_count),
        y=ValueAxis(title="Time [s]", word=lambda value: wording.significant(value, 1), log=True),
        numbers=table(columns, groups),
    )


YEARS = 6


@kept_by_release(8)
def yearly_growths(release: str) -> dict[str, float]:
    """Return yearly growth factors of leading data-centre chips, keyed by quantity. Unknown factors are 1. [1]"""
    growths: dict[str, float] = dict.fromkeys(CHIP_PARTS, 1.0)
    for name in CHIP_PARTS:
        with suppress(ValueError):
            series, every = flagships(release, name), Rule(kind="all")
            fit = growth(series, rule=every, window=Window(since=SINCE), interval="classical")
            growths[name] = fit.trend.yearly_growth
    return growths


def later_exhibit(
    release: Release, inputs: RunInputs, *, used: int, rents: str, source: str, bounds: Bounds = (1.0, 1.0)
) -> Exhibit | None:
    """Return an exhibit of the run on later chips. ``bounds`` are those of today's cost, divided by that cost."""
    growths = yearly_growths(release.stands_on)
    try:
        runs = later_runs(replace(inputs.run, accelerators=used), growths=growths, years=YEARS)
    except NoPlanFits:
        return None
    first, last = runs[0], runs[-1]
    factor = later(release.stands_on, rents, years_ahead=[run.years_ahead for run in runs])
    usd, low_usd, high_usd = _costs(runs, inputs, used=used, factor=factor, bounds=bounds)
    title = f"On chips {YEARS} years newer, the run takes {change_of_days(last.days, then=first.days)}"
    ends = f" (90% interval {wording.interval(money_words(low_usd[-1]), money_words(high_usd[-1]))})"
    on_demand = "At on-demand rents, the" if inputs.price.listed else "The"
    sure = ends if high_usd[-1] > low_usd[-1] * (1 + 1e-9) else ""
    columns: tuple[Getter[int], ...] = stated_columns(
        _COLUMNS["years"],
        years_ahead=lambda i: runs[i].years_ahead,
        days=lambda i: runs[i].days,
        mfu=lambda i: runs[i].mfu,
        cost_usd=along(usd),
        cost_low_usd=along(low_usd),
        cost_high_usd=along(high_usd),
    )
    return xy_exhibit(
        _beside_ideal(
            runs,
            x=lambda run: float(run.years_ahead),
            ideal=lambda run: first.days / growths["fp16"] ** run.years_ahead,
            series="Ideal: every part grows as fast as throughput",
            hover=tuple(
                f"{days_words(run.days)}, {money_words(cost)}" for run, cost in zip(runs, usd, strict=True)
            ),
        ),
        title=title,
        subtitle=f"Each part of the chip follows its trend since {SINCE}. In the ideal case (dotted line), every "
        f"part improves as fast as peak FLOP/s. {on_demand} cost is {money_words(usd[0])} today and, if rents are "
        f"{wording.small_initial(scenario_label(rents))}, {money_words(usd[-1])}{sure} in {YEARS} years.",
        source=source,
        x=replace(year_axis(0, YEARS), title="Years ahead"),
        y=ValueAxis(title="Time [days]", word=wording.significant, log=True),
        numbers=table(columns, range(len(runs))),
    )


def _costs(
    runs: Sequence[LaterRun], inputs: RunInputs, *, used: int, factor: LaterRent, bounds: Bounds
) -> Iterator[list[float]]:
    """Yield the costs by year at later rents, then their lower and their upper 90% bounds. [USD]"""
    billed = used * (1 + inputs.run.circumstances.spare_share)
    spread = zip(factor.low / factor.middle, factor.high / factor.middle, strict=True)
    low, high = np.transpose([product_bounds(ends, bounds) for ends in spread]) * factor.middle
    for factors in (factor.middle, low, high):
        yield [
            billed * run.days * 24 * inputs.price.usd * float(times)
            for run, times in zip(runs, factors, strict=True)
        ]
