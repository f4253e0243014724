"""Times of a prompt and of a step at each place, split into parts, as predicted by the fitted models."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import FloatArray, Rows
from analysis.measured.batching import shared_step_s
from analysis.measured.decode import DEPTH_POWER, DecodeCases, TokenTime
from analysis.measured.prefill_cases import PROMPT_AT_TOKENS, PrefillCases
from analysis.model.weights import weights_read_byte
from analysis.placement.predict import SHARES_WELL
from analysis.placement.question import Question
from analysis.placement.served import deployments_of
from analysis.serving.times import by_name, decode_step, first_token_counts, mixed_in, prompt_parts

REFERENCE_BYTE = 4e9  # size at which the fitted models are evaluated; times scale from there
REFERENCE_PARAMETERS = 1e9


@dataclass(frozen=True, kw_only=True)
class TimeParts(Rows):
    """Parts of the time of a step or prompt. Their shapes broadcast to (cells, places). [s]

    On devices the longer of memory and compute counts, on accelerators their sum, as each model was fitted.
    """

    fixed_s: FloatArray
    memory_s: FloatArray
    compute_s: FloatArray
    link_s: FloatArray

    def total_s(self, *, overlap: NDArray[np.bool_]) -> FloatArray:
        """Return the total time. ``overlap`` marks places where memory and compute time overlap. [s]"""
        both = np.where(
            overlap, np.maximum(self.memory_s, self.compute_s), np.add(self.memory_s, self.compute_s)
        )
        return self.fixed_s + both + self.link_s


@dataclass(frozen=True, kw_only=True)
class Timed:
    """Times of a batch's step and of a prompt, and the share of other prompts in the step.

    On devices ``prompt`` is prefill alone and the first token follows one step later. On accelerators it is the time to
    first token, including the wait for other prompts inside the engine.
    """

    step: TimeParts
    prompt: TimeParts


Speeds = Callable[[FloatArray], Timed]
"""Function that returns the times at all places for each number of requests per step."""


def device_speeds(question: Question) -> Speeds:
    """Return the times on single devices from the fitted device models, shape (cells, places)."""
    work, places, growth = question.work, question.places, question.growth
    models, conditions = question.fits.devices, question.conditions
    n = len(places)
    shared = {
        **places.measured_like,
        "format_family": (work.format_family,) * n,
        "mixture": np.full(n, work.mixture),
        "engine": (conditions.engine,) * n,
    }
    reference = np.full(n, REFERENCE_BYTE)
    one = models.decode.model.token_time(
        DecodeCases(**shared, weights_read_byte=reference, kv_read_byte=reference)
    )
    reads = models.prefill.tokens_per_s(
        PrefillCases(
            **shared,
            peak_flop_per_s=places.peak_flop_per_s,
            n_active_parameters=np.full(n, REFERENCE_PARAMETERS),
            prompt_tokens=np.full(n, PROMPT_AT_TOKENS),
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

    prompt = TimeParts(
        fixed_s=np.zeros_like(rate),
        memory_s=user.weights_s * work.weights_byte / work.active_weights_byte,
        compute_s=np.asarray(work.prompt_tokens) / rate,
        link_s=np.zeros_like(rate),
    )

    def timed(batch: FloatArray) -> Timed:
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
        step = TimeParts(
            fixed_s=user.overhead_s, memory_s=memory, compute_s=compute, link_s=np.zeros_like(memory)
        )
        return Timed(step=step, prompt=prompt)

    return timed


def accelerator_speeds(question: Question, *, chips: FloatArray, spread: bool = False) -> Speeds:
    """Return the serving model's times with ``chips`` accelerators per copy of the model, shape (cells, places).

    With ``spread``, each chip stores whole experts and has its own requests, as in :func:`deployments_at`.

    A step includes its share of prompts, as engines mix both. The time to first token includes the queue inside the
    engine as fitted at that concurrency, so no other wait behind prompts is added. It excludes the wait for a slot
    (:func:`analysis.placement.load.waiting_s`). Both are corrected by the errors of measurements similar to the
    place's.
    """
    factors = by_name(question.fits.serving.factors)
    d = deployments_of(question, chips=chips, spread=spread)
    read = prompt_parts(d, factors)
    by_weights = read.weights_s >= read.layers_s
    off = question.residuals
    slower, later = np.exp(off.step), np.exp(off.first)

    def timed(batch: FloatArray) -> Timed:
        parts = decode_step(d, factors, requests=batch)
        mixed = mixed_in(d, factors, requests=batch)
        counts = first_token_counts(d, factors, requests=batch)
        weighing = np.where(by_weights, later * counts.once, 0.0)
        once = np.where(by_weights, 0.0, later * counts.once)
        steps = later * (counts.step + counts.token)
        reads = later * (counts.own + counts.token * mixed)
        memory = parts.weights_s + parts.cache_s
        fixed = later * (counts.fixed_s + counts.launches * read.launches_s) + once * read.layers_s
        return Timed(
            step=TimeParts(
                fixed_s=slower * parts.launches_s,
                memory_s=slower * memory,
                compute_s=slower * (parts.compute_s + mixed * read.compute_s),
                link_s=slower * (parts.links_s + mixed * read.links_s),
            ),
            prompt=TimeParts(
                fixed_s=fixed + steps * parts.launches_s,
                memory_s=weighing * read.weights_s + steps * memory,
                compute_s=reads * read.compute_s + steps * parts.compute_s,
                link_s=reads * read.links_s + steps * parts.links_s,
            ),
        )

    return timed
