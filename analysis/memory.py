"""What fits in a device's memory: weights, KV cache, activations and what the runtime keeps."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.floating]

RUNTIME_BYTE = 0.7e9  # libraries, graphs, buffers of an inference engine; about 0.5-1 GB on GPUs
ACTIVATION_BYTE_PER_TOKEN_AND_HIDDEN = 20.0  # a layer's live 16-bit intermediates, reused by the next layer
USABLE_SHARE = {"phone": 0.5, "laptop": 0.75, "workstation": 0.75, "embedded": 0.85}
USABLE_SHARE_ELSE = 0.95


@dataclass(frozen=True, kw_only=True)
class Footprint:
    """What serving a model takes, each broadcastable. [byte]"""

    weights_byte: float | FloatArray
    cache_byte_per_request: float | FloatArray
    activations_byte: float | FloatArray
    runtime_byte: float = RUNTIME_BYTE

    @property
    def resident_byte(self) -> FloatArray:
        """Return what is there before the first request. [byte]"""
        return np.asarray(self.weights_byte, dtype=float) + self.activations_byte + self.runtime_byte


def usable_memory_byte(memory_capacity_byte: float | FloatArray, *, device_class: str) -> FloatArray:
    """Return how much of the memory a model can have. [byte]

    Phones and computers with shared memory keep a part for the system: on Apple machines about a quarter by default
    (Metal's recommended working set), on phones about half; discrete GPUs and accelerators 5 %.
    """
    return np.asarray(memory_capacity_byte, dtype=float) * USABLE_SHARE.get(device_class, USABLE_SHARE_ELSE)


def activations_byte(*, hidden_size: float | FloatArray, tokens_at_once: float | FloatArray) -> FloatArray:
    """Return the intermediates of the tokens that are worked on at once. [byte]

    References
    ----------
    Korthikanti et al., arXiv:2205.05198, section 4.1 counts 34 byte per token and hidden unit where a layer keeps
    everything for the backward pass; inference frees most of it.
    """
    return ACTIVATION_BYTE_PER_TOKEN_AND_HIDDEN * np.asarray(hidden_size, dtype=float) * tokens_at_once


def most_requests(footprint: Footprint, *, usable_byte: float | FloatArray) -> FloatArray:
    """Return how many requests fit at once beside the weights; 0 where the model does not fit. [1]"""
    room = np.asarray(usable_byte, dtype=float) - footprint.resident_byte
    return np.maximum(np.floor(room / footprint.cache_byte_per_request), 0.0)


def fits(
    footprint: Footprint, *, usable_byte: float | FloatArray, requests: float | FloatArray = 1
) -> NDArray[np.bool_]:
    """Return whether the model with so many requests at once fits."""
    need = footprint.resident_byte + np.asarray(requests) * footprint.cache_byte_per_request
    return np.asarray(need <= usable_byte)
