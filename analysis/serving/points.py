"""Measured serving points as deployments, for fitting the serving model."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.arrays import BoolArray, FloatArray
from analysis.model.architecture import Architecture
from analysis.model.formats import SERVED_BITS_PER_WEIGHT
from analysis.serving.deployment import Deployments, Load, Plan, ServingChip, Software, deployment
from analysis.trend.calendar_year import decimal_year

ENGINES = {"TensorRT-LLM": "trtllm", "vLLM": "vllm", "SGLang": "sglang", "vLLM TPU": "vllm"}
DRAFTED = 2.0
"""Assumed number of drafted tokens if a source states only multi-token prediction. [1]"""
DRAFTS = {"multi-token prediction": DRAFTED, "likely": DRAFTED}


@dataclass(frozen=True, kw_only=True)
class Points:
    """Measured points: deployments and their measured values, each of shape (n,). NaN if not measured.

    ``rows`` are those of the table, in the same order; ``closed`` marks a closed loop or a burst of known concurrency.
    """

    deployments: Deployments
    rows: pd.DataFrame
    token_s: FloatArray
    first_s: FloatArray
    tokens_per_s: FloatArray
    closed: BoolArray

    def __len__(self) -> int:
        """Return the number of points."""
        return len(self.rows)


def _number(row: Mapping[str, Any], name: str, *, otherwise: float = np.nan) -> float:
    value = row.get(name)
    return otherwise if value is None or pd.isna(value) else float(value)


def fewest_chips(weights_byte: float, *, capacity_byte: float, most: float) -> float:
    """Return the fewest chips, a power of two, that hold the weights and leave about 30% of memory free. [1]"""
    chips = 1.0
    while 2 * chips <= most and weights_byte > 0.7 * chips * capacity_byte:
        chips *= 2
    return chips


def _plan(row: Mapping[str, Any], *, weights_byte: float, chip: ServingChip) -> Plan:
    """Return the plan in a row. If none is stated, the weights are split over the fewest chips that can hold them."""
    if row["mode"] == "disaggregated":
        chips = _number(row, "decode_accelerators_per_worker", otherwise=1.0)
        data = _number(row, "attention_data_parallel", otherwise=1.0)
        return Plan(
            tensor=max(chips / data, 1.0),
            data=data,
            expert=_number(row, "expert_parallel", otherwise=1.0),
            decode_workers=_number(row, "decode_workers", otherwise=1.0),
            prefill_workers=_number(row, "prefill_workers", otherwise=1.0),
            prefill_chips=_number(row, "prefill_accelerators_per_worker", otherwise=1.0),
            prefill_data=_number(row, "prefill_attention_data_parallel", otherwise=1.0),
        )
    tensor = _number(row, "tensor_parallel")
    if np.isnan(tensor) and row["load"] not in LOOPS:
        most = _number(row, "n_accelerators", otherwise=8.0)
        tensor = fewest_chips(weights_byte, capacity_byte=chip.memory_capacity_byte, most=most)
    return Plan(
        tensor=1.0 if np.isnan(tensor) else tensor,
        data=_number(row, "attention_data_parallel", otherwise=1.0),
        pipeline=_number(row, "pipeline_parallel", otherwise=1.0),
        expert=_number(row, "expert_parallel", otherwise=1.0),
    )


LOOPS = ("closed loop", "burst")
"""Kinds of load with a known number of concurrent requests."""
FULL_LOAD = ("offline maximum throughput", "Offline")
_ENGINES = {"trt": "TensorRT-LLM", "tensorrt": "TensorRT-LLM", "vllm": "vLLM", "sglang": "SGLang"}


def _day(text: str) -> str:
    """Return the day that represents an imprecise date: the middle of its month or year."""
    date = re.match(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?", text)
    return f"{date[1]}-{date[2] or '07'}-{date[3] or '15'}" if date else "NaT"


def full_load_points(serving: pd.DataFrame, *, prompts: Mapping[str, float]) -> pd.DataFrame:
    """Return the full-load rows, in the form of the table of points.

    ``prompts`` are mean prompt lengths by model, for rows that do not state one. If experts are spread, attention is
    data-parallel.
    """
    rows = serving.loc[
        serving["scenario"].isin(FULL_LOAD)
        & (serving["token_kind"] == "output")
        & serving["output_tokens"].notna()
        & (serving["accelerator"] != "")
        & (serving["architecture"] != "")
    ].reset_index(drop=True)
    prompt = rows["prompt_tokens"].fillna(rows["architecture"].map(dict(prompts)))
    first = [re.split(r"[ :_-]", str(text).lower())[0] for text in rows["software"]]
    spread = rows["expert_parallel"] > 1
    same = ["accelerator", "n_accelerators", "model", "architecture", "quantisation", "output_tokens"]
    same += ["tensor_parallel", "pipeline_parallel", "expert_parallel", "output_tokens_per_s_per_accelerator"]
    return (
        rows[[*same, "source_id", "locator"]]
        .assign(
            point_id=rows["row_id"],
            duplicate_of="",
            load="offline",
            mode="aggregated",
            expert_quantisation="",
            prompt_tokens=prompt,
            attention_data_parallel=np.where(spread, rows["expert_parallel"], np.nan),
            speculation="none",
            software=[_ENGINES.get(name, "") for name in first],
            software_version="",
            software_on=pd.to_datetime([_day(str(text)) for text in rows["measured_in"]]),
        )
        .loc[prompt.notna()]
    )


def points(
    table: pd.DataFrame,
    *,
    models: Mapping[str, Architecture],
    chips: Mapping[str, ServingChip],
    tuning: Mapping[str, str],
) -> Points:
    """Return the points that are original measurements of a known model on a known chip.

    ``tuning`` maps each source to whether its setups were tuned or served as installed.

    MLPerf scenarios with latency limits are excluded, as their load adapts to the limits. So are disaggregated points
    whose source does not state the number of workers.
    """
    usable = table.loc[
        (table["duplicate_of"] == "")
        & table["architecture"].isin(list(models))
        & table["accelerator"].isin(list(chips))
        & table["quantisation"].isin(list(SERVED_BITS_PER_WEIGHT))
        & table["load"].isin([*LOOPS, "offline"])
        & (~table["load"].isin(LOOPS) | table["concurrency"].notna())
        & ((table["mode"] != "disaggregated") | table["prefill_workers"].notna())
    ].reset_index(drop=True)
    years = decimal_year(usable["software_on"])
    entries = []
    for row, year in zip(usable.to_dict("records"), years, strict=True):
        model, chip = models[row["architecture"]], chips[row["accelerator"]]
        expert = row["expert_quantisation"]
        name = str(expert or row["quantisation"])
        bits = SERVED_BITS_PER_WEIGHT[name]
        entries.append(
            deployment(
                model,
                chip=chip,
                format_name=name,
                bits=bits,
                plan=_plan(row, weights_byte=model.n_parameters * bits / 8, chip=chip),
                load=Load(
                    prompt_tokens=_number(row, "prompt_tokens"),
                    output_tokens=_number(row, "output_tokens"),
                    concurrency=_number(row, "concurrency"),
                    burst=row["load"] != "closed loop" and bool(pd.notna(row["concurrency"])),
                    drafted=DRAFTS.get(str(row["speculation"]), 0.0),
                ),
                software=Software(
                    engine=ENGINES.get(str(row["software"]), ""),
                    version=str(row["software_version"]),
                    year=float(year),
                    tuning=tuning.get(str(row["source_id"]), ""),
                    source=str(row["source_id"]),
                ),
            )
        )
    closed = np.asarray(usable["load"].isin(LOOPS), dtype=bool)

    def measured(name: str, keep: BoolArray) -> FloatArray:
        values = usable[name].to_numpy(dtype=float)
        return np.where(keep & (values > 0), values, np.nan)

    return Points(
        deployments=Deployments.from_rows(entries),
        rows=usable,
        token_s=measured("time_per_output_token_s", closed),
        first_s=measured("time_to_first_token_s", closed),
        tokens_per_s=measured("output_tokens_per_s_per_accelerator", np.ones(len(usable), dtype=bool)),
        closed=closed,
    )
