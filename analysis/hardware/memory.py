"""Device memory for a model, and memory for activations and the runtime."""

import numpy as np

from analysis.arrays import FloatArray

RUNTIME_BYTE = 0.7e9  # libraries, graphs and buffers of an inference engine, about 0.5-1 GB on GPUs
ACTIVATION_BYTE_PER_TOKEN_AND_HIDDEN = 20.0  # live 16-bit intermediates of a layer, reused by the next
USABLE_SHARE = {"phone": 0.5, "laptop": 0.75, "workstation": 0.75, "embedded": 0.85}
USABLE_SHARE_ELSE = 0.95
BINARY_GIGABYTE = 2**30 / 1e9
"""A binary gigabyte in units of 1e9 byte. A card of "32 GB" has 32 x 2^30 byte. [1]"""


def usable_memory_byte(memory_capacity_byte: float | FloatArray, *, device_class: str) -> FloatArray:
    """Return the memory of a device that a model can use. [byte]

    Nominal gigabytes are binary: an RTX 5090 of 32 GB reports 32,607 MiB, which are 34.2e9 byte. Phones and computers
    with shared memory reserve a part for the system: on Apple machines about a quarter by default (Metal's recommended
    working set), on phones about half; discrete GPUs and accelerators 5%.
    """
    share = USABLE_SHARE.get(device_class, USABLE_SHARE_ELSE)
    return np.asarray(memory_capacity_byte, dtype=float) * BINARY_GIGABYTE * share


def activations_byte(*, hidden_size: float | FloatArray, tokens_at_once: float | FloatArray) -> FloatArray:
    """Return the size of the intermediate results for ``tokens_at_once`` tokens. [byte]

    References
    ----------
    Korthikanti et al., arXiv:2205.05198, section 4.1 counts 34 byte per token and hidden unit if a layer keeps
    everything for the backward pass; inference frees most of it.
    """
    return ACTIVATION_BYTE_PER_TOKEN_AND_HIDDEN * np.asarray(hidden_size, dtype=float) * tokens_at_once
