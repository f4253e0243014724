"""How much of a run's time failures and checkpoints take, by the number of accelerators."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.model.training_states import CHECKPOINT_BYTE
from analysis.units import HOUR_S


def _positive(name: str, value: ArrayLike) -> FloatArray:
    values = np.asarray(value, dtype=np.float64)
    if not (values > 0).all():
        raise ValueError(f"{name} is a positive number; got {values.min():g}.")
    return values


def time_between_failures_s(accelerators: ArrayLike, *, hours_per_failure: float) -> FloatArray:
    """Return the mean time between failures of the whole machine: one accelerator's over their number. [s]

    ``hours_per_failure`` counts accelerator-hours. [h] Failures are independent of each other.

    References
    ----------
    Kokolis et al., "Revisiting Reliability in Large-Scale Machine Learning Research Clusters",
    arXiv:2410.21680, section III.
    """
    hours = _positive("hours_per_failure", hours_per_failure)
    return hours * HOUR_S / _positive("accelerators", accelerators)


def young_interval_s(*, checkpoint_s: ArrayLike, between_failures_s: ArrayLike) -> FloatArray:
    """Return the checkpoint interval that wastes least: sqrt(2 delta M). [s]

    References
    ----------
    Young, "A first order approximation to the optimum checkpoint interval", Commun. ACM 17(9), 1974.
    """
    saved = _positive("checkpoint_s", checkpoint_s)
    return np.sqrt(2 * saved * _positive("between_failures_s", between_failures_s))


@dataclass(frozen=True, kw_only=True)
class Goodput:
    """Shares of wall-clock time: working, saving, and redoing and restarting after failures. [1]"""

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
    """Return what share of wall-clock time is work that counts, by the number of accelerators, shape (n,).

    Work is kept in pieces of ``interval_s`` (Young's optimum if None), each followed by a checkpoint. With
    failures at random at mean interval M, finishing a piece takes M e^(R/M) (e^((tau + delta)/M) - 1), R the
    restart. An ``asynchronous`` checkpoint stops the run for a twentieth of its time (the copy out of the
    accelerators) but is safe only when written. ``spare_share`` of the accelerators stand by, which halves a
    restart at one percent and more.

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
"""Of the time of a checkpoint, what an asynchronous one still stops the run: the copy to host memory.
Maurya et al., "DataStates-LLM", HPDC 2024, section 6 (stalls 4 to 48 times shorter)."""


def checkpoint_s(n_parameters: float, *, storage_byte_per_s: float) -> float:
    """Return how long writing a full checkpoint takes, of 14 byte a parameter. [s]

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
