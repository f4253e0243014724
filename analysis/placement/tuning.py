"""Requirements, time and cost of fine-tuning at every place."""

import math
from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray
from analysis.fine_tuning import time
from analysis.fine_tuning.memory import ATTENTION, Adapters, Method, fewest_devices, fine_tune_flop
from analysis.hardware.matmul_rates import MatmulRates
from analysis.measured.prefill_cases import PROMPT_AT_TOKENS, PrefillCases
from analysis.model.architecture import Architecture
from analysis.placement.question import Question
from analysis.placement.results import Lack, Missed, PlaceResults, Shortfall, Spans
from analysis.placement.setup import CARDS_PER_HOST, host_usd, host_w, usable_shares
from analysis.placement.speed_draws import DRAWS, SEED
from analysis.units import JOULE_PER_KWH

MEMORY_ON_ACCELERATORS = 0.9  # share of memory available to fine-tuning, assumed
SEQUENCE_TOKENS, MICRO_BATCH, RANK = 2048.0, 2, 16.0


@dataclass(frozen=True, kw_only=True)
class TuningTask:
    """A fine-tuning task: the model, the method, the number of training tokens, and limits on time and cost.

    ``deadline_h`` is 0 without a time limit, ``budget_usd`` None without a cost limit. ``matmul_rates`` are rates
    measured on chips.
    """

    model: Architecture
    method: Method
    tokens: float
    deadline_h: float
    budget_usd: float | None
    matmul_rates: MatmulRates

    @property
    def mixture(self) -> bool:
        """Return whether the model is a mixture of experts."""
        return self.model.is_mixture

    @property
    def adapters(self) -> Adapters:
        """Return the trained adapters. In a mixture of experts, only attention has them."""
        return Adapters(rank=RANK, targets=ATTENTION) if self.mixture else Adapters(rank=RANK)


@dataclass(frozen=True, kw_only=True)
class Tuned(PlaceResults):
    """Fine-tuning results at every place: chips, hours and costs, with their draws.

    ``drawn_hours``, ``drawn_cost_usd`` and ``energy_j`` have shape (places, draws), the others (places,).
    """

    task: TuningTask
    chips: FloatArray
    hours: Spans
    drawn_hours: FloatArray
    drawn_cost_usd: FloatArray
    energy_j: FloatArray

    @property
    def energy_kwh(self) -> FloatArray:
        """Return the median energy, shape (places,). [kWh]"""
        return np.median(self.energy_j, axis=1) / JOULE_PER_KWH

    @property
    def nearest(self) -> int:
        """Return the place closest to meeting the requirements: by probability, else by margin, else by memory."""
        if not self.possible.any():
            may = ~self.ruled_out if (~self.ruled_out).any() else np.ones(len(self.chips), dtype=bool)
            places = self.question.places
            return int(np.argmax(np.where(may, places.memory_capacity_byte * places.most_chips, 0.0)))
        if self.probability.max() > 0:
            return int(self.order[0])
        over = np.median(self.drawn_hours, axis=1) / (self.task.deadline_h or np.inf)
        if self.task.budget_usd is not None:
            cost = np.median(self.drawn_cost_usd, axis=1) / self.task.budget_usd
            over = np.maximum(over, np.nan_to_num(cost, nan=np.inf))
        return int(np.argmin(np.where(self.possible, over, np.inf)))

    def of_limits(self, i: int) -> list[Shortfall]:
        """Return a place's median value for each limit, first the deadline, then the cost."""
        hours, cost, task = float(self.hours.median[i]), float(self.cost_usd.median[i]), self.task
        limits = []
        if task.deadline_h:
            late = math.inf if hours > task.deadline_h else 0.0
            limits.append(Shortfall(lack=Lack.TIME, reached=hours, required=task.deadline_h, times=late))
        if task.budget_usd:
            times = cost / task.budget_usd
            limits.append(Shortfall(lack=Lack.COST, reached=cost, required=task.budget_usd, times=times))
        return limits

    def missing(self, draws: FloatArray, limit: float) -> Missed:
        """Return how many possible places are too unlikely to meet a limit, and the place closest to meeting it."""
        likely = (draws <= limit).mean(axis=1) >= self.question.required_probability
        return Missed.of(self.possible & ~likely, left=self.possible, reached=np.median(draws, axis=1))


def tuned(question: Question, task: TuningTask) -> Tuned:
    """Return the fine-tuning results at every place, with 1,000 seeded draws of speed."""
    places, growth, conditions = question.places, question.growth, question.conditions
    rented = question.rented
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
    cost = time.fine_tune_cost(
        time_s,
        devices=count[:, None],
        power_w=power[:, None],
        price_usd_per_hour=(places.price_usd_per_hour * growth.price * rent_percent / 100)[:, None],
        price_usd=price[:, None],
        years=float(conditions.years),
        electricity_usd_per_kwh=float(conditions.usd_per_kwh),
    )
    money = np.where(rented[:, None], cost.rented_usd, cost.owned_usd)
    hours, may = time_s / 3600.0, question.allowed
    met = fits[:, None] & may[:, None] & (hours <= (task.deadline_h or np.inf))
    late, expensive = np.median(hours, axis=1) / (task.deadline_h or np.inf), np.zeros(len(places))
    if task.budget_usd is not None:
        met = met & (money <= task.budget_usd)
        expensive = np.median(money, axis=1) / task.budget_usd
    binding = np.where(expensive > late, "price", "compute")
    binding = np.where(may, np.where(fits, binding, "capacity"), "rule")
    cost_usd, spent, unknown = Spans.of(money), Spans.of(hours), np.full(len(places), np.nan)
    return Tuned(
        question=question,
        task=task,
        chips=np.where(fits, count, chips),
        hours=spent,
        cost_usd=cost_usd,
        drawn_hours=hours,
        drawn_cost_usd=money,
        energy_j=cost.energy_j,
        probability=met.mean(axis=1),
        binding=tuple(binding.tolist()),
        rank_usd=cost_usd.median,
        wait=spent.median,
        too_small=may & ~fits,
        need_byte=unknown,
        usable_byte=unknown,
    )


def _time_s(question: Question, task: TuningTask, *, count: FloatArray) -> FloatArray:
    """Return the training time on ``count`` chips in each draw of speed, shape (places, draws). [s]"""
    places = question.places
    flop = fine_tune_flop(
        task.model,
        method=task.method,
        tokens=task.tokens,
        sequence_length=SEQUENCE_TOKENS,
        adapters=task.adapters,
    )
    speed = _flop_per_s(question, task) * question.growth.flop
    spread = np.where(
        places.accelerator, time.SHARE_OF_MATMUL_LOG_SPREAD, time.SHARE_OF_PROMPT_READING_LOG_SPREAD
    )
    speed_draws = np.exp(spread[:, None] * np.random.default_rng(SEED).standard_normal((len(places), DRAWS)))
    slower = (
        time.dequantisation_factor(tokens_at_once=MICRO_BATCH * SEQUENCE_TOKENS)
        if task.method == "qlora"
        else 1.0
    )
    kept = np.where(question.phones, np.median(question.sustained), 1.0)  # sustained share of initial speed
    time_s = time.fine_tune_time_s(
        flop, flop_per_s=speed[:, None] * speed_draws, devices=count[:, None], slower=slower
    )
    return time_s / kept.reshape(-1, 1)


def _flop_per_s(question: Question, task: TuningTask) -> FloatArray:
    """Return one chip's rate in fine-tuning at each place, shape (places,). [FLOP/s]"""
    places, n = question.places, len(question.places)
    active = task.model.n_active_parameters
    reads = question.fits.devices.prefill.tokens_per_s(
        PrefillCases(
            **places.measured_like,
            peak_flop_per_s=places.peak_flop_per_s,
            n_active_parameters=np.full(n, active),
            prompt_tokens=np.full(n, PROMPT_AT_TOKENS),
            mixture=np.full(n, task.mixture),
        )
    )
    edge = time.edge_flop_per_s(prompt_tokens_per_s=reads, n_active_parameters=active)
    served = zip(places.device, places.accelerator, strict=True)
    reached = [task.matmul_rates.share(name).share if mark else np.nan for name, mark in served]
    chips = time.accelerator_flop_per_s(peak_flop_per_s=places.peak_flop_per_s, matmul_share=reached)
    return np.where(places.accelerator, chips, edge)
