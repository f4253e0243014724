"""How long a prompt and a step take on each place, by part: devices and accelerators through their fitted models."""

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
class Timed:
    """A step that so many requests share, each output token's share of further prompts in it, and a prompt.

    On devices ``prompt`` is one prompt by itself and the first token comes a step later; on accelerators it is the time
    to the first token, with the wait for other prompts inside the engine.
    """

    step: TimeParts
    prompt: TimeParts


Speeds = Callable[[FloatArray], Timed]
"""Times of a work on all places with so many requests sharing each step, shapes broadcast to (cells, places)."""


def device_speeds(question: Question) -> Speeds:
    """Return times on devices, one each, from the model of measured devices; shapes (cells, places)."""
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
    """Return times on ``chips`` accelerators per copy of the model, from the model of serving; (cells, places).

    ``spread`` has each chip hold whole experts and its own requests, as in :func:`deployments_at`.

    A step carries its share of prompts, as engines mix both. The first token's time has the queue inside the engine as
    it was fitted with so many requests in flight, so no further wait behind prompts is added to it; what is not in it
    is the wait for a place among the requests (:func:`analysis.placement.load.waiting_s`). Both are corrected by
    what measurements like the place's lie off.
    """
    factors = by_name(question.fits.serving.factors)
    d = deployments_of(question, chips=chips, spread=spread)
    read = prompt_parts(d, factors)
    by_weights = read.weights_s >= read.layers_s
    off = question.unexplained
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
