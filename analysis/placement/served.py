"""Deployments of the serving model at places with accelerators, and their residuals."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.arrays import FloatArray, Rows
from analysis.placement.places import CHIPS_PER_SERVER, TODAY, Conditions, HardwareGrowth, Places
from analysis.placement.work import Work
from analysis.serving.deployment import Deployments, cache_byte_per_number
from analysis.serving.fit_points import traits
from analysis.serving.predict import ServingFit
from analysis.serving.times import by_name, most_requests

if TYPE_CHECKING:
    from analysis.placement.question import Question

KEPT_OF_THE_MODEL = Deployments.__dataclass_fields__.keys() - {"model", "format_name", "cache_shards"}
ROOM_FOR_WEIGHTS = 0.7  # share of the memory of a copy's chips; the rest is for the cache


def fewest_chips(
    places: Places, weights_byte: FloatArray | float, *, growth: HardwareGrowth = TODAY
) -> FloatArray:
    """Return how many chips (a power of two or the fixed number) hold a copy of the model, shape (cells, places)."""
    room = ROOM_FOR_WEIGHTS * places.memory_capacity_byte * np.asarray(growth.capacity)
    fewest = np.exp2(np.ceil(np.log2(np.maximum(np.asarray(weights_byte) / room, 1.0))))
    return np.where(places.chips > 0, places.chips, np.minimum(fewest, places.most_chips))


def deployments_at(
    work: Work,
    *,
    places: Places,
    chips: FloatArray,
    conditions: Conditions,
    growth: HardwareGrowth = TODAY,
    spread: bool = False,
) -> Deployments:
    """Return a copy of the model on ``chips`` accelerators at each place. Its arrays have shapes up to (cells, places).

    Up to eight chips share every layer; more chips form pipeline stages. If ``spread``, each of the eight instead
    stores whole experts and attends to its own requests. Prefill runs on the same chips as decode. The cache is as wide
    as in the engine's recipes.
    """
    served, n = work.serving, len(places)
    engine = conditions.serving_engine
    has_fp4 = places.peak_fp4_flop_per_s > places.peak_fp8_flop_per_s
    wide, narrow = (
        cache_byte_per_number(bits=served.bits, has_fp4=more, engine=engine) for more in (False, True)
    )
    byte = np.where(has_fp4, narrow, wide)
    together = np.minimum(chips, CHIPS_PER_SERVER)
    one, none = np.ones(n), np.zeros(n)
    tensor, data = (one, together) if spread else (together, one)
    columns = {name: np.asarray(value) for name, value in vars(served).items() if name in KEPT_OF_THE_MODEL}
    return Deployments(
        model=(served.model,) * n,
        accelerator=places.device,
        maker=places.maker,
        engine=(engine,) * n,
        version=("",) * n,
        tuning=("",) * n,
        burst=np.zeros(n, dtype=bool),
        source=("",) * n,
        format_name=(served.format_name,) * n,
        memory_bandwidth_byte_per_s=places.memory_bandwidth_byte_per_s
        * growth.bandwidth
        * conditions.bandwidth_times,
        memory_capacity_byte=places.memory_capacity_byte * growth.capacity,
        link_bandwidth_byte_per_s=places.link_bandwidth_byte_per_s * growth.link,
        domain_size=places.domain_size,
        expert_peak_flop_per_s=places.peak(served.bits) * growth.flop,
        common_peak_flop_per_s=places.peak(served.common_bits) * growth.flop,
        has_fp4=has_fp4,
        **columns,
        cache_shards=np.minimum(tensor, served.cache_shards),
        cache_read_byte=np.asarray(served.cache_read_byte(byte)),
        cache_kept_byte=np.asarray(served.cache_kept_byte(byte)),
        tensor=tensor,
        data=data,
        pipeline=chips / together,
        expert=data,
        decode_workers=one,
        prefill_workers=none,
        prefill_chips=none,
        prefill_data=one,
        prompt_tokens=np.asarray(work.prompt_tokens, dtype=float),
        output_tokens=np.asarray(work.output_tokens, dtype=float),
        concurrency=np.asarray(np.nan),
        drafted=none,
        year=np.full(n, np.nan),
    )


def deployments_of(question: "Question", *, chips: FloatArray, spread: bool = False) -> Deployments:
    """Return one copy of the model at each place of a question. All places must have accelerators."""
    return deployments_at(
        question.work,
        places=question.places,
        chips=chips,
        conditions=question.conditions,
        growth=question.growth,
        spread=spread,
    )


@dataclass(frozen=True, kw_only=True)
class PlaceResiduals(Rows):
    """Residuals of the serving model at each place, in log time, shape (places,).

    ``step`` and ``first`` are the expected errors of a step and of the time to first token; the spreads are their
    standard deviations. All are 0 for devices, whose models have their own errors.
    """

    step: FloatArray
    step_spread: FloatArray
    first: FloatArray
    first_spread: FloatArray


def residuals_at(places: Places, work: Work, *, conditions: Conditions, fit: ServingFit) -> PlaceResiduals:
    """Return, for each place, the serving model's error that similar measurements leave unexplained.

    Similarity is by vendor, chip, model, engine, format and load: on the fewest chips that fit the model, at the
    concurrency that their memory allows. Without similar measurements nothing is corrected and the spread is wide.
    """
    n = len(places)
    residuals = {name: np.zeros(n) for name in ("step", "step_spread", "first", "first_spread")}
    keep = places.accelerator
    if keep.any():
        these, own = places.at(keep), work.at(keep)
        chips = fewest_chips(these, own.serving.weights_byte)
        one = deployments_at(own, places=these, chips=chips, conditions=conditions)
        one = Deployments(**{name: _spread(value, len(these)) for name, value in vars(one).items()})
        wanted = traits(one, concurrency=most_requests(one, by_name(fit.factors)))
        for name, kind in (("step", "token"), ("first", "first")):
            residuals[name][keep], residuals[f"{name}_spread"][keep] = fit.residuals[kind].at(wanted)
    return PlaceResiduals(**residuals)


def _spread(value: Any, n: int) -> Any:
    """Return a column with an entry for each of n places, taken from the first cell."""
    if isinstance(value, tuple):
        return value
    values = np.asarray(value)
    return np.broadcast_to(values[0] if values.ndim > 1 else values, (n,))
