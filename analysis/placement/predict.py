"""Predicted speeds of many cases at once, with intervals."""

from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

from analysis.arrays import FloatArray
from analysis.hardware.device_makers import chip
from analysis.measured.batching import batched_tokens_per_s
from analysis.measured.decode import DecodeCases, group
from analysis.measured.prefill import prompt_time_s
from analysis.measured.prefill_cases import PrefillCases
from analysis.model.formats import format_family
from analysis.model.weights import weights_read_byte
from analysis.placement.cases import SPEEDS, PlacementCase
from analysis.placement.fits import PlacementModels

SHARES_WELL = ("datacenter_gpu", "edge_server")  # classes with multi-user engines
BATCH_SCALE = 0.3  # extra spread of log speed with several users, for which there are few rows


Speeds = dict[str, tuple[FloatArray, FloatArray, FloatArray]]
"""Median and bounds of the ``decode`` and ``prefill`` speeds, each of shape (n,). [tokens/s]"""


def predict(cases: Sequence[PlacementCase], *, models: PlacementModels, level: float = 0.9) -> Speeds:
    """Return the predicted speeds of the cases, with their prediction intervals.

    Decode is the combined speed of all requests in the batch. The intervals are those of left-out devices, because a
    measured device is no better known on another person's machine.
    """

    def column(name: str) -> FloatArray:
        return np.array([getattr(case, name) for case in cases], dtype=float)

    kind, classes = (tuple(getattr(case, name) for case in cases) for name in ("backend", "device_class"))
    weights, active, batch = column("weights_byte"), column("active_weights_byte"), column("batch")
    shared: dict[str, Any] = {
        "device": tuple(chip(case.device) for case in cases),
        "device_class": classes,
        "backend": kind,
        "format_family": tuple(format_family(case.format_name) for case in cases),
        "memory_bandwidth_byte_per_s": column("memory_bandwidth_byte_per_s"),
        "mixture": active < 0.95 * weights,
        "engine": tuple(case.engine for case in cases),
    }
    one_user = models.decode.model.token_time(
        DecodeCases(**shared, weights_read_byte=active, kv_read_byte=column("kv_read_byte"))
    )
    prompts = PrefillCases(
        **shared,
        peak_flop_per_s=column("peak_flop_per_s"),
        n_active_parameters=column("n_active_parameters"),
        prompt_tokens=column("prompt_tokens"),
    )
    read = models.prefill.tokens_per_s(prompts)
    touched = weights_read_byte(weights_byte=weights, active_weights_byte=active, batch=batch) / active
    shares_badly = np.array([name not in SHARES_WELL for name in classes], dtype=float)
    decode = batched_tokens_per_s(
        one_user,
        batch=batch,
        touched_over_active=touched,
        prefill_tokens_per_s=read,
        sharing_loss=models.sharing_loss * shares_badly,
    )
    prompt = column("prompt_tokens")
    prefill = prompt / prompt_time_s(read, prompt_tokens=prompt, weights_time_s=one_user.weights_s)
    names = [group(*pair) for pair in zip(classes, kind, strict=True)]

    spread = models.decode.spread
    wide_decode = np.array(
        [spread.half_width(spread.scale(*row), level=level) for row in zip(names, kind, strict=True)],
        dtype=float,
    )
    wide_prefill = models.prefill.half_width(prompts, level=level)
    wide_decode = np.where(
        batch > 1, np.hypot(wide_decode, NormalDist().inv_cdf((1 + level) / 2) * BATCH_SCALE), wide_decode
    )
    return {
        name: (speed, speed * np.exp(-wide), speed * np.exp(wide))
        for name, speed, wide in (("decode", decode, wide_decode), ("prefill", prefill, wide_prefill))
    }


def predicted_cells(
    cases: Sequence[PlacementCase], *, models: PlacementModels, level: float
) -> list[dict[str, str]]:
    """Return the predicted columns of each case as cells, with speeds rounded to six significant digits."""
    speeds = predict(cases, models=models, level=level)
    columns = (*speeds["decode"], *speeds["prefill"])
    cells = []
    for i, case in enumerate(cases):
        measured = case.measured_decode_tokens_per_s
        error = f"{100 * (columns[0][i] / measured - 1):.2f}" if measured > 0 else ""
        of_speeds = {name: f"{column[i]:.6g}" for name, column in zip(SPEEDS, columns, strict=True)}
        notes = list(case.notes)
        if case.backend == "NPU" and not case.peak_flop_per_s > 0:
            factor = speeds["prefill"][2][i] / speeds["prefill"][0][i]
            notes.append(
                f"no peak of this NPU is known: prompts may be read {factor:.2g} times as fast or as slow"
            )
        cells.append({**of_speeds, "error_percent": error, "note": "; ".join(notes)})
    return cells
