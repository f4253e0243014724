"""A training run: what is trained on what, in which batches, and what surrounds its steps."""

from dataclasses import dataclass

from analysis.hardware.machine import Machine
from analysis.model.architecture import Architecture
from analysis.model.training_states import WEIGHT_BYTE
from analysis.training_run.critical_batch import critical_batch_token, loss_estimate
from analysis.training_run.reliability import Goodput, checkpoint_s, goodput


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

    def __post_init__(self) -> None:
        if self.wide_area_byte_per_s <= 0:
            raise ValueError(
                "wide_area_byte_per_s is positive, per direction and site; got "
                f"{self.wide_area_byte_per_s:g}. 10 Gbit/s is 1.25e9."
            )

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
        """Return how long the sites take to average a model's 16-bit weights over a ring of wide-area links. [s]

        References
        ----------
        Douillard et al., "DiLoCo", arXiv:2311.08105, section 2 (averaging of outer gradients); time as
        :func:`analysis.hardware.collectives.ring_all_reduce_s`.
        """
        moved_byte = 2 * (self.sites - 1) / self.sites * WEIGHT_BYTE * model.counted.total
        return moved_byte / self.wide_area_byte_per_s


@dataclass(frozen=True, kw_only=True)
class TrainingRun:
    """A model on at most so many ``accelerators``, in batches of ``global_batch`` sequences.

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
        """Return the tokens of a step."""
        return self.global_batch * self.model.sequence_length

    @property
    def critical_token(self) -> float:
        """Return the batch beyond which more of it saves few steps, at the loss that the run ends with. [token]"""
        loss = loss_estimate(n_parameters=self.model.counted.active, tokens=self.circumstances.tokens)
        return float(critical_batch_token(loss))
