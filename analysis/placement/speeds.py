"""How long a prompt and a step take on each place, by part: devices and accelerators through their fitted models."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import FloatArray, Rows
from analysis.measured.batching import shared_step_s
from analysis.measured.decode import DEPTH_POWER, TokenTime
from analysis.measured.decode_cases import DecodeCases
from analysis.measured.prefill import PROMPT_AT_TOKENS, PrefillCases
from analysis.model.weights import weights_read_byte
from analysis.placement.places import CHIPS_PER_SERVER
from analysis.placement.predict import SHARES_WELL
from analysis.placement.question import Question
from analysis.serving.cases import ServingCases
from analysis.serving.model import part_sizes

REFERENCE_BYTE = 4e9  # where the fitted models are read off; times scale from there
REFERENCE_PARAMETERS = 1e9


@dataclass(frozen=True, kw_only=True)
class TimeParts(Rows):
    """One step, or one prompt, by what takes the time; shapes broadcast to (cells, places). [s]

    On devices the longer of memory and compute counts, on accelerators their sum, as each model was fitted.
    """

    fixed_s: FloatArray
    memory_s: FloatArray
    compute_s: FloatArray
    link_s: FloatArray

    def total_s(self, *, overlap: NDArray[np.bool_]) -> FloatArray:
        """Return the whole time; ``overlap`` marks places where memory and compute hide each other. [s]"""
        both = np.where(
            overlap, np.maximum(self.memory_s, self.compute_s), np.add(self.memory_s, self.compute_s)
        )
        return self.fixed_s + both + self.link_s


@dataclass(frozen=True, kw_only=True)
class Speeds:
    """Times of a work on all places: ``step`` gives a step that so many requests share, ``prompt`` one prompt."""

    step: Callable[[FloatArray], TimeParts]
    prompt: TimeParts


def device_speeds(question: Question) -> Speeds:
    """Return times on devices, one each, from the model of measured devices; shapes (cells, places)."""
    work, places, growth = question.work, question.places, question.growth
    models, conditions = question.fits.devices, question.conditions
    n = len(places)
    bandwidth = places.memory_bandwidth_byte_per_s
    one = models.decode.model.token_time(
        DecodeCases(
            device=places.device,
            device_class=places.speed_class,
            backend=places.backend,
            format_family=(work.format_family,) * n,
            memory_bandwidth_byte_per_s=bandwidth,
            weights_read_byte=np.full(n, REFERENCE_BYTE),
            kv_read_byte=np.full(n, REFERENCE_BYTE),
            mixture=np.full(n, work.mixture),
        )
    )
    reads = models.prefill.tokens_per_s(
        PrefillCases(
            device=places.device,
            device_class=places.speed_class,
            backend=places.backend,
            memory_bandwidth_byte_per_s=bandwidth,
            peak_flop_per_s=places.peak_flop_per_s,
            n_active_parameters=np.full(n, REFERENCE_PARAMETERS),
            prompt_tokens=np.full(n, PROMPT_AT_TOKENS),
            mixture=np.full(n, work.mixture),
            format_family=(work.format_family,) * n,
        )
    )
    wider = conditions.bandwidth_times * growth.bandwidth
    times = np.asarray(work.active_weights_byte) / REFERENCE_BYTE
    user = TokenTime(
        overhead_s=one.overhead_s * times**DEPTH_POWER,
        weights_s=one.weights_s * times / wider,
        cache_s=one.cache_s * np.asarray(work.cache_read_byte) / REFERENCE_BYTE / wider,
    )
    smaller = REFERENCE_PARAMETERS / np.asarray(work.n_active_parameters)
    rate = reads * smaller ** (1.0 + models.prefill.size_power) * growth.flop
    rate = rate / models.prefill.slowdown(np.asarray(work.prompt_tokens, dtype=float))
    loss = models.sharing_loss * np.array([name not in SHARES_WELL for name in places.speed_class])

    def step(batch: FloatArray) -> TimeParts:
        touched = weights_read_byte(
            weights_byte=work.weights_byte, active_weights_byte=work.active_weights_byte, batch=batch
        )
        memory, compute = shared_step_s(
            user,
            batch=batch,
            touched_over_active=touched / work.active_weights_byte,
            prefill_tokens_per_s=rate,
            sharing_loss=loss,
        )
        return TimeParts(
            fixed_s=user.overhead_s, memory_s=memory, compute_s=compute, link_s=np.zeros_like(memory)
        )

    prompt = TimeParts(
        fixed_s=np.zeros_like(rate),
        memory_s=user.weights_s * work.weights_byte / work.active_weights_byte,
        compute_s=np.asarray(work.prompt_tokens) / rate,
        link_s=np.zeros_like(rate),
    )
    return Speeds(step=step, prompt=prompt)


def accelerator_speeds(question: Question, *, chips: FloatArray) -> Speeds:
    """Return times on ``chips`` accelerators per copy of the model, from the throughput model; (cells, places).

    The cache is counted at 8 bits a number, as in the results the model was fitted to. A step carries its share of
    prompts, as engines mix both; ``prompt`` is one prompt by itself. Up to eight chips split every layer, further
    ones hold further layers.
    """
    work, places, growth = question.work, question.places, question.growth
    model, conditions = question.fits.full_load.model, question.conditions
    n = len(places)
    cases = ServingCases(
        accelerator=places.device,
        model=("",) * n,
        precision=(work.precision,) * n,
        n_accelerators=chips,
        tensor_parallel=np.minimum(chips, CHIPS_PER_SERVER),
        experts=np.zeros(n, dtype=bool),
        memory_bandwidth_byte_per_s=places.memory_bandwidth_byte_per_s
        * growth.bandwidth
        * conditions.bandwidth_times,
        memory_capacity_byte=places.memory_capacity_byte * growth.capacity,
        peak_flop_per_s=places.peak_flop_per_s * growth.flop,
        link_bandwidth_byte_per_s=places.link_bandwidth_byte_per_s * growth.link,
        weights_byte=np.asarray(work.weights_byte),
        active_share=np.asarray(work.active_weights_byte) / work.weights_byte,
        n_active_parameters=np.asarray(work.n_active_parameters),
        n_layers=np.asarray(work.n_layers),
        hidden_size=np.asarray(work.hidden_size),
        kv_read_byte=np.asarray(work.cache_read_byte) / 2,
        kv_kept_byte=np.asarray(work.cache_kept_byte) / 2,
        prompt_tokens=np.asarray(work.prompt_tokens),
        output_tokens=np.asarray(work.output_tokens),
    )
    longer = model.multipliers(
        ServingCases(**{**vars(cases), "active_share": np.full(n, 0.5 if work.mixture else 1.0)})
    )

    def step(batch: FloatArray) -> TimeParts:
        sizes = part_sizes(cases, batch)
        compute, weights, cache, link, steps = (
            size * times * batch / chips for size, times in zip(sizes, longer, strict=True)
        )
        return TimeParts(fixed_s=steps, memory_s=weights + cache, compute_s=compute, link_s=link)

    # One prompt by itself: its own FLOPs and exchanges, and one reading of all weights.
    compute, weights, _, link, steps = part_sizes(cases, np.ones(1))
    alone = np.asarray(work.prompt_tokens) / (np.asarray(work.prompt_tokens) + work.output_tokens)
    prompt = TimeParts(
        fixed_s=steps * longer[4] / chips,
        memory_s=np.asarray(work.weights_byte)
        / cases.memory_bandwidth_byte_per_s
        / chips
        * longer[1]
        * np.ones_like(weights),
        compute_s=compute * longer[0] * alone * work.output_tokens / chips,
        link_s=link * longer[3] * alone * work.output_tokens / chips,
    )
    return Speeds(step=step, prompt=prompt)
