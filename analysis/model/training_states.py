"""Memory for weights, gradients and optimizer states on each device."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray

WEIGHT_BYTE = 2.0
GRADIENT_BYTE = 2.0
OPTIMIZER_BYTE = 12.0
"""Size per parameter with Adam in mixed precision: 32-bit weight, mean and variance. ZeRO, section 3.1. [byte]"""

CHECKPOINT_BYTE = 14.0
"""Size per parameter: 16-bit weight and 32-bit weight, mean and variance; 13.7 in Megatron-LM's 1T checkpoint
(arXiv:2104.04473, section 5.10), 13.1 in BLOOM's. [byte]"""


@dataclass(frozen=True, kw_only=True)
class TrainingStates:
    """Memory for weights, gradients and optimizer states on one device, in the inputs' broadcast shape. [byte]"""

    weight_byte: FloatArray
    gradient_byte: FloatArray
    optimizer_byte: FloatArray

    @property
    def total_byte(self) -> FloatArray:
        """Return the total memory for the states. [byte]"""
        return self.weight_byte + self.gradient_byte + self.optimizer_byte

    def __add__(self, other: "TrainingStates") -> "TrainingStates":
        """Return the combined states of two model parts on one device."""
        return TrainingStates(
            weight_byte=self.weight_byte + other.weight_byte,
            gradient_byte=self.gradient_byte + other.gradient_byte,
            optimizer_byte=self.optimizer_byte + other.optimizer_byte,
        )


def training_states(
    n_parameters: ArrayLike, *, data_parallel: ArrayLike, zero_stage: ArrayLike
) -> TrainingStates:
    """Return the memory for states on each of ``data_parallel`` devices that share ``n_parameters`` parameters. [byte]

    Stage 0 replicates all; stage 1 splits optimizer states, stage 2 gradients too, stage 3 weights too. If tensor or
    pipeline parallelism splits the model first, ``n_parameters`` are those of one part. With expert parallelism over e
    devices, an expert's states are replicated or split over only ``data_parallel``/e devices.

    References
    ----------
    Rajbhandari et al., "ZeRO", SC 2020, section 5 and table 1, with 2 + 2 + 12 byte a parameter.
    """
    parameters = np.asarray(n_parameters, dtype=np.float64)
    ranks = np.asarray(data_parallel, dtype=np.float64)
    stage = np.asarray(zero_stage)
    known = (stage == 0) | (stage == 1) | (stage == 2) | (stage == 3)
    if not known.all():
        came = stage[~known].flat[0]
        raise ValueError(f"a ZeRO stage is 0, 1, 2 or 3; got {came}. For plain data parallelism pass 0.")
    if (ranks < 1).any():
        raise ValueError(
            f"data_parallel counts devices, at least 1; got {ranks.min():g}. Pass 1 for one device."
        )
    return TrainingStates(
        weight_byte=WEIGHT_BYTE * parameters / np.where(stage >= 3, ranks, 1.0),
        gradient_byte=GRADIENT_BYTE * parameters / np.where(stage >= 2, ranks, 1.0),
        optimizer_byte=OPTIMIZER_BYTE * parameters / np.where(stage >= 1, ranks, 1.0),
    )
