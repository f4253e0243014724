"""What a fine-tuning needs, takes and costs at every place."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import BoolArray, FloatArray
from analysis.fine_tuning.adapters import ATTENTION, Adapters
from analysis.fine_tuning.memory import Method, fewest_devices, fine_tune_flop
from analysis.fine_tuning.time import (
    SHARE_OF_MATMUL,
    SHARE_OF_MATMUL_LOG_SPREAD,
    SHARE_OF_PROMPT_READING,
    SHARE_OF_PROMPT_READING_LOG_SPREAD,
    accelerator_flop_per_s,
    dequantisation_factor,
    edge_flop_per_s,
    fine_tune_cost,
    fine_tune_time_s,
)
from analysis.hardware.matmul_rates import MatmulRates
from analysis.measured.prefill import PROMPT_AT_TOKENS, PrefillCases
from analysis.model.architecture import Architecture
from analysis.placement.answers import LEVEL, Spans
from analysis.placement.luck import DRAWS, SEED
from analysis.placement.outcome import interval
from analysis.placement.prices import CARDS_PER_HOST, host_usd, host_w
from analysis.placement.question import Question
from analysis.placement.setup import usable_shares

MEMORY_ON_ACCELERATORS = 0.9  # share of it that a fine-tuning can have, assumed
SEQUENCE_TOKENS, MICRO_BATCH, RANK = 2048.0, 2, 16.0


@dataclass(frozen=True, kw_only=True)
class TuningTask:
    """Which model is tuned how, on how many tokens in all, and within which limits.

    ``deadline_h`` is 0 where time does not matter, ``budget_usd`` None where money does not. ``matmul_rates``
    are those that were measured on chips.
    """

    model: Architecture
    method: Method
    tokens: float
    deadline_h: float
    budget_usd: float | None
    matmul_rates: MatmulRates

    @property
    def mixture(self) -> bool:
        """Return whether only some of the model's parameters work on a token."""
        return self.model.is_mixture

    @property
    def adapters(self) -> Adapters:
        """Return the adapters that are trained: those of attention alone in a mixture of experts."""
        return Adapters(rank=RANK, targets=ATTENTION) if self.mixture else Adapters(rank=RANK)


@dataclass(frozen=True, kw_only=True)
class Tuned:
    """A fine-tuning at every place: chips, hours and costs with their draws, chance and what binds.

    ``question`` is what was asked. ``hours``, ``cost_usd`` and ``energy_j`` have shape (places, draws), the others
    (places,).
    """

    question: Question
    chips: FloatArray
    hours: FloatArray
    cost_usd: FloatArray
    energy_j: FloatArray
    probability: FloatArray
    binding: tuple[str, ...]
    meets: BoolArray

    @cached_property
    def cost(self) -> Spans:
        """Return the cost with its interval. [USD]"""
        return _spans(self.cost_usd)

    @cached_property
    def time(self) -> Spans:
        """Return the time with its interval. [h]"""
        return _spans(self.hours)

    @property
    def ruled_out(self) -> BoolArray:
        """Return which places a rule excludes, shape (places,)."""
        return np.array(self.binding) == "rule"

    @property
    def too_small(self) -> BoolArray:
        """Return which of the others have too little memory, shape (places,)."""
        return np.array(self.binding) == "capacity"

    @property
    def order(self) -> NDArray[np.intp]:
        """Return the places that meet what is asked by cost, then the rest by chance."""
        cost = np.nan_to_num(self.cost.median, nan=np.inf)
        return np.lexsort((cost, -np.where(self.meets, 1.0, self.probability)))

    def cheapest_of(self, keep: BoolArray) -> int | None:
        """Return the cheapest of the places that ``keep`` marks and that meet what is asked, or None."""
        cost = self.cost.median
        able = np.where(keep & self.meets & np.isfinite(cost), cost, np.inf)
        return int(np.argmin(able)) if np.isfinite(able).any() else None


def _spans(draws: FloatArray) -> Spans:
    low, median, high = interval(draws, level=LEVEL)
    return Spans(low=low, median=median, high=high)


def tuned(question: Question, task: TuningTask) -> Tuned:
    """Return the fine-tuning at every place, with 1,000 seeded draws of its speed."""
    places, growth, conditions = question.places, question.growth, question.conditions
    rented, count_of_places = question.rented, len(question.places)
    capacity = places.memory_capacity_byte * growth.capacity
    chips = fewest_devices(
        task.model,
        usable_byte=capacity * np.where(places.accelerator, MEMORY_ON_ACCELERATORS, usable_shares(places)),
        method=task.method,
        sequence_length=SEQUENCE_TOKENS,
        micro_batch=MICRO_BATCH,
        adapters=task.adapters,
    )
    fits = chips <= places.most_chips
    count = np.where(fits, np.maximum(chips, places.chips), 1.0)
    time_s = _time_s(question, task, count=count)
    hosts = np.where(rented, 0.0, np.ceil(count / CARDS_PER_HOST) / count)
    share = np.where(question.personal, conditions.share, 1.0)
    price = np.where(share > 0, share * (places.price_usd * growth.price + hosts * host_usd(places)), 0.0)
    power = places.power_w * np.where(rented, conditions.server_power * conditions.pue, 1.0) + hosts * host_w(
        places
    )
    rent_percent = round(100 * float(conditions.price_times), 9)
    cost = fine_tune_cost(
        time_s,
        devices=count[:, None],
        power_w=power[:, None],
        price_usd_per_hour=(places.price_usd_per_hour * growth.price * rent_percent / 100)[:, None],
        price_usd=price[:, None],
        years=float(conditions.years),
        share=1.0,
        electricity_usd_per_kwh=float(conditions.usd_per_kwh),
    )
    money = np.where(rented[:, None], cost.rented_usd, cost.owned_usd)
    hours, may = time_s / 3600.0, question.allowed
    met = fits[:, None] & may[:, None] & (hours <= (task.deadline_h or np.inf))
    if task.budget_usd is not None:
        met = met & (money <= task.budget_usd)
    words = []
    for i in range(count_of_places):
        late = float(np.median(hours[i])) / task.deadline_h if task.deadline_h else 0.0
        dear = float(np.median(money[i])) / task.budget_usd if task.budget_usd else 0.0
        word = "price" if dear > late else "compute"
        words.append("rule" if not may[i] else "capacity" if not fits[i] else word)
    chance = met.mean(axis=1)
    return Tuned(
        question=question,
        chips=np.where(fits, count, chips),
        hours=hours,
        cost_usd=money,
        energy_j=cost.energy_j,
        probability=chance,
        binding=tuple(words),
        meets=chance >= question.sure,
    )


def likeliest_tuning(done: Tuned, among: BoolArray) -> int:
    """Return the likeliest of the places that ``among`` marks; of equals one that holds the model, then the soonest."""
    at = np.flatnonzero(among)
    return int(at[np.lexsort((done.time.median[at], done.too_small[at], -done.probability[at]))[0]])


def nearest_tuning(done: Tuned, task: TuningTask) -> int:
    """Return the place that comes nearest: the likeliest, or that which misses by the least or has the most memory."""
    question = done.question
    held = ~done.too_small & ~done.ruled_out
    if not held.any():
        may = ~done.ruled_out if (~done.ruled_out).any() else np.ones(len(held), dtype=bool)
        memory = question.places.memory_capacity_byte * question.places.most_chips
        return int(np.argmax(np.where(may, memory, 0.0)))
    if done.probability.max() > 0:
        return int(done.order[0])
    over = np.median(done.hours, axis=1) / (task.deadline_h or np.inf)
    if task.budget_usd is not None:
        over = np.maximum(over, np.nan_to_num(np.median(done.cost_usd, axis=1) / task.budget_usd, nan=np.inf))
    return int(np.argmin(np.where(held, over, np.inf)))


def _time_s(question: Question, task: TuningTask, *, count: FloatArray) -> FloatArray:
    """Return the time on so many chips with the draws of its speed, shape (places, draws). [s]"""
    places = question.places
    flop = fine_tune_flop(
        task.model,
        method=task.method,
        tokens=task.tokens,
        sequence_length=SEQUENCE_TOKENS,
        adapters=task.adapters,
    )
    speed = _flop_per_s(question, task) * question.growth.flop
    spread = np.where(places.accelerator, SHARE_OF_MATMUL_LOG_SPREAD, SHARE_OF_PROMPT_READING_LOG_SPREAD)
    luck = np.exp(spread[:, None] * np.random.default_rng(SEED).standard_normal((len(places), DRAWS)))
    slower = (
        dequantisation_factor(tokens_at_once=MICRO_BATCH * SEQUENCE_TOKENS) if task.method == "qlora" else 1.0
    )
    kept = np.where(question.phones, np.median(question.sustained), 1.0)  # of its speed, under lasting work
    time_s = fine_tune_time_s(flop, flop_per_s=speed[:, None] * luck, devices=count[:, None], slower=slower)
    return time_s / kept.reshape(-1, 1)


def _flop_per_s(question: Question, task: TuningTask) -> FloatArray:
    """Return what a chip of each place executes while fine-tuning, shape (places,). [FLOP/s]"""
    places, n = question.places, len(question.places)
    active = task.model.n_active_parameters
    reads = question.fits.devices.prefill.tokens_per_s(
        PrefillCases(
            device=places.device,
            device_class=places.speed_class,
            backend=places.backend,
            memory_bandwidth_byte_per_s=places.memory_bandwidth_byte_per_s,
            peak_flop_per_s=places.peak_flop_per_s,
            n_active_parameters=np.full(n, active),
            prompt_tokens=np.full(n, PROMPT_AT_TOKENS),
            mixture=np.full(n, task.mixture),
        )
    )
    edge = edge_flop_per_s(
        prompt_tokens_per_s=reads, n_active_parameters=active, share=SHARE_OF_PROMPT_READING
    )
    chips = np.array(
        [
            float(
                accelerator_flop_per_s(
                    peak_flop_per_s=places.peak_flop_per_s[i],
                    matmul_share=task.matmul_rates.share(places.device[i]).share,
                    share=SHARE_OF_MATMUL,
                )
            )
            if places.accelerator[i]
            else np.nan
            for i in range(n)
        ]
    )
    return np.where(places.accelerator, chips, edge)
