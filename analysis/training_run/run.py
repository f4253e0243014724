"""A training run: its model, machine, batches and circumstances."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.hardware.machine import Machine
from analysis.model.architecture import Architecture
from analysis.model.training_states import CHECKPOINT_BYTE, WEIGHT_BYTE
from analysis.units import HOUR_S


def _positive(name: str, value: ArrayLike) -> FloatArray:
    values = np.asarray(value, dtype=np.float64)
    if not (values > 0).all():
        raise ValueError(f"{name} is a positive number; got {values.min():g}.")
    return values


def time_between_failures_s(accelerators: ArrayLike, *, hours_per_failure: float) -> FloatArray:
    """Return a machine's mean time between failures for each number of accelerators. [s]

    ``hours_per_failure`` counts accelerator-hours [h]; failures are independent.

    References
    ----------
    Kokolis et al., "Revisiting Reliability in Large-Scale Machine Learning Research Clusters",
    arXiv:2410.21680, section III.
    """
    hours = _positive("hours_per_failure", hours_per_failure)
    return hours * HOUR_S / _positive("accelerators", accelerators)


def young_interval_s(*, checkpoint_s: ArrayLike, between_failures_s: ArrayLike) -> FloatArray:
    """Return the checkpoint interval that loses least time: sqrt(2 * ``checkpoint_s`` * ``between_failures_s``). [s]

    References
    ----------
    Young, "A first order approximation to the optimum checkpoint interval", Commun. ACM 17(9), 1974.
    """
    saved = _positive("checkpoint_s", checkpoint_s)
    return np.sqrt(2 * saved * _positive("between_failures_s", between_failures_s))


@dataclass(frozen=True, kw_only=True)
class Goodput:
    """Shares of wall-clock time: goodput, checkpoints, lost work and restarts. [1]"""

    work: FloatArray
    checkpoint: FloatArray
    failure: FloatArray
    interval_s: FloatArray
    between_failures_s: FloatArray


def goodput(
    accelerators: ArrayLike,
    *,
    hours_per_failure: float,
    checkpoint_s: float,
    restart_s: float,
    interval_s: float | None = None,
    asynchronous: bool = False,
    spare_share: float = 0.0,
) -> Goodput:
    """Return the goodput for each number of accelerators, as a share of wall-clock time, shape (n,).

    Work is saved in pieces of ``interval_s`` (Young's optimum if None), each followed by a checkpoint. With failures at
    random at mean interval M, a piece takes M e^(R/M) (e^((tau + delta)/M) - 1), with restart time R. An
    ``asynchronous`` checkpoint pauses the run for a twentieth of its time (the copy out of the accelerators) but is
    only safe once written. ``spare_share`` is the share of standby accelerators; from one percent they halve the
    restart time.

    References
    ----------
    Daly, Future Generation Computer Systems 22, 2006, equation 20.
    """
    m = time_between_failures_s(accelerators, hours_per_failure=hours_per_failure)
    delta = _positive("checkpoint_s", checkpoint_s)
    if restart_s < 0:
        raise ValueError(f"restart_s is zero or more, in seconds; got {restart_s:g}.")
    stop = delta * (SNAPSHOT_SHARE if asynchronous else 1.0)
    tau = (
        young_interval_s(checkpoint_s=stop, between_failures_s=m)
        if interval_s is None
        else np.broadcast_to(_positive("interval_s", interval_s), m.shape)
    )
    tau = np.maximum(tau, delta if asynchronous else 0.0)
    restart = restart_s * (0.5 if spare_share >= 0.01 else 1.0)
    late = delta - stop if asynchronous else 0.0
    with np.errstate(over="ignore"):
        wall = m * np.exp(np.minimum((restart + late) / m, 700)) * np.expm1(np.minimum((tau + stop) / m, 700))
    work = tau / wall
    saving = stop / wall
    return Goodput(
        work=work,
        checkpoint=saving,
        failure=np.maximum(1 - work - saving, 0.0),
        interval_s=tau,
        between_failures_s=m,
    )


SNAPSHOT_SHARE = 0.05
"""Share of a checkpoint's time during which even an asynchronous checkpoint pauses the run, to copy to host memory.
Maurya et al., "DataStates-LLM", HPDC 2024, section 6 (stalls 4 to 48 times shorter). [1]"""


def checkpoint_s(n_parameters: float, *, storage_byte_per_s: float) -> float:
    """Return the time to write a full checkpoint of 14 bytes per parameter. [s]

    References
    ----------
    Narayanan et al., arXiv:2104.04473, section 5.10 (13.8 TB for a trillion parameters).
    """
    if not (math.isfinite(storage_byte_per_s) and storage_byte_per_s > 0):
        raise ValueError(
            f"storage_byte_per_s is the write bandwidth of all storage, positive; got {storage_byte_per_s}. "
            "Pass 2e12 for 2 TB/s."
        )
    return CHECKPOINT_BYTE * n_parameters / storage_byte_per_s


def critical_batch_token(loss: ArrayLike) -> FloatArray:
    """Return the critical batch size, at which a run takes twice the minimum number of steps and of tokens. [token]

    It is 2e8 / L^(1/0.21), where L is the loss in nats per token, in the shape of ``loss``.

    References
    ----------
    Kaplan et al., "Scaling Laws for Neural Language Models", arXiv:2001.08361, equation 1.4 and table 5.
    """
    nats = np.asarray(loss, dtype=np.float64)
    if not (nats > 0).all():
        raise ValueError(
            f"loss is positive, in nats per token; got {nats.min():g}. Large models reach about 2."
        )
    return 2e8 * nats ** (-1 / 0.21)


def loss_estimate(*, n_parameters: float, tokens: float) -> float:
    """Return the loss that a dense model of this size reaches after ``tokens`` tokens. [nats/token]

    It is 1.69 + 406.4/N^0.34 + 410.7/D^0.28.

    References
    ----------
    Hoffmann et al., "Training Compute-Optimal Large Language Models", arXiv:2203.15556, appendix D.3.
    """
    if n_parameters <= 0 or tokens <= 0:
        raise ValueError(f"parameters and tokens are positive; got {n_parameters:g} and {tokens:g}.")
    return 1.69 + 406.4 / n_parameters**0.34 + 410.7 / tokens**0.28


def shared_batch(sequences: float, *, accelerators: int) -> int:
    """Return the batch within 3% of ``sequences`` that the most accelerators can share evenly."""
    near = np.arange(
        max(np.ceil(0.97 * sequences), 1), max(np.floor(1.03 * sequences), 1) + 1, dtype=np.int64
    )
    wanted = np.append(near, max(round(sequences), 1))
    shared = np.gcd(wanted, accelerators)
    return int(wanted[np.lexsort((np.abs(wanted - sequences), -shared))[0]])


@dataclass(frozen=True, kw_only=True)
class Ramp:
    """A batch that grows linearly from ``first`` to ``full`` over the first ``tokens`` tokens. [token]"""

    first: float
    full: float
    tokens: float

    def __post_init__(self) -> None:
        if not 0 < self.first <= self.full or self.tokens < 0:
            raise ValueError(
                f"a ramp grows from a positive batch over a positive span; got {self.first:g} to {self.full:g} over "
                f"{self.tokens:g} tokens."
            )

    def steps(self, total_tokens: float) -> float:
        """Return the number of optimizer steps in the run. [1]

        While the batch grows linearly in tokens, the number of steps is the integral of 1/B.

        References
        ----------
        Brown et al., "Language Models are Few-Shot Learners", arXiv:2005.14165, appendix B (a linear ramp).
        """
        growing = min(self.tokens, total_tokens)
        if self.full == self.first or growing == 0:
            return growing / self.full + (total_tokens - growing) / self.full
        slope = (self.full - self.first) / self.tokens
        reached = self.first + slope * growing
        return float(np.log(reached / self.first) / slope + (total_tokens - growing) / self.full)


@dataclass(frozen=True, kw_only=True)
class Circumstances:
    """Circumstances of the steps: number of tokens, ramp, failures, checkpoints, and distant sites.

    The batch grows from ``ramp_from`` sequences to full size over ``ramp_tokens`` (0 for no ramp); an ``interval_s`` of
    None is the optimal checkpoint interval.
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

    def __post_init__(self) -> None:
        if self.wide_area_byte_per_s <= 0:
            raise ValueError(
                "wide_area_byte_per_s is positive, per direction and site; got "
                f"{self.wide_area_byte_per_s:g}. 10 Gbit/s is 1.25e9."
            )

    def saving_s(self, model: Architecture) -> float:
        """Return the time to write a checkpoint of a model. [s]"""
        return max(checkpoint_s(model.counted.total, storage_byte_per_s=self.storage_byte_per_s), 1e-3)

    def goodput(self, model: Architecture, *, accelerators: float) -> Goodput:
        """Return the goodput on ``accelerators`` as a share of wall-clock time."""
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
        """Return the time to average a model's 16-bit weights between sites over a wide-area ring. [s]

        References
        ----------
        Douillard et al., "DiLoCo", arXiv:2311.08105, section 2 (averaging of outer gradients); time as in
        :func:`analysis.hardware.collectives.ring_all_reduce_s`.
        """
        moved_byte = 2 * (self.sites - 1) / self.sites * WEIGHT_BYTE * model.counted.total
        return moved_byte / self.wide_area_byte_per_s


@dataclass(frozen=True, kw_only=True)
class TrainingRun:
    """Training of a model on at most ``accelerators``, in batches of ``global_batch`` sequences.

    ``overlap`` is the share of data-parallel and pipeline traffic that may overlap with computing.
    """

    model: Architecture
    machine: Machine
    accelerators: int
    global_batch: int
    circumstances: Circumstances
    overlap: float = 0.5

    @property
    def batch_token(self) -> int:
        """Return the number of tokens per step. [token]"""
        return self.global_batch * self.model.sequence_length

    @property
    def critical_token(self) -> float:
        """Return the critical batch at the final loss. Larger batches save few steps. [token]"""
        loss = loss_estimate(n_parameters=self.model.counted.active, tokens=self.circumstances.tokens)
        return float(critical_batch_token(loss))
