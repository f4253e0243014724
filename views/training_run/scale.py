"""What more accelerators, and more sites, do to a run: its length, its failures, its exchange and its waiting."""

from collections.abc import Callable, Sequence
from dataclasses import replace
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
from views.table import Getter, column, stated_columns, table
from views.training_run.parts import PARTS, WORK
from views.training_run.words import days_words, percent, short_count

Row = TypeVar("Row")
PERCENT_TICKS = tuple(Tick(value=value, label=f"{value}%") for value in range(0, 101, 20))


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


def _length_title(steps: Sequence[RunOnNumber]) -> str:
    little, slower = gains_little(steps), makes_slower(steps)
    if little is None:
        return "Doubling the accelerators helps at every number shown"
    why = f"mostly because of {PARTS[what_grows(steps, little)].name}"
    if slower == little:
        return f"Beyond {little:,} accelerators, doubling them makes the run slower, {why}"
    title = f"Beyond {little:,} accelerators, doubling them makes the run less than 1.5 times faster, {why}"
    return title if slower is None else f"{title}; beyond {slower:,}, slower"


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
        _line(steps, lambda step: step.days, series="This run", role="compute"),
    )
    return xy_exhibit(
        lines,
        title=title,
        subtitle=(
            "The line is the time at one batch on the fastest plan, including failures. The dotted line is the "
            "ideal: twice as many accelerators take half the time."
        ),
        source=source,
        x=_accelerator_axis(first.accelerators, last.accelerators * 2.5),
        y=ValueAxis(title="Time [days]", word=wording.significant, log=True),
        numbers=table(stated_columns(_COLUMNS["length"]), steps),
    )


def goodput_exhibit(run: TrainingRun, *, used: int, source: str) -> Exhibit:
    """Return the share of time that counts against the number of accelerators."""
    own, model, numbers = run.circumstances, run.model, [2**k for k in range(8, 21)]

    def goodputs(*, in_background: bool) -> dict[int, Goodput]:
        saving = replace(own, asynchronous=in_background)
        return {number: saving.goodput(model, accelerators=number) for number in numbers}

    stopping, behind = goodputs(in_background=False), goodputs(in_background=True)
    columns: tuple[Getter[int], ...] = stated_columns(
        _COLUMNS["kept"],
        accelerators=float,
        hours_between_failures=lambda number: float(stopping[number].between_failures_s) / HOUR_S,
        checkpoint_every_s=lambda number: float(stopping[number].interval_s),
        goodput=lambda number: float(stopping[number].work),
        goodput_in_background=lambda number: float(behind[number].work),
    )
    lines: tuple[tuple[dict[int, Goodput], str, Role, str], ...] = (
        (behind, "Saving in the background", "links", "In background"),
        (stopping, "The run stops to save", "compute", "Run stops"),
    )
    on_these = own.goodput(model, accelerators=used)
    title = (
        f"On {used:,} accelerators, a failure comes every {days_words(float(on_these.between_failures_s) / DAY_S)} "
        f"and goodput is {percent(float(on_these.work))}"
    )
    return xy_exhibit(
        tuple(
            _line(
                numbers,
                lambda number, goodput=goodput: 100 * float(goodput[number].work),
                series=series,
                role=role,
                end_label=end_label,
                dotted=goodput is behind,
                x=float,
            )
            for goodput, series, role, end_label in lines
        ),
        title=title,
        subtitle=(
            "Lines are goodput, the share of time spent on work that is kept. A checkpoint takes "
            f"{wording.significant(own.saving_s(model))} s, a restart {wording.significant(own.restart_s / 60)} "
            "minutes."
        ),
        source=source,
        x=_accelerator_axis(numbers[0], numbers[-1] * 16),
        y=Axis(title="Goodput [%]", low=0, high=104, ticks=PERCENT_TICKS),
        numbers=table(columns, numbers),
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
        f"From 32 to {last.accelerators:,} accelerators, a tree all-reduce takes "
        f"{wording.multiple(last.tree_s / of_32.tree_s)} as long, so communication does not grow with the square"
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
        subtitle="Lines are the time to exchange 1 GB from each accelerator. A ring's hops add up; a tree's do not.",
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
    columns: list[Getter[int]] = [column("local_steps", float, label="Steps between syncs")]
    lines = []
    for gbit, role in LINKS_GBIT_PER_S:
        name, link = f"waiting_at_{gbit:.0f}_gbit_per_s", f"{gbit:,.0f} Gbit/s"
        columns.append(column(name, by_link(gbit), label=f"Waiting at {link}", unit="1"))
        lines.append(_line(STEPS_BETWEEN_SYNCS, by_link(gbit, unit=100), series=link, role=role, x=float))
    return xy_exhibit(
        lines,
        title=title,
        subtitle=(
            "Lines are the share of time spent averaging 16-bit weights over a ring of sites. Fewer syncs may raise "
            "the loss, which is not counted (DiLoCo, arXiv:2311.08105, found little effect up to 500 steps)."
        ),
        source=source,
        x=log_axis("Steps between syncs", [1.0, 6000.0], word=lambda value: f"{value:,.0f}"),
        y=Axis(title="Time spent waiting [%]", low=0, high=104, ticks=PERCENT_TICKS),
        numbers=table(columns, STEPS_BETWEEN_SYNCS),
    )
