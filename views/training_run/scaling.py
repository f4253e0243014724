"""What more accelerators do to a run: days, goodput, and the time of exchange."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from analysis.hardware import collectives
from analysis.training_run.critical_batch import critical_batch_token, loss_estimate, token_overhead
from analysis.training_run.layer_time import SUSTAINED
from analysis.training_run.outlook import Outlook, outlook
from analysis.training_run.plan_search import NoPlanFits, fastest_of_each
from analysis.training_run.reliability import checkpoint_s, goodput
from analysis.units import DAY_S, HOUR_S
from charts.chart import Axis, Line, Role, Tick, XYChart
from views import wording
from views.axes import log_axis
from views.result import Column, Exhibit, Table
from views.training_run.inputs import Inputs
from views.training_run.parts import WORK, named
from views.training_run.words import percent

NUMBERS = tuple(2**k for k in range(3, 19))
LITTLE = 1.5
"""Doubling the accelerators gains little where the run gets less than this many times faster."""
MESSAGE_BYTE = 1e9


def count(number: float) -> str:
    """Return a number of accelerators with its thousands marked."""
    return f"{number:,.0f}"


def short_count(number: float) -> str:
    """Return a number of accelerators as short as a tick on a narrow screen needs: 1,000, 100k, 1M."""
    if number < 1e4:
        return count(number)
    return f"{number / 1e6:g}M" if number >= 1e6 else f"{number / 1e3:g}k"


@dataclass(frozen=True, kw_only=True)
class Step:
    """The run on one number of accelerators, batch as it is and batch grown with the machine."""

    accelerators: int
    days: float
    mfu: float
    shares: Mapping[str, float]
    days_growing: float
    batch_growing_token: float


def critical_token(found: Inputs) -> float:
    """Return the batch beyond which more of it saves few steps, at the loss that the run ends with. [token]"""
    loss = loss_estimate(n_parameters=found.model.n_active_parameters, tokens=found.circumstances.tokens)
    return float(critical_batch_token(loss))


def curve(found: Inputs, *, asked: int, overlap: float) -> tuple[Step, ...]:
    """Return the run on more and more accelerators, each on its fastest plan.

    The growing batch is in proportion to the machine, at the tokens the critical batch makes of it.
    """
    critical = critical_token(found)
    sequence = found.model.sequence_length
    base = 1 + found.global_batch * sequence / critical

    def runs(batches: Mapping[int, int], *, all_used: bool) -> dict[int, Outlook]:
        """Return the run on each number of accelerators at its batch, where a plan fits."""
        fastest = fastest_of_each(found.model, found.machine, wanted=[*batches.items()], overlap=overlap)
        return {
            number: outlook(
                found.model,
                found.machine,
                plan=answer[0].plan,
                global_batch=batch,
                circumstances=found.circumstances,
            )
            for (number, batch), answer in fastest.items()
            if not isinstance(answer, NoPlanFits) and (answer[1] == number or not all_used)
        }

    as_it_is = runs(dict.fromkeys(NUMBERS, found.global_batch), all_used=True)
    batches = {
        number: max(2 ** round(np.log2(max(found.global_batch * number / asked, 1))), 1)
        for number in as_it_is
    }
    growing = {number: batch for number, batch in batches.items() if batch != found.global_batch}
    with_it = {number: own for number, own in as_it_is.items() if number not in growing}
    with_it |= runs(growing, all_used=False)
    steps: list[Step] = []
    for number, own in as_it_is.items():
        batch = batches[number]
        grown = with_it[number].seconds if number in with_it else float("nan")
        grown *= float(token_overhead(batch * sequence, critical_token=critical)) / base
        steps.append(
            Step(
                accelerators=number,
                days=own.seconds / DAY_S,
                mfu=own.mfu,
                shares=own.shares,
                days_growing=grown / DAY_S,
                batch_growing_token=batch * sequence,
            )
        )
    return tuple(steps)


def _first_below(steps: Sequence[Step], times: float) -> int | None:
    return next((now.accelerators for now, then in pairwise(steps) if now.days / then.days < times), None)


def gains_little(steps: Sequence[Step]) -> int | None:
    """Return the first number of accelerators whose doubling makes the run less than 1.5 times faster, or None."""
    return _first_below(steps, LITTLE)


def makes_slower(steps: Sequence[Step]) -> int | None:
    """Return the first number of accelerators whose doubling makes the run slower; None if none does."""
    return _first_below(steps, 1.0)


def _title(steps: Sequence[Step]) -> str:
    little, slower = gains_little(steps), makes_slower(steps)
    if little is None:
        return "Doubling the accelerators still helps at every number drawn"
    why = f"mostly because of {named(what_grows(steps, little))}"
    if slower == little:
        return f"Beyond {count(little)} accelerators, doubling them makes the run slower, {why}"
    told = (
        f"Beyond {count(little)} accelerators, doubling them makes the run less than 1.5 times faster, {why}"
    )
    return told if slower is None else f"{told}; beyond {count(slower)}, slower"


def what_grows(steps: Sequence[Step], stop: int) -> str:
    """Return the part of the wall clock that grows most when the accelerators are doubled at ``stop``."""
    now = next(step for step in steps if step.accelerators == stop)
    then = next(step for step in steps if step.accelerators > stop)
    others = [name for name in now.shares if name not in WORK]
    return max(others, key=lambda name: then.shares[name] * then.days * 2 - now.shares[name] * now.days)


def scaling(steps: Sequence[Step], *, source: str) -> Exhibit | None:
    """Return days against accelerators: batch fixed, batch growing, and what twice as fast would be."""
    if len(steps) < 2:
        return None
    x = tuple(float(step.accelerators) for step in steps)
    days = tuple(step.days for step in steps)
    ideal = tuple(days[0] * x[0] / number for number in x)
    grown = [(step.accelerators, step.days_growing) for step in steps if np.isfinite(step.days_growing)]
    title = _title(steps)
    marks = (
        Line(series="Twice as many, twice as fast", role="context", x=x, y=ideal, dash="dotted"),
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
                "Days on the fastest plan if all are used, failures included. A batch in proportion to the machine "
                "needs more tokens past its critical size (Kaplan 2020); a fixed one runs out of work to share."
            ),
            alt=title,
            source=source,
            x=log_axis("Accelerators", [*x, x[-1] * 2.5], short_count),
            y=log_axis("Time [days]", values, lambda value: wording.significant(value)),
            marks=tuple(mark for mark in marks if mark.x),
        ),
        table=Table(
            columns=(
                Column(name="accelerators", label="Accelerators"),
                Column(name="days", label="Batch fixed", unit="day"),
                Column(name="mfu", label="Utilization on the wall clock", unit="1"),
                Column(name="days_growing_batch", label="Batch growing", unit="day"),
                Column(name="growing_batch_token", label="Grown batch", unit="token", kind="scientific"),
            ),
            rows=tuple(
                (
                    step.accelerators,
                    step.days,
                    step.mfu,
                    step.days_growing if np.isfinite(step.days_growing) else None,
                    step.batch_growing_token,
                )
                for step in steps
            ),
        ),
    )


def goodput_exhibit(found: Inputs, *, used: int, source: str) -> Exhibit:
    """Return the share of time that counts against the number of accelerators."""
    numbers = np.array([2.0**k for k in range(8, 21)])
    given = found.circumstances
    saving = max(checkpoint_s(found.model.n_parameters, storage_byte_per_s=given.storage_byte_per_s), 1e-3)

    def share(accelerators: Any, *, asynchronous: bool) -> Any:
        return goodput(
            accelerators,
            hours_per_failure=given.hours_per_failure,
            checkpoint_s=saving,
            restart_s=given.restart_s,
            interval_s=given.interval_s,
            asynchronous=asynchronous,
            spare_share=given.spare_share,
        )

    stop, behind = share(numbers, asynchronous=False), share(numbers, asynchronous=True)
    own = share(float(used), asynchronous=given.asynchronous)
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
                f"{wording.significant(saving)} s, a restart {wording.significant(given.restart_s / 60)} minutes."
            ),
            alt=title,
            source=source,
            x=log_axis("Accelerators", [float(numbers[0]), float(numbers[-1]) * 16], short_count),
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


def exchange_exhibit(found: Inputs, *, source: str) -> Exhibit:
    """Return the time of exchanging a gigabyte against the number of accelerators."""
    machine = found.machine
    ranks = np.array([2.0**k for k in range(1, 18)])
    rate = collectives.group_bandwidth(
        ranks=ranks,
        stride=1,
        domain_size=machine.domain_size,
        link_byte_per_s=machine.link_bandwidth_byte_per_s * SUSTAINED.link,
        network_byte_per_s=machine.network_bandwidth_byte_per_s * SUSTAINED.network,
    )
    outside = machine.network_bandwidth_byte_per_s * SUSTAINED.network
    flat = np.where(ranks <= machine.domain_size, rate, outside)
    latency = SUSTAINED.latency_s
    series = {
        "Ring all-reduce": collectives.ring_all_reduce_s(
            MESSAGE_BYTE, ranks=ranks, bandwidth=rate, latency_s=latency
        ),
        "Tree all-reduce": collectives.tree_all_reduce_s(
            MESSAGE_BYTE, ranks=ranks, bandwidth=rate, latency_s=latency
        ),
        "All-to-all": collectives.all_to_all_s(MESSAGE_BYTE, ranks=ranks, bandwidth=flat, latency_s=latency),
        "Everyone sends all to everyone": (ranks - 1) * MESSAGE_BYTE / flat,
    }
    roles: tuple[Role, ...] = ("compute", "links", "edge", "context")
    grows = float(series["Tree all-reduce"][-1] / series["Tree all-reduce"][4])
    title = (
        f"From 32 to {count(ranks[-1])} accelerators a tree all-reduce takes {wording.multiple(grows)} as long: "
        "exchange does not grow with the square"
    )
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle="Time to exchange 1 GB from each, log scales; a ring's hops add up, a tree's do not.",
            alt=title,
            source=source,
            x=log_axis("Accelerators", [2.0, float(ranks[-1]) * 12], short_count),
            y=log_axis(
                "Time [s]",
                [value for times in series.values() for value in times.tolist()],
                lambda value: wording.significant(value, 1),
            ),
            marks=tuple(
                Line(
                    series=name,
                    role=role,
                    x=tuple(ranks.tolist()),
                    y=tuple(times.tolist()),
                    dash="dotted" if role == "context" else "solid",
                    end_label=(name.replace("Everyone sends all to everyone", "All to everyone"),),
                )
                for (name, times), role in zip(series.items(), roles, strict=True)
            ),
        ),
        table=Table(
            columns=(
                Column(name="accelerators", label="Accelerators"),
                *(
                    Column(name=name.lower().replace("-", "_").replace(" ", "_") + "_s", label=name, unit="s")
                    for name in series
                ),
            ),
            rows=tuple(
                (float(number), *(float(times[i]) for times in series.values()))
                for i, number in enumerate(ranks)
            ),
        ),
    )
