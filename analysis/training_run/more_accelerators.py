"""Training time of a run on more accelerators and on later chips."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from analysis.hardware.machine import Machine
from analysis.training_run.candidates import NoPlanFits
from analysis.training_run.outlook import outlook
from analysis.training_run.plan_search import fastest_of_at_most, fastest_of_each
from analysis.training_run.run import TrainingRun
from analysis.units import DAY_S

NUMBERS = tuple(2**k for k in range(3, 19))
LITTLE = 1.5
"""Speed-up below which doubling the accelerators gains little. [1]"""


@dataclass(frozen=True, kw_only=True)
class RunOnNumber:
    """The run on a given number of accelerators, with its batch unchanged."""

    accelerators: int
    days: float
    mfu: float
    shares: Mapping[str, float]


def runs_by_number(run: TrainingRun) -> tuple[RunOnNumber, ...]:
    """Return the run on increasing numbers of accelerators, each on its fastest plan with the same batch."""
    wanted = [(number, run.global_batch) for number in NUMBERS]
    return tuple(
        RunOnNumber(accelerators=number, days=own.seconds / DAY_S, mfu=own.mfu, shares=own.shares)
        for (number, _), answer in fastest_of_each(run, wanted=wanted).items()
        if not isinstance(answer, NoPlanFits) and float(answer.plan.accelerators) == number
        for own in [outlook(run, plan=answer.plan)]
    )


def _first_below(steps: Sequence[RunOnNumber], times: float) -> int | None:
    return next((now.accelerators for now, then in pairwise(steps) if now.days / then.days < times), None)


def gains_little(steps: Sequence[RunOnNumber]) -> int | None:
    """Return the first number of accelerators whose doubling gives a speed-up below 1.5. None if there is none."""
    return _first_below(steps, LITTLE)


def makes_slower(steps: Sequence[RunOnNumber]) -> int | None:
    """Return the first number of accelerators whose doubling slows the run. None if there is no such number."""
    return _first_below(steps, 1.0)


PARTS = ("fp16", "memory-bandwidth", "memory-capacity", "chip-link", "network-link")
"""Growing quantities of a chip, named by the metric of their trend."""


def later(machine: Machine, growths: Mapping[str, float], *, years: float) -> Machine:
    """Return the machine's successor after ``years``. Each quantity grows at its own rate."""
    times = {name: growth**years for name, growth in growths.items()}
    grown = machine.with_rates(
        peak_flop_per_s=machine.peak_flop_per_s * times["fp16"],
        matmul_flop_per_s=machine.matmul_flop_per_s * times["fp16"],
    )
    return grown.with_chip(
        memory_bandwidth_byte_per_s=machine.chip.memory_bandwidth_byte_per_s * times["memory-bandwidth"],
        memory_capacity_byte=machine.chip.memory_capacity_byte * times["memory-capacity"],
        link_bandwidth_byte_per_s=machine.chip.link_bandwidth_byte_per_s * times["chip-link"],
        network_bandwidth_byte_per_s=machine.chip.network_bandwidth_byte_per_s * times["network-link"],
    )


@dataclass(frozen=True, kw_only=True)
class LaterRun:
    """The run on chips of a later year, with its days and wall-clock utilization."""

    years_ahead: int
    days: float
    mfu: float


def later_runs(run: TrainingRun, *, growths: Mapping[str, float], years: int) -> tuple[LaterRun, ...]:
    """Return the run on the chips of each year from today, each on its fastest plan.

    Raises NoPlanFits if no plan fits the chips of one of the years.
    """
    runs = []
    for ahead in range(years + 1):
        successor = replace(run, machine=later(run.machine, growths, years=ahead))
        then = outlook(successor, plan=fastest_of_at_most(successor).plan)
        runs.append(LaterRun(years_ahead=ahead, days=then.seconds / DAY_S, mfu=then.mfu))
    return tuple(runs)
