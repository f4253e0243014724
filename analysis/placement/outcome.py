"""Results of placed work in each draw: times, costs and energy, and which requirements are met."""

from dataclasses import dataclass

import numpy as np

from analysis.arrays import BoolArray, FloatArray
from analysis.placement.load import full_load_per_s, waiting_s
from analysis.placement.places import TODAY, HardwareGrowth
from analysis.placement.question import Question
from analysis.placement.setup import PlacedWork
from analysis.placement.speed_draws import SpeedDraws, typical_speeds
from analysis.placement.work import LIMITS

TIMED = ("step", "full_step", "prompt", "full_prompt")
SUSTAINED_AFTER_S = 600.0
"""Time after which a phone runs at its sustained speed. The published tests last as long. [s]"""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Results, each of shape (cells, places, draws), or (pairs, draws) for selected pairs.

    ``load`` is the share of full load in the busiest hour. ``waiting_s`` is the part of the time to first token spent
    waiting for a slot, and on devices for other prompts. ``fits`` marks enough memory, ``met`` all requirements met.
    """

    time_to_first_token_s: FloatArray
    time_per_output_token_s: FloatArray
    cost_usd_per_1000_requests: FloatArray
    energy_j_per_request: FloatArray
    waiting_s: FloatArray
    load: FloatArray
    fits: BoolArray
    met: BoolArray

    @property
    def limited(self) -> dict[str, FloatArray]:
        """Return the quantity that each requirement limits, keyed by requirement; for speed, the time per token."""
        times = (self.time_to_first_token_s, self.time_per_output_token_s)
        return dict(zip(LIMITS, (*times, self.cost_usd_per_1000_requests), strict=True))


def outcome(
    placed: PlacedWork,
    question: Question,
    *,
    speed_draws: SpeedDraws | None = None,
    growth: HardwareGrowth | None = None,
) -> Outcome:
    """Return the results in every draw. Draws are the last axis, after the shape of ``placed``.

    ``speed_draws`` replaces the question's, for selected work or for single draws. ``growth`` are factors relative to
    the median that the work was set up with, broadcastable to the result; None draws no growth.
    """
    lot, grown = speed_draws or question.speed_draws, growth or TODAY
    columns = {
        name: np.asarray(value)[..., None] for name, value in vars(placed).items() if name not in TIMED
    }
    step = _time(placed, "step", grown=grown) / lot.step
    full_step = _time(placed, "full_step", grown=grown) / lot.step
    prompt = _time(placed, "prompt", grown=grown) / lot.prompt
    full_prompt = _time(placed, "full_prompt", grown=grown) / lot.prompt
    answer = columns["output_tokens"] * step
    slower = _throttled(placed, answer + prompt, speed_draws=lot, rule=question.sustained_rule)
    step, full_step, prompt = step * slower, full_step * slower, prompt * slower
    full_prompt = full_prompt * slower

    def per_s(batch: str, *, step_s: FloatArray, prompt_s: FloatArray) -> FloatArray:
        return full_load_per_s(
            step_s=step_s,
            prompt_s=prompt_s,
            batch=columns[batch],
            output_tokens=columns["output_tokens"],
            mixed=~columns["overlap"],
        )

    running = per_s("batch", step_s=step, prompt_s=prompt)
    full = per_s("slots", step_s=full_step, prompt_s=full_prompt)
    arriving = np.where(columns["by_use"], columns["utilization"] * full, columns["requests_per_s"])
    load = arriving / full
    waiting = waiting_s(
        requests_per_s=arriving,
        per_s=full,
        prompt_s=np.where(columns["overlap"], prompt, 0.0),
        slots=columns["slots"],
        machines=columns["machines"],
    )
    waiting = np.where(columns["shared"], waiting, 0.0)  # a person sends one request at a time
    first = columns["network_s"] + waiting + prompt + np.where(columns["overlap"], step, 0.0)
    energy = columns["busy_w"] / running + columns["network_j"]
    cost = (
        columns["fixed_usd"] * grown.price
        + 1000.0 * columns["second_usd"] / full
        + 1000.0 * columns["busy_w"] / running * columns["usd_per_j"]
    )
    fits = columns["need_byte"] <= columns["usable_byte"] * grown.capacity
    met = fits & columns["allowed"] & (load < 1.0)
    for ratio in question.requirements.excess(dict(zip(LIMITS, (first, step, cost), strict=True))).values():
        met = met & (ratio <= 1 + 1e-12)
    return Outcome(
        time_to_first_token_s=first,
        time_per_output_token_s=step,
        cost_usd_per_1000_requests=cost,
        energy_j_per_request=energy,
        waiting_s=waiting,
        load=load,
        fits=fits,
        met=met,
    )


def middle(placed: PlacedWork, question: Question) -> Outcome:
    """Return the results at the median. Factors are 1, and phones sustain the median share of their initial speed."""
    return outcome(placed, question, speed_draws=typical_speeds(placed.shape, sustained=question.sustained))


def _time(placed: PlacedWork, name: str, *, grown: HardwareGrowth) -> FloatArray:
    """Return the time of a step or prompt, with each part divided by the growth of its rate. [s]"""
    part = getattr(placed, name)
    memory = part.memory_s[..., None] / grown.bandwidth
    compute = part.compute_s[..., None] / grown.flop
    link = part.link_s[..., None] / grown.link
    both = np.where(np.asarray(placed.overlap)[..., None], np.maximum(memory, compute), memory + compute)
    return part.fixed_s[..., None] + both + link


def _throttled(
    placed: PlacedWork, busy_s: FloatArray, *, speed_draws: SpeedDraws, rule: bool | None
) -> FloatArray:
    """Return the slowdown of phones from initial to sustained speed, depending on how busy they are. [1]

    Busy is the share of the busiest hour, or the share of ten minutes that one answer takes. The interpolation between
    initial and sustained speed is assumed linear. ``rule`` is that of the question.
    """
    phones = np.asarray(placed.throttles)[..., None]
    if not np.any(phones) or rule is False:
        return np.ones(1)
    arriving = np.asarray(placed.requests_per_s)[..., None]
    busy = np.clip(np.maximum(arriving * busy_s, busy_s / SUSTAINED_AFTER_S), 0.0, 1.0)
    busy = np.where(phones, 1.0 if rule else busy, 0.0)
    return 1.0 / (1.0 - busy * (1.0 - speed_draws.sustained))
