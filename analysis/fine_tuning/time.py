"""Time, energy and cost of a fine-tune, computed from its operations and the devices' speed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.cost import owned_usd_per_1000_requests, rented_usd_per_1000_requests
from analysis.fine_tuning.memory import FineTuneFlop
from analysis.units import DAY_S

SHARE_OF_MATMUL = 0.56
SHARE_OF_MATMUL_LOG_SPREAD = 0.22
"""Fine-tuning FLOP/s relative to the best measured matmul rate of the same chip and precision, and the standard
deviation of its logarithm. Median over five sources of 39 published runs on A100, H100 and B200 in 16 and 8 bits, with
90% of runs between 0.41 and 0.71: torchtune's and Qwen's READMEs, NVIDIA's NeMo and AutoModel performance summaries,
MLPerf Training 4.0 and 5.1. These are the rows of the standing table measured_fine_tuning with ``in_fit``. [1]"""

SHARE_OF_PROMPT_READING = 0.8
SHARE_OF_PROMPT_READING_LOG_SPREAD = 0.45
"""Fine-tuning FLOP/s over the prefill rate by :mod:`analysis.measured.prefill`, and its log spread. Five published
runs, 0.4 and 0.6 on Apple M1 Max and M2 Ultra with MLX, 0.9 to 1.3 on RTX 4090 with torchtune. Poorly known. [1]"""

DEQUANTISATION_TOKENS = 520.0
"""Cost of dequantizing 4-bit weights to 16 bits, in extra tokens per micro-batch. Median of 15 pairs of LoRA and QLoRA
on the same chip, most between 180 and 880. Qwen's and torchtune's READMEs. [tokens]"""


def accelerator_flop_per_s(*, peak_flop_per_s: ArrayLike, matmul_share: ArrayLike) -> FloatArray:
    """Return the rate that a data-centre chip sustains in fine-tuning. Shapes broadcast. [FLOP/s]

    ``peak_flop_per_s`` is the datasheet's dense rate at a precision; ``matmul_share`` is the share of it that a matmul
    reaches, see :class:`analysis.hardware.matmul_rates.MatmulRates`.
    """
    reached = np.asarray(matmul_share, dtype=np.float64)
    return SHARE_OF_MATMUL * reached * np.asarray(peak_flop_per_s, dtype=np.float64)


def edge_flop_per_s(*, prompt_tokens_per_s: ArrayLike, n_active_parameters: ArrayLike) -> FloatArray:
    """Return the rate that an edge device sustains in fine-tuning. Shapes broadcast. [FLOP/s]

    ``prompt_tokens_per_s`` is its prefill speed with a model of ``n_active_parameters``, at 2 FLOP each.
    """
    reads = 2.0 * np.asarray(n_active_parameters, dtype=np.float64) * np.asarray(prompt_tokens_per_s)
    return SHARE_OF_PROMPT_READING * reads


def dequantisation_factor(*, tokens_at_once: ArrayLike) -> FloatArray:
    """Return the ratio of QLoRA's time to LoRA's, in the shape of ``tokens_at_once``. [1]

    ``tokens_at_once`` is micro-batch times sequence length. Each layer's weights are dequantized once per micro-batch,
    which costs as much as :data:`DEQUANTISATION_TOKENS` more tokens whatever its size.
    """
    return 1.0 + DEQUANTISATION_TOKENS / np.asarray(tokens_at_once, dtype=np.float64)


def fine_tune_time_s(
    flop: FineTuneFlop, *, flop_per_s: ArrayLike, devices: ArrayLike = 1, slower: ArrayLike = 1.0
) -> FloatArray:
    """Return the training time on ``devices`` that each sustain ``flop_per_s``. Shapes broadcast. [s]

    ``slower`` is :func:`dequantisation_factor` for QLoRA. Communication between devices is included in the share behind
    ``flop_per_s``, which was fitted on runs with up to 16 devices. Loading and evaluation are not counted.

    Raises ValueError if a speed or a number of devices is not positive.
    """
    speed = np.asarray(flop_per_s, dtype=np.float64) * np.asarray(devices, dtype=np.float64)
    if np.any(speed <= 0):
        raise ValueError(
            f"devices times flop_per_s is above 0; got {np.min(speed):g}. Pass a device that computes."
        )
    return flop.total_flop * np.asarray(slower, dtype=np.float64) / speed


@dataclass(frozen=True, kw_only=True)
class FineTuneCost:
    """Energy [J], rent [USD] and cost on owned devices [USD] of a fine-tune. Shapes broadcast."""

    energy_j: FloatArray
    rented_usd: FloatArray
    owned_usd: FloatArray


def fine_tune_cost(
    time_s: ArrayLike,
    *,
    devices: ArrayLike,
    power_w: ArrayLike,
    price_usd_per_hour: ArrayLike = np.nan,
    price_usd: ArrayLike = np.nan,
    years: float = 4.0,
    electricity_usd_per_kwh: float = 0.0,
) -> FineTuneCost:
    """Return the energy and cost of a fine-tune, computed from its duration. Shapes broadcast.

    ``power_w``, ``price_usd_per_hour`` and ``price_usd`` are per device; a price of NaN, the default, gives NaN. An
    owned device costs electricity and the part of its price that the training takes of its ``years``. The rules are
    those of :mod:`analysis.cost`, with the whole training as one request.
    """
    seconds, count, power, hourly, price = (
        np.asarray(x, dtype=np.float64) for x in (time_s, devices, power_w, price_usd_per_hour, price_usd)
    )
    energy = count * power * seconds
    rented = rented_usd_per_1000_requests(
        price_usd_per_hour=count * hourly, requests_per_s_at_full_load=1 / seconds, utilization=1.0
    )
    owned = owned_usd_per_1000_requests(
        price_usd=count * price,
        years=years,
        share=1.0,
        requests_per_day=DAY_S / seconds,
        energy_j_per_request=energy,
        electricity_usd_per_kwh=electricity_usd_per_kwh,
    )
    return FineTuneCost(energy_j=energy, rented_usd=rented / 1000, owned_usd=owned / 1000)
