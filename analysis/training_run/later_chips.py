"""A run on the chips of later years, each part of a chip along its own trend."""

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.hardware.machine import Machine
from analysis.model.architecture import Architecture
from analysis.training_run.outlook import Circumstances, outlook
from analysis.training_run.plan_search import fastest_of_at_most
from analysis.units import DAY_S

PARTS = ("fp16", "memory-bandwidth", "memory-capacity", "chip-link", "network-link")
"""The parts of a chip that grow, by the metric of their trend."""


def later(machine: Machine, growths: Mapping[str, float], *, years: float) -> Machine:
    """Return the machine's successor after so many years, every part grown at its own rate."""
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
    """The run on chips of ``years_ahead``: days, and utilization on the wall clock."""

    years_ahead: int
    days: float
    mfu: float


def later_runs(
    model: Architecture,
    machine: Machine,
    *,
    growths: Mapping[str, float],
    years: int,
    accelerators: int,
    global_batch: int,
    circumstances: Circumstances,
    overlap: float,
) -> tuple[LaterRun, ...]:
    """Return the run in each of so many years, each on its fastest plan.

    Raises
    ------
    NoPlanFits
        If no plan fits the chips of one of the years.
    """
    runs = []
    for ahead in range(years + 1):
        successor = later(machine, growths, years=ahead)
        best, _ = fastest_of_at_most(
            model, successor, accelerators=accelerators, global_batch=global_batch, overlap=overlap
        )
        run = outlook(
            model, successor, plan=best.plan, global_batch=global_batch, circumstances=circumstances
        )
        runs.append(LaterRun(years_ahead=ahead, days=run.seconds / DAY_S, mfu=run.mfu))
    return tuple(runs)
