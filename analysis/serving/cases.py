"""Which published serving results the throughput model learns from: full load, output tokens, known work."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.arrays import FloatArray
from analysis.model.architecture import Architecture
from analysis.model.formats import PEAKS, SERVED_BITS_PER_WEIGHT
from analysis.model.kv_cache import kv_cache_byte

FULL_LOAD = ("offline maximum throughput", "Offline")


@dataclass(frozen=True, kw_only=True)
class ServingCases:
    """What decides throughput at full load, each of shape (n,); bytes, byte/s and FLOP/s are of one accelerator.

    ``kv_read_byte`` is what one token reads of the cache halfway through its answer, ``kv_kept_byte`` what a request
    keeps at its end. ``experts`` marks expert parallelism; ``tensor_parallel`` counts chips that share each layer.
    """

    accelerator: tuple[str, ...]
    model: tuple[str, ...]
    precision: tuple[str, ...]
    n_accelerators: FloatArray
    tensor_parallel: FloatArray
    experts: NDArray[np.bool_]
    memory_bandwidth_byte_per_s: FloatArray
    memory_capacity_byte: FloatArray
    peak_flop_per_s: FloatArray
    link_bandwidth_byte_per_s: FloatArray
    weights_byte: FloatArray
    active_share: FloatArray
    n_active_parameters: FloatArray
    n_layers: FloatArray
    hidden_size: FloatArray
    kv_read_byte: FloatArray
    kv_kept_byte: FloatArray
    prompt_tokens: FloatArray
    output_tokens: FloatArray

    def __len__(self) -> int:
        """Return the number of cases."""
        return len(self.accelerator)


def usable(
    serving: pd.DataFrame, *, architectures: pd.DataFrame, accelerators: pd.DataFrame
) -> NDArray[np.bool_]:
    """Return which rows state full load in output tokens for a known chip, model, format and work, shape (n,)."""
    return np.asarray(
        serving["scenario"].isin(FULL_LOAD)
        & (serving["token_kind"] == "output")
        & (serving["output_tokens_per_s_per_accelerator"] > 0)
        & serving["architecture"].isin(architectures["name"])
        & serving["accelerator"].isin(accelerators["name"])
        & serving["quantisation"].isin(SERVED_BITS_PER_WEIGHT)
        & serving["memory_bandwidth_byte_per_s"].notna()
        & serving["prompt_tokens"].notna()
        & serving["output_tokens"].notna()
        & serving["n_accelerators"].notna(),
        dtype=bool,
    )


def _fewest(weights_byte: float, *, capacity_byte: float, n_accelerators: float) -> float:
    """Return the fewest chips, in powers of two, that hold the weights with a third to spare. [1]"""
    chips = 1.0
    while chips < n_accelerators and weights_byte > 0.7 * chips * capacity_byte:
        chips *= 2
    return chips


def serving_cases(
    serving: pd.DataFrame, *, architectures: pd.DataFrame, accelerators: pd.DataFrame
) -> ServingCases:
    """Return usable rows as cases. Where the source states no split, the fewest chips that hold the model share it."""
    models = {str(row["name"]): Architecture.from_row(row) for row in architectures.to_dict("records")}
    chips = {str(row["name"]): row for row in accelerators.to_dict("records")}
    rows = []
    for row in serving.to_dict("records"):
        model, part = models[row["architecture"]], chips[row["accelerator"]]
        bits = SERVED_BITS_PER_WEIGHT[row["quantisation"]]
        weights = model.n_parameters * bits / 8
        prompt = float(row["prompt_tokens"])
        output = float(row["output_tokens"])
        peaks = [part[name] for name in PEAKS[4 if bits < 5 else int(bits)] if not pd.isna(part[name])]
        capacity = float(row["memory_capacity_byte"])
        stated = not pd.isna(row["tensor_parallel"])
        split = (
            float(row["tensor_parallel"])
            if stated
            else _fewest(weights, capacity_byte=capacity, n_accelerators=row["n_accelerators"])
        )
        pipeline = float(row["pipeline_parallel"]) if stated and row["pipeline_parallel"] > 0 else 1.0
        experts = bool(row["expert_parallel"] > 1)
        rows.append(
            {
                "n_accelerators": float(row["n_accelerators"]) if stated or experts else split * pipeline,
                "tensor_parallel": split,
                "experts": experts,
                "memory_bandwidth_byte_per_s": float(row["memory_bandwidth_byte_per_s"]),
                "memory_capacity_byte": capacity,
                "peak_flop_per_s": float(peaks[0]) if peaks else np.nan,
                "link_bandwidth_byte_per_s": float(part["chip_link_bandwidth_byte_per_s"]),
                "weights_byte": weights,
                "active_share": model.n_active_parameters / model.n_parameters,
                "n_active_parameters": model.n_active_parameters,
                "n_layers": float(model.n_layers),
                "hidden_size": float(model.hidden_size),
                "kv_read_byte": float(kv_cache_byte(model, prompt + output / 2, byte_per_number=1.0)),
                "kv_kept_byte": float(kv_cache_byte(model, prompt + output, byte_per_number=1.0)),
                "prompt_tokens": prompt,
                "output_tokens": output,
            }
        )
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    return ServingCases(
        accelerator=tuple(serving["accelerator"]),
        model=tuple(serving["architecture"]),
        precision=tuple(serving["quantisation"]),
        **columns,
    )
