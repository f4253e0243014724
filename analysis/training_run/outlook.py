"""Wall-clock time of a run, from its steps, batch ramp, failures and distance between sites."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analysis.model.flop import training_flop_per_token
from analysis.training_run.plans import Plans
from analysis.training_run.run import Goodput, Ramp, TrainingRun
from analysis.training_run.step_time import step_time

RAMP_SAMPLES = 5
WORK = ("matrix_s", "attention_s")
"""Parts of the time that are computation. All others are overhead."""


@dataclass(frozen=True, kw_only=True)
class RunOutlook:
    """Outlook for a run: its time and step time [s], number of steps, shares of time by part, and utilization."""

    seconds: float
    step_s: float
    steps: float
    shares: Mapping[str, float]
    mfu: float
    goodput: Goodput

    @property
    def compute_share(self) -> float:
        """Return the share of the time for matmuls and attention. [1]"""
        return sum(self.shares[name] for name in WORK)

    @property
    def overhead(self) -> str:
        """Return the name of the largest part of the time other than matmuls and attention."""
        return max((name for name in self.shares if name not in WORK), key=lambda name: self.shares[name])

    @property
    def is_compute_bound(self) -> bool:
        """Return whether matmuls and attention together take at least as long as any other part."""
        return self.compute_share >= self.shares[self.overhead]


def outlook(run: TrainingRun, *, plan: Plans) -> RunOutlook:
    """Return the run's wall-clock time with a plan, and the parts of that time.

    ``shares`` add up to one: the parts of :class:`analysis.training_run.step_time.StepTime`, then ``wide_area``,
    ``ramp`` (the cost of smaller batches), ``checkpoint`` and ``failure``.
    """
    model, machine, circumstances = run.model, run.machine, run.circumstances
    step = step_time(model, machine, plans=plan, global_batch=run.global_batch)
    own = float(step.total_s)
    steps = Ramp(
        first=min(circumstances.ramp_from, run.global_batch) * model.sequence_length,
        full=run.batch_token,
        tokens=circumstances.ramp_tokens,
    ).steps(circumstances.tokens)
    even = circumstances.tokens / run.batch_token * own
    ramp = _ramp_extra_s(run, plan=plan, step_s=own)
    between_sites = steps / circumstances.local_steps * circumstances.averaging_s(model)
    busy = even + ramp + between_sites
    good = circumstances.goodput(model, accelerators=float(plan.accelerators))
    work = max(float(good.work), 1e-12)
    seconds = busy / work
    shares = {name: float(value) / own * even / busy * work for name, value in step.parts().items()}
    shares |= {
        "wide_area": between_sites / busy * work,
        "ramp": ramp / busy * work,
        "checkpoint": float(good.checkpoint),
        "failure": max(1 - work - float(good.checkpoint), 0.0),
    }
    flop = training_flop_per_token(model, causal=machine.fused_attention) * circumstances.tokens
    rate = flop / seconds / float(plan.accelerators) / machine.peak_flop_per_s
    return RunOutlook(seconds=seconds, step_s=own, steps=steps, shares=shares, mfu=rate, goodput=good)


def _ramp_extra_s(run: TrainingRun, *, plan: Plans, step_s: float) -> float:
    """Return the extra time that the ramp's smaller batches take, compared with full batches. [s]"""
    tokens = min(run.circumstances.ramp_tokens, run.circumstances.tokens)
    first = min(run.circumstances.ramp_from, run.global_batch)
    if tokens == 0 or first == run.global_batch:
        return 0.0
    least = plan.one("data_parallel") * plan.one("micro_batch")
    extra = 0.0
    for batch in np.linspace(first, run.global_batch, RAMP_SAMPLES):
        # Fewer sequences than devices leave devices idle but do not shorten the step.
        step = step_time(run.model, run.machine, plans=plan, global_batch=max(batch, least))
        longer = float(step.total_s) / batch - step_s / run.global_batch
        extra += longer * tokens / run.model.sequence_length / RAMP_SAMPLES
    return max(extra, 0.0)
