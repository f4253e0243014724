"""What a fine-tuning needs, takes and costs at every place."""

from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray
from analysis.fine_tuning.adapters import ATTENTION, Adapters, TunedModel, tuned_model
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
from analysis.hardware.memory import usable_memory_byte
from analysis.measured.prefill import PROMPT_AT_TOKENS, PrefillCases
from analysis.placement.outcome import DRAWS, SEED
from analysis.placement.places import PERSONAL, RENTED
from analysis.placement.setup import CARDS_PER_HOST, HOST_USD, HOST_W, allowed
from analysis.serving.model import MEMORY_FOR_SERVING
from data.releases import Release
from views.models import row as model_row
from views.placement.inputs import Inputs, custom_attention
from views.placement.settings import CUSTOM, FIRST_YEAR, PlacementSettings
from views.placement.years import middle_growth

SEQUENCE_TOKENS, MICRO_BATCH, RANK = 2048.0, 2, 16.0


METHODS: dict[str, Method] = {"full": "full", "lora": "lora", "qlora": "qlora"}


@dataclass(frozen=True, kw_only=True)
class Tuned:
    """A fine-tuning at every place: chips, hours and costs with their draws, chance and what binds."""

    chips: FloatArray
    hours: FloatArray
    cost_usd: FloatArray
    energy_j: FloatArray
    probability: FloatArray
    binding: tuple[str, ...]


def model_of(settings: PlacementSettings) -> TunedModel:
    """Return the sizes of the model that is tuned."""
    word = settings.usual("model")
    if word != CUSTOM:
        return tuned_model(model_row(word))
    attention, hidden = custom_attention(settings.billions * 1e9)
    return TunedModel(
        n_parameters=settings.billions * 1e9,
        n_active_parameters=settings.billions * 1e9,
        n_layers=attention.n_layers,
        hidden_size=hidden,
        n_heads=attention.n_layers,
        n_kv_heads=min(8, attention.n_layers),
        head_size=128.0,
        feed_forward_size=3.5 * hidden,
        vocabulary=128_256.0,
    )


def tuned(settings: PlacementSettings, release: Release, found: Inputs) -> Tuned:
    """Return the fine-tuning at every place, with 1,000 seeded draws of its speed."""
    model, places = model_of(settings), found.places
    method = METHODS[settings.usual("tuning")]
    served, rented = places.accelerator, places.is_kind(RENTED)
    growth = middle_growth(release, found, year=settings.year) if settings.year > FIRST_YEAR else None
    capacity = places.memory_capacity_byte * (growth.capacity if growth else 1.0)
    shares = np.array([float(usable_memory_byte(1.0, device_class=name)) for name in places.device_class])
    adapters = (
        Adapters(rank=RANK, targets=ATTENTION)
        if model.n_active_parameters < model.n_parameters
        else Adapters(rank=RANK)
    )
    chips = fewest_devices(
        model,
        usable_byte=capacity * np.where(served, MEMORY_FOR_SERVING, shares),
        method=method,
        sequence_length=SEQUENCE_TOKENS,
        micro_batch=MICRO_BATCH,
        adapters=adapters,
    )
    fits = chips <= places.most_chips
    count = np.where(fits, np.maximum(chips, places.chips), 1.0)
    flop = fine_tune_flop(
        model,
        method=method,
        tokens=settings.number("tuning_tokens") * 1e6,
        sequence_length=SEQUENCE_TOKENS,
        adapters=adapters,
    )
    speed = _flop_per_s(found, model) * (growth.flop if growth else 1.0)
    spread = np.where(served, SHARE_OF_MATMUL_LOG_SPREAD, SHARE_OF_PROMPT_READING_LOG_SPREAD)
    luck = np.exp(spread[:, None] * np.random.default_rng(SEED).standard_normal((len(places), DRAWS)))
    slower = dequantisation_factor(tokens_at_once=MICRO_BATCH * SEQUENCE_TOKENS) if method == "qlora" else 1.0
    time_s = fine_tune_time_s(
        flop, flop_per_s=speed[:, None] * luck, devices=count[:, None], slower=slower
    ) / np.where(
        np.array([name == "phone" for name in places.device_class]), np.median(found.sustained), 1.0
    ).reshape(-1, 1)
    hosts = np.where(rented, 0.0, np.ceil(count / CARDS_PER_HOST) / count)
    host_usd = hosts * np.array([HOST_USD.get(name, 0.0) for name in places.device_class])
    host_w = hosts * np.array([HOST_W.get(name, 0.0) for name in places.device_class])
    dearer = growth.price if growth else 1.0
    share = np.where(places.is_kind(PERSONAL), found.conditions.share, 1.0)
    price = np.where(share > 0, share * (places.price_usd * dearer + host_usd), 0.0)
    power = places.power_w * np.where(rented, found.conditions.server_power, 1.0) + host_w
    cost = fine_tune_cost(
        time_s,
        devices=count[:, None],
        power_w=power[:, None],
        price_usd_per_hour=(places.price_usd_per_hour * dearer * settings.rent_change / 100)[:, None],
        price_usd=price[:, None],
        years=settings.years,
        share=1.0,
        electricity_usd_per_kwh=settings.electricity,
    )
    money = np.where(rented[:, None], cost.rented_usd, cost.owned_usd)
    hours, deadline = time_s / 3600.0, settings.number("deadline")
    may = allowed(places, found.requirements)
    met = fits[:, None] & may[:, None] & (hours <= (deadline or np.inf))
    if settings.budget is not None:
        met = met & (money <= settings.budget)
    words = []
    for i in range(len(places)):
        late = float(np.median(hours[i])) / deadline if deadline else 0.0
        dear = float(np.median(money[i])) / settings.budget if settings.budget else 0.0
        word = "price" if dear > late else "compute"
        words.append("rule" if not may[i] else "capacity" if not fits[i] else word)
    return Tuned(
        chips=np.where(fits, count, chips),
        hours=hours,
        cost_usd=money,
        energy_j=cost.energy_j,
        probability=met.mean(axis=1),
        binding=tuple(words),
    )


def _flop_per_s(found: Inputs, model: TunedModel) -> FloatArray:
    """Return what a chip of each place executes while fine-tuning, shape (places,). [FLOP/s]"""
    places, n = found.places, len(found.places)
    prefill = found.fitted.devices.prefill
    reads = prefill.tokens_per_s(
        PrefillCases(
            device=places.device,
            device_class=places.speed_class,
            backend=places.backend,
            memory_bandwidth_byte_per_s=places.memory_bandwidth_byte_per_s,
            peak_flop_per_s=places.peak_flop_per_s,
            n_active_parameters=np.full(n, float(np.max(model.n_active_parameters))),
            prompt_tokens=np.full(n, PROMPT_AT_TOKENS),
            mixture=np.full(n, bool(np.max(model.n_active_parameters) < np.max(model.n_parameters))),
        )
    )
    edge = edge_flop_per_s(
        prompt_tokens_per_s=reads,
        n_active_parameters=float(np.max(model.n_active_parameters)),
        share=SHARE_OF_PROMPT_READING,
    )
    chips = np.array(
        [
            float(
                accelerator_flop_per_s(
                    places.device[i], peak_flop_per_s=places.peak_flop_per_s[i], share=SHARE_OF_MATMUL
                )
            )
            if places.accelerator[i]
            else np.nan
            for i in range(n)
        ]
    )
    return np.where(places.accelerator, chips, edge)
