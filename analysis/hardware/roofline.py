"""Throughput that compute and memory allow, and arithmetic intensity of common kernels.

Every ``*_intensity`` function returns arithmetic intensity [FLOP/byte] for work in steady state. Unless documented
otherwise, weights and activations are read from and written to the chip's own memory once per use.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.model.weights import experts_touched

ADAM_FLOP_PER_PARAMETER = 14
"""Operations of one Adam step per parameter. 3 for the first moment, 4 for the second, 2 for bias corrections, then
square root, sum and division, and 2 for the scaled update. Kingma and Ba, "Adam", ICLR 2015, algorithm 1."""

ADAM_BYTE_PER_PARAMETER = 28
"""Bytes of one Adam step: the gradient (2) and the 32-bit weight, mean and variance (12) are read; the latter (12) and
the 16-bit weight (2) are written. Rajbhandari et al., "ZeRO", SC 2020, section 3.1. [byte]"""


@dataclass(frozen=True, kw_only=True)
class Roof:
    """Limits at one precision: peak dense throughput [FLOP/s] and memory bandwidth [byte/s]."""

    peak_flop_per_s: float
    memory_bandwidth_byte_per_s: float

    def __post_init__(self) -> None:
        for name in ("peak_flop_per_s", "memory_bandwidth_byte_per_s"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                raise ValueError(
                    f"{name} is a positive number; got {value}. Take it from the chip's datasheet."
                )

    @property
    def machine_balance(self) -> float:
        """Return the ridge point, the intensity at which compute and memory are equally limiting. [FLOP/byte]"""
        return self.peak_flop_per_s / self.memory_bandwidth_byte_per_s


def attainable_flop_per_s(roof: Roof, arithmetic_intensity: ArrayLike) -> FloatArray:
    """Return the throughput attainable under both limits, in the shape of the intensity. [FLOP/s]

    References
    ----------
    Williams, Waterman and Patterson, "Roofline", Commun. ACM 52(4), 2009, fig. 1.
    """
    intensity = np.asarray(arithmetic_intensity, dtype=np.float64)
    wrong = intensity[~(np.isfinite(intensity) & (intensity > 0))]
    if wrong.size:
        raise ValueError(
            f"arithmetic intensity is positive and finite, in FLOP per byte; got {wrong[0]:g}. "
            "Leave that work out: what moves no byte has no place on a roofline."
        )
    return np.minimum(roof.peak_flop_per_s, intensity * roof.memory_bandwidth_byte_per_s)


def matrix_intensity(
    *, rows: ArrayLike, inner: float, columns: float, weight_byte: float, activation_byte: float
) -> FloatArray:
    """Return the arithmetic intensity of a linear layer, (rows x inner) by (inner x columns). [FLOP/byte]

    It is 2 x rows x inner x columns operations over weights and inputs read once and outputs written once.

    References
    ----------
    NVIDIA, "Matrix Multiplication Background User's Guide", section "Math and memory bounds".
    """
    tokens = np.asarray(rows, dtype=np.float64)
    moved = weight_byte * inner * columns + activation_byte * tokens * (inner + columns)
    return 2 * tokens * inner * columns / moved


def decode_attention_intensity(*, query_heads: int, key_value_heads: int, cache_byte: float) -> float:
    """Return the intensity of reading the KV cache for a new token, the same at any context length. [FLOP/byte]

    Each key and value element is read once and used by query_heads / key_value_heads queries, two operations each.
    Batching does not help, since requests do not share a cache.

    References
    ----------
    Shazeer, "Fast Transformer Decoding", arXiv:1911.02150, section 2.4; Ainslie et al., "GQA", EMNLP 2023.
    """
    if key_value_heads < 1 or query_heads % key_value_heads:
        raise ValueError(
            f"every key-value head serves the same number of query heads; got {query_heads} query heads and "
            f"{key_value_heads} key-value heads. Choose a divisor of {query_heads}."
        )
    return 2 * query_heads / key_value_heads / cache_byte


def unfused_attention_intensity(*, tokens: int, head_size: int, activation_byte: float) -> float:
    """Return the intensity of attention that writes its score matrix to memory. [FLOP/byte]

    4 N^2 d operations for scores and outputs, without a causal mask, forward only; Q, K, V read and O written once (4 N
    d), scores and their softmax each written and read once (4 N^2).

    References
    ----------
    Dao et al., "FlashAttention", NeurIPS 2022, algorithm 0 and theorem 2.
    """
    moved = activation_byte * (4 * tokens * head_size + 4 * tokens**2)
    return 4 * tokens**2 * head_size / moved


def fused_attention_intensity(*, tokens: int, head_size: int, activation_byte: float) -> float:
    """Return the intensity of attention that keeps its scores on the chip. [FLOP/byte]

    Q, K and V are read once and O is written once: K and V of a head fit in the cache of a current chip, which serves
    later reads.

    References
    ----------
    Dao et al., "FlashAttention", NeurIPS 2022, algorithm 1; Dao, "FlashAttention-2", ICLR 2024, section 3.1.
    """
    moved = activation_byte * 4 * tokens * head_size
    return 4 * tokens**2 * head_size / moved


def optimizer_intensity() -> float:
    """Return the intensity of one Adam step in mixed precision. [FLOP/byte]"""
    return ADAM_FLOP_PER_PARAMETER / ADAM_BYTE_PER_PARAMETER


def expert_layer_intensity(
    *,
    tokens: ArrayLike,
    experts: int,
    active: int,
    inner: float,
    columns: float,
    weight_byte: float,
    activation_byte: float,
) -> FloatArray:
    """Return the intensity of a mixture-of-experts layer over ``tokens`` that are routed evenly. [FLOP/byte]

    Only experts that receive a token are read, each once; ``active`` experts process each token.

    References
    ----------
    Fedus, Zoph and Shazeer, "Switch Transformers", JMLR 23, 2022, section 2.
    """
    batch = np.asarray(tokens, dtype=np.float64)
    weights = weight_byte * inner * columns * experts_touched(tokens=batch, experts=experts, active=active)
    moved = weights + activation_byte * batch * active * (inner + columns)
    return 2 * batch * active * inner * columns / moved


def tokens_to_fill(
    machine_balance: ArrayLike, *, inner: float, columns: float, weight_byte: float, activation_byte: float
) -> FloatArray:
    """Return the number of tokens that makes a linear layer compute-bound. Infinite if no number does. [tokens]

    It solves :func:`matrix_intensity` = machine balance for ``rows``.
    """
    balance = np.asarray(machine_balance, dtype=np.float64)
    room = 2 * inner * columns - balance * activation_byte * (inner + columns)
    with np.errstate(divide="ignore"):
        needed = balance * weight_byte * inner * columns / room
    return np.where(room > 0, needed, np.inf)
