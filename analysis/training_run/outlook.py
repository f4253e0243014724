"""A whole run on the wall clock: its steps, its ramp, its failures and the distance between its sites."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.hardware.machine import Machine
from analysis.model.architecture import Architecture
from analysis.model.flop import training_flop_per_token
from analysis.training_run.critical_batch import Ramp
from analysis.training_run.plans import Plans
from analysis.training_run.reliability import Goodput, checkpoint_s, goodput
from analysis.training_run.step_time import step_time


def exchange_s(
    n_parameters: float, *, sites: ArrayLike, wide_area_byte_per_s: float, element_byte: float = 2.0
) -> FloatArray:
    """Return how long ``sites`` take to average their weights over a ring of wide-area links. [s]

    References
    ----------
    Douillard et al., "DiLoCo", arXiv:2311.08105, section 2 (averaging of outer gradients); time as
    :func:`analysis.hardware.collectives.ring_all_reduce_s`.
    """
    n = np.asarray(sites, dtype=np.float64)
    if wide_area_byte_per_s <= 0:
        raise ValueError(
            f"wide_area_byte_per_s is positive, per direction and site; got {wide_area_byte_per_s:g}. "
            "10 Gbit/s is 1.25e9."
        )
    return 2 * (n - 1) / n * element_byte * n_parameters / wide_area_byte_per_s


def waiting_share(*, step_s: ArrayLike, local_steps: ArrayLike, exchange_s: ArrayLike) -> FloatArray:
    """Return the share of time spent averaging when it happens every ``local_steps`` steps. [1]"""
    work = np.asarray(step_s, dtype=np.float64) * np.asarray(local_steps, dtype=np.float64)
    wait = np.asarray(exchange_s, dtype=np.float64)
    return wait / (work + wait)


RAMP_SAMPLES = 5


@dataclass(frozen=True, kw_only=True)
class Circumstances:
    """What surrounds the steps: tokens, ramp, failures, checkpoints, and sites far apart.

    ``ramp_from`` sequences grow to the full batch over ``ramp_tokens``; 0 tokens for none. ``interval_s`` None
    is the optimal checkpoint interval.
    """

    tokens: float
    ramp_from: float = 1.0
    ramp_tokens: float = 0.0
    hours_per_failure: float = (
        50677.0  # Llama 3 405B: 419 in 54 days on 16,384; arXiv:2407.21783, section 3.3.4
    )
    restart_s: float = 600.0
    storage_byte_per_s: float = 2e12
    interval_s: float | None = None
    asynchronous: bool = False
    spare_share: float = 0.0
    sites: int = 1
    local_steps: int = 1
    wide_area_byte_per_s: float = 1.25e9

    def saving_s(self, model: Architecture) -> float:
        """Return how long a checkpoint of a model takes to write. [s]"""
        return max(checkpoint_s(model.counted.total, storage_byte_per_s=self.storage_byte_per_s), 1e-3)

    def goodput(self, model: Architecture, *, accelerators: float) -> Goodput:
        """Return what share of the wall clock on so many accelerators is work that counts."""
        return goodput(
            accelerators,
            hours_per_failure=self.hours_per_failure,
            checkpoint_s=self.saving_s(model),
            restart_s=self.restart_s,
            interval_s=self.interval_s,
            asynchronous=self.asynchronous,
            spare_share=self.spare_share,
        )

    def averaging_s(self, model: Architecture) -> float:
        """Return how long the sites take to average a model's weights. [s]"""
        return float(
            exchange_s(model.counted.total, sites=self.sites, wide_area_byte_per_s=self.wide_area_byte_per_s)
        )


@dataclass(frozen=True, kw_only=True)
class RunOutlook:
    """A run on the wall clock: seconds in all and of a full step, steps, shares of the
    wall clock by part, utilization."""

    seconds: float
    step_s: float
    steps: float
    shares: Mapping[str, float]
    mfu: float
    goodput: Goodput


def outlook(
    model: Architecture,
    machine: Machine,
    *,
    plan: Plans,
    global_batch: float,
    circumstances: Circumstances,
) -> RunOutlook:
    """Return how long the run takes on the wall clock, and where that time goes.

    ``shares`` add up to one: the parts of :class:`analysis.training_run.step_time.StepTime`, then ``wide_area``,
    ``ramp`` (what smaller batches cost), ``checkpoint`` and ``failure``.
    """
    step = step_time(model, machine, plans=plan, global_batch=global_batch)
    own = float(step.total_s)
    batch_token = global_batch * model.sequence_length
    steps = Ramp(
        first=min(circumstances.ramp_from, global_batch) * model.sequence_length,
        full=batch_token,
        tokens=circumstances.ramp_tokens,
    ).steps(circumstances.tokens)
    even = circumstances.tokens / batch_token * own
    ramp = _ramp_extra_s(
        model, machine, plan=plan, global_batch=global_batch, circumstances=circumstances, own=own
    )
    apart = steps / circumstances.local_steps * circumstances.averaging_s(model)
    busy = even + ramp + apart
    good = circumstances.goodput(model, accelerators=float(plan.accelerators))
    work = max(float(good.work), 1e-12)
    seconds = busy / work
    shares = {name: float(value) / own * even / busy * work for name, value in step.parts().items()}
    shares |= {
        "wide_area": apart / busy * work,
        "ramp": ramp / busy * work,
        "checkpoint": float(good.checkpoint),
        "failure": max(1 - work - float(good.checkpoint), 0.0),
    }
    flop = training_flop_per_token(model, causal=machine.fused_attention) * circumstances.tokens
    rate = flop / seconds / float(plan.accelerators) / machine.peak_flop_per_s
    return RunOutlook(seconds=seconds, step_s=own, steps=steps, shares=shares, mfu=rate, goodput=good)


def _ramp_extra_s(
    model: Architecture,
    machine: Machine,
    *,
    plan: Plans,
    global_batch: float,
    circumstances: Circumstances,
    own: float,
) -> float:
    """Return what the ramp's smaller batches take longer than as many tokens at the full batch. [s]"""
    tokens = min(circumstances.ramp_tokens, circumstances.tokens)
    first = min(circumstances.ramp_from, global_batch)
    if tokens == 0 or first == global_batch:
        return 0.0
    least = plan.one("data_parallel") * plan.one("micro_batch")
    extra = 0.0
    for batch in np.linspace(first, global_batch, RAMP_SAMPLES):
        # Fewer sequences than devices leave devices idle, not the step shorter.
        took = float(step_time(model, machine, plans=plan, global_batch=max(batch, least)).total_s)
        extra += (took / batch - own / global_batch) * tokens / model.sequence_length / RAMP_SAMPLES
    return max(extra, 0.0)
