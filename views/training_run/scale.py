"""What more accelerators, and more sites, do to a run: its length, its failures, its exchange and its waiting."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from analysis.training_run.exchange_time import GroupExchange, group_exchange
from analysis.training_run.more_accelerators import RunOnNumber, gains_little, makes_slower
from analysis.training_run.outlook import waiting_share
from analysis.training_run.run import Goodput, TrainingRun
from analysis.units import DAY_S, HOUR_S
from charts.chart import Axis, Line, Role, Tick
from views import wording, written
from views.axes import log_axis
from views.exhibits import ValueAxis, xy_exhibit
from views.result import Exhibit
from views.table import Getter, column, finite, stated_columns, table
from views.training_run.parts import PARTS, WORK
from views.training_run.words import count, days_words, percent, short_count

Row = TypeVar("Row")
PERCENT_TICKS = tuple(Tick(value=value, label=f"{value} %") for value in range(0, 101, 20))


def _accelerator_axis(first: float, last: float) -> Axis:
    return log_axis("Accelerators", [first, last], word=short_count)


def _accelerators(row: Any) -> float:
    return float(row.accelerators)


def _line(
    rows: Sequence[Row],
    y: Callable[[Row], float],
    *,
    series: str,
    role: Role,
    end_label: str = "",
    dotted: bool = False,
    x: Callable[[Row], float] = _accelerators,
) -> Line:
    return Line(
        series=series,
        role=role,
        x=tuple(x(row) for row in rows),
        y=tuple(y(row) for row in rows),
        dash="dotted" if dotted else "solid",
        end_label=(end_label or series,),
    )


_COLUMNS = written.toml(__file__, name="columns.toml")
LENGTH_COLUMNS: tuple[Getter[RunOnNumber], ...] = stated_columns(
    _COLUMNS["length"], days_growing_batch=lambda step: finite(step.days_growing)
)


def _length_title(steps: Sequence[RunOnNumber]) -> str:
    little, slower = gains_little(steps), makes_slower(steps)
    if little is None:
        return "Doubling the accelerators still helps at every number drawn"
    why = f"mostly because of {PARTS[what_grows(steps, little)].name}"
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


def length_exhibit(steps: Sequence[RunOnNumber], *, source: str) -> Exhibit | None:
    """Return days against accelerators: batch fixed, batch growing, and what twice as fast would be."""
    if len(steps) < 2:
        return None
    first, last = steps[0], steps[-1]
    title = _length_title(steps)

    lines = (
        _line(
            steps,
            lambda step: first.days * float(first.accelerators) / step.accelerators,
            series="Ideal: twice as many, twice as fast",
            role="context",
            end_label="Ideal",
            dotted=True,
        ),
        _line(
            [step for step in steps if math.isfinite(step.days_growing)],
            lambda step: step.days_growing,
            series="Batch growing with the machine",
            role="memory",
            end_label="Batch grows",
        ),
        _line(
            steps,
            lambda step: step.days,
            series="Batch as chosen",
            role="compute",
            end_label="Batch fixed",
        ),
    )
    return xy_exhibit(
        [line for line in lines if line.x],
        title=title,
        subtitle=(
            "Days on the fastest plan with all accelerators in use, failures included. A batch that grows with the "
            "machine needs more tokens past its critical size (Kaplan 2020); a fixed one runs out of work. Dotted: "
            "the ideal, twice as many accelerators in half the time."
        ),
        alt=title,
        source=source,
        x=_accelerator_axis(first.accelerators, last.accelerators * 2.5),
        y=ValueAxis(title="Time [days]", word=wording.significant, log=True),
        numbers=table(LENGTH_COLUMNS, steps),
    )


@dataclass(frozen=True, kw_only=True)
class _Kept:
    """What share of the time counts on a number of accelerators, by how checkpoints are saved."""

    accelerators: int
    stopping: Goodput
    in_background: Goodput


KEPT_COLUMNS: tuple[Getter[_Kept], ...] = stated_columns(
    _COLUMNS["kept"],
    accelerators=_accelerators,
    hours_between_failures=lambda row: float(row.stopping.between_failures_s) / HOUR_S,
    checkpoint_every_s=lambda row: float(row.stopping.interval_s),
    goodput=lambda row: float(row.stopping.work),
    goodput_in_background=lambda row: float(row.in_background.work),
)


def goodput_exhibit(run: TrainingRun, *, used: int, source: str) -> Exhibit:
    """Return the share of time that counts against the number of accelerators."""
    own, model = run.circumstances, run.model
    stops, behind = (replace(own, asynchronous=background) for background in (False, True))
    rows = [
        _Kept(
            accelerators=number,
            stopping=stops.goodput(model, accelerators=number),
            in_background=behind.goodput(model, accelerators=number),
        )
        for number in (2**k for k in range(8, 21))
    ]
    on_these = own.goodput(model, accelerators=used)
    title = (
        f"On {count(used)} accelerators a failure comes every "
        f"{days_words(float(on_these.between_failures_s) / DAY_S)}; {percent(float(on_these.work))} of the "
        "time is useful work"
    )
    return xy_exhibit(
        (
            _line(
                rows,
                lambda row: 100 * float(row.in_background.work),
                series="Saving in the background",
                role="links",
                end_label="In background",
                dotted=True,
            ),
            _line(
                rows,
                lambda row: 100 * float(row.stopping.work),
                series="The run stops to save",
                role="compute",
                end_label="Run stops",
            ),
        ),
        title=title,
        subtitle=(
            "Share of the time spent on work that is kept, by number of accelerators; a checkpoint takes "
            f"{wording.significant(own.saving_s(model))} s, a restart {wording.significant(own.restart_s / 60)} "
            "minutes."
        ),
        alt=title,
        source=source,
        x=_accelerator_axis(rows[0].accelerators, rows[-1].accelerators * 16),
        y=Axis(title="Useful work [%]", low=0, high=104, ticks=PERCENT_TICKS),
        numbers=table(KEPT_COLUMNS, rows),
    )


MESSAGE_BYTE = 1e9
COMPARED = "Everyone sends all to everyone"
"""A kind of exchange that no run uses; it is drawn for comparison."""
EXCHANGES: tuple[tuple[str, Role, Callable[[GroupExchange], float]], ...] = (
    ("Ring all-reduce", "compute", lambda group: group.ring_s),
    ("Tree all-reduce", "links", lambda group: group.tree_s),
    ("All-to-all", "edge", lambda group: group.all_to_all_s),
    (COMPARED, "context", lambda group: group.everyone_s),
)
EXCHANGE_COLUMNS: tuple[Getter[GroupExchange], ...] = (
    column("accelerators", lambda group: float(group.accelerators), label="Accelerators"),
    *(
        column(f"{kind.lower().replace('-', '_').replace(' ', '_')}_s", seconds, label=kind, unit="s")
        for kind, _, seconds in EXCHANGES
    ),
)


def exchange_exhibit(run: TrainingRun, *, source: str) -> Exhibit:
    """Return the time of exchanging a gigabyte against the number of accelerators."""
    groups = [group_exchange(run.machine, accelerators=2**k, message_byte=MESSAGE_BYTE) for k in range(1, 18)]
    of_32 = next(group for group in groups if group.accelerators == 32)
    last = groups[-1]
    title = (
        f"From 32 to {count(last.accelerators)} accelerators a tree all-reduce takes "
        f"{wording.multiple(last.tree_s / of_32.tree_s)} as long: exchange does not grow with the square"
    )
    return xy_exhibit(
        tuple(
            _line(
                groups,
                seconds,
                series=kind,
                role=role,
                end_label="All to everyone" if kind == COMPARED else kind,
                dotted=kind == COMPARED,
            )
            for kind, role, seconds in EXCHANGES
        ),
        title=title,
        subtitle="Time to exchange 1 GB from each, log scales; a ring's hops add up, a tree's do not.",
        alt=title,
        source=source,
        x=_accelerator_axis(2.0, last.accelerators * 12),
        y=ValueAxis(title="Time [s]", word=lambda value: wording.significant(value, 1), log=True),
        numbers=table(EXCHANGE_COLUMNS, groups),
    )


LINKS_GBIT_PER_S: tuple[tuple[float, Role], ...] = (
    (1, "context"),
    (10, "edge"),
    (100, "links"),
    (1000, "compute"),
)
STEPS_BETWEEN_SYNCS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def sites_exhibit(run: TrainingRun, *, step_s: float, source: str) -> Exhibit | None:
    """Return the share of time spent waiting against the steps between syncs, by link; None for a single site."""
    own, model = run.circumstances, run.model
    if own.sites < 2:
        return None

    def waiting(local_steps: int, *, byte_per_s: float) -> float:
        wait_s = replace(own, wide_area_byte_per_s=byte_per_s).averaging_s(model)
        return float(waiting_share(step_s=step_s, local_steps=local_steps, exchange_s=wait_s))

    def by_link(gbit: float, *, unit: float = 1.0) -> Callable[[int], float]:
        return lambda steps: unit * waiting(steps, byte_per_s=gbit * 1e9 / 8)

    share = waiting(own.local_steps, byte_per_s=own.wide_area_byte_per_s)
    title = (
        f"{own.sites} sites that sync every {wording.counted(own.local_steps, 'step')} over "
        f"{wording.significant(own.wide_area_byte_per_s * 8 / 1e9)} Gbit/s spend {percent(share)} of their time waiting"
    )
    columns: tuple[Getter[int], ...] = (
        column("local_steps", float, label="Steps between syncs"),
        *(
            column(
                f"waiting_at_{gbit:.0f}_gbit_per_s",
                by_link(gbit),
                label=f"Waiting at {gbit:,.0f} Gbit/s",
                unit="1",
            )
            for gbit, _ in LINKS_GBIT_PER_S
        ),
    )
    return xy_exhibit(
        tuple(
            _line(
                STEPS_BETWEEN_SYNCS,
                by_link(gbit, unit=100),
                series=f"{gbit:,.0f} Gbit/s",
                role=role,
                x=float,
            )
            for gbit, role in LINKS_GBIT_PER_S
        ),
        title=title,
        subtitle=(
            "Share of time spent averaging 16-bit weights over a ring of sites, by local steps and link. The "
            "effect of fewer syncs on the loss is not counted (DiLoCo, arXiv:2311.08105, found little up to 500)."
        ),
        alt=title,
        source=source,
        x=log_axis("Steps between syncs", [1.0, 6000.0], word=lambda value: f"{value:,.0f}"),
        y=Axis(title="Time spent waiting [%]", low=0, high=104, ticks=PERCENT_TICKS),
        numbers=table(columns, STEPS_BETWEEN_SYNCS),
    )
