"""Fine-tuning as the work: what each place needs, how long it takes and what it costs."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analysis.fine_tuning import Method, fewest_devices, fine_tune_flop
from analysis.fine_tuning_model import ATTENTION, Adapters, TunedModel, tuned_model
from analysis.fine_tuning_time import (
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
from analysis.memory import usable_memory_byte
from analysis.placement.outcome import DRAWS, SEED, interval
from analysis.placement.places import RENTED
from analysis.placement.setup import HOST_USD, HOST_W, allowed
from analysis.prefill import PROMPT_AT_TOKENS, PrefillCases
from analysis.serving import MEMORY_FOR_SERVING
from charts.chart import Bar, BarChart
from data.releases import Release
from views import wording
from views.axes import log_axis
from views.decoder_models import row as model_row
from views.placement.inputs import Inputs, custom_attention, inputs
from views.placement.places import of_year
from views.placement.settings import CUSTOM, FIRST_YEAR, TUNINGS, PlacementSettings
from views.placement.table import BINDING_WORDS, KIND_WORDS, ROLES, chance, usd
from views.placement.words import at_place, named
from views.placement.years import middle_growth
from views.result import Column, Exhibit, Figure, Source, Table
from views.view import Finding

FloatArray = NDArray[np.floating]

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
    count = np.where(fits, chips, 1.0)
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
    host_usd = np.where(rented, 0.0, [HOST_USD.get(name, 0.0) for name in places.device_class])
    host_w = np.where(rented, 0.0, [HOST_W.get(name, 0.0) for name in places.device_class])
    share = float(np.max(found.conditions.share))
    price = np.where(share > 0, places.price_usd + host_usd, 0.0)
    power = places.power_w * np.where(rented, found.conditions.server_power, 1.0) + host_w
    cost = fine_tune_cost(
        time_s,
        devices=count[:, None],
        power_w=power[:, None],
        price_usd_per_hour=(places.price_usd_per_hour * settings.rent_change / 100)[:, None],
        price_usd=price[:, None],
        years=settings.years,
        share=share,
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
        chips=chips,
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


def _spent(found: Inputs, given: Tuned, i: int) -> str:
    """Return a place with the median cost and hours of the work there."""
    count = float(given.chips[i])
    where = f"on {count:g} × {found.places.name[i]}" if 1 < count < np.inf else at_place(found, i)
    cost, hours = (float(np.median(values[i])) for values in (given.cost_usd, given.hours))
    return f"{where}: {usd(cost)} in {_hours(hours)}"


def tuning_finding(settings: PlacementSettings, release: Release, *, sources: tuple[Source, ...]) -> Finding:
    """Return where a fine-tuning runs best: within its deadline, at the least cost."""
    fp16 = PlacementSettings(**{**vars(settings), "format": "fp16"})
    found = inputs(fp16, release)
    given = tuned(settings, release, found)
    found = replace(found, places=of_year(found.places, settings.year))
    sure = settings.sure / 100
    low, cost, high = interval(given.cost_usd, level=0.9)
    fast, hours, slow = interval(given.hours, level=0.9)
    meets = given.probability >= sure
    order = np.lexsort((np.nan_to_num(cost, nan=np.inf), -np.where(meets, 1.0, given.probability)))
    able = np.where(meets & np.isfinite(cost), cost, np.inf)
    best = int(np.argmin(able)) if np.isfinite(able).any() else None
    method = settings.usual("tuning")
    noun = (
        f"{found.model} with {'all weights' if method == 'full' else 'LoRA' if method == 'lora' else 'QLoRA'}"
    )
    deadline = settings.number("deadline")
    shown = best if best is not None else int(order[0])
    place, count = found.places.name[shown], float(given.chips[shown])
    when = f"In {settings.year} " if settings.year > FIRST_YEAR else ""
    if best is not None:
        rented = found.places.is_kind(RENTED)
        others = np.where(rented != rented[best], able, np.inf)
        title = f"{when}{'fine' if when else 'Fine'}-tuning {noun} costs least {_spent(found, given, best)}"
        if np.isfinite(others).any():
            title = f"{title}; {_spent(found, given, int(np.argmin(others)))}"
    else:
        title = (
            f"{when}{'no' if when else 'No'} place fine-tunes {noun} within what is asked; {named(found, shown)} "
            f"comes nearest: {BINDING_WORDS[given.binding[shown]]}"
        )
    tokens = settings.number("tuning_tokens")
    source = (
        f"{found.model}, {TUNINGS[method]}, {tokens:g} million tokens in sequences of {SEQUENCE_TOKENS:,.0f}, within "
        f"{deadline:g} h, {settings.sure} % sure, {settings.year}. Chips: Epoch AI (CC BY 4.0), curated, release "
        f"{release.name}."
    )
    return Finding(
        headline=title,
        figures=(
            Figure(
                name="cost_usd",
                label="Cost",
                value=float(cost[shown]) if np.isfinite(cost[shown]) else None,
                unit="USD",
                text=usd(float(cost[shown])),
                low=float(low[shown]) if np.isfinite(cost[shown]) else None,
                high=float(high[shown]) if np.isfinite(cost[shown]) else None,
                level=0.9,
                interval_text=wording.interval(usd(float(low[shown])), usd(float(high[shown]))),
                method=f"1,000 draws at {place}",
                n=DRAWS,
            ),
            Figure(
                name="hours",
                label="Time",
                value=float(hours[shown]),
                unit="h",
                text=_hours(float(hours[shown])),
                low=float(fast[shown]),
                high=float(slow[shown]),
                level=0.9,
                interval_text=wording.interval(_hours(float(fast[shown])), _hours(float(slow[shown]))),
                method=f"1,000 draws at {place}",
                n=DRAWS,
            ),
            Figure(
                name="probability_meets_requirement",
                label="Chance to meet all",
                value=float(given.probability[shown]),
                unit="1",
                text=chance(float(given.probability[shown])),
                method=f"share of 1,000 draws at {place}",
                n=DRAWS,
            ),
            Figure(
                name="chips",
                label="Chips",
                value=count if np.isfinite(count) else None,
                unit="",
                text=f"{count:g}" if np.isfinite(count) else "none hold it",
            ),
        ),
        exhibits=(
            _exhibit(
                found, given, order, meets=meets, best=best, title=title, source=source, sure=settings.sure
            ),
        ),
        settings_line=source,
        notes=(
            "How fast devices of the edge fine-tune is poorly known: five published runs from two sources, 0.5 to 1.7 "
            "times the rate at which they read prompts.",
            "Accelerators train at 0.56 of their measured matrix rate (39 published runs, nine in ten between 0.41 "
            "and 0.71). Loading, evaluation and failed runs are not counted.",
            *(
                (
                    "Of a mixture of experts only the attention is adapted; no published run calibrates its speed.",
                )
                if found.work.mixture
                else ()
            ),
        ),
        method=(
            "Memory: weights (16 bits, or 4.127 bits with QLoRA), gradients and Adam states of what is trained, "
            "activations with checkpointing at micro-batch 2, and the runtime; split over several chips where one does "
            "not hold it (Rajbhandari et al. 2020; Korthikanti et al. 2022; Dettmers et al. 2023). Operations: 6 FLOP "
            "per active parameter and token in full, 4 with adapters, and 2 more for recomputing. Time is operations "
            "over the useful rate; cost is rent by the hour, or the device's share of its price for those hours and "
            "its electricity.",
        ),
        sources=sources,
    )


def _hours(value: float) -> str:
    if value < 1:
        return f"{wording.significant(60 * value)} min"
    return f"{wording.significant(value)} h" if value < 72 else f"{wording.significant(value / 24)} days"


def _exhibit(
    found: Inputs,
    given: Tuned,
    order: NDArray[np.intp],
    *,
    meets: NDArray[np.bool_],
    best: int | None,
    title: str,
    source: str,
    sure: int,
) -> Exhibit:
    low, cost, high = interval(given.cost_usd, level=0.9)
    fast, hours, slow = interval(given.hours, level=0.9)
    known = [float(value) for value in cost if np.isfinite(value) and value > 0]
    axis = log_axis("Cost of the fine-tuning", known or [1.0, 10.0], usd)
    bars = []
    for i in map(int, order):
        held = given.binding[i] not in ("rule", "capacity")
        priced = held and np.isfinite(cost[i]) and cost[i] > 0
        money = usd(float(cost[i])) if np.isfinite(cost[i]) else "price unknown"
        count = f"{given.chips[i]:g} × " if 1 < given.chips[i] < np.inf else ""
        told = f"{money}, {count}{_hours(float(hours[i]))}"
        bars.append(
            Bar(
                label=wording.sentence_case(found.places.name[i]),
                value=float(cost[i]) if priced else axis.low,
                text=told if held else BINDING_WORDS[given.binding[i]],
                role=ROLES[found.places.kind[i]] if meets[i] else "context",
                emphasised=i == best,
            )
        )

    def number(value: float) -> float | None:
        return float(value) if np.isfinite(value) else None

    columns = [
        Column(name="place", label="Place", kind="text"),
        Column(name="word", label="In a link", kind="text"),
        Column(name="kind", label="Kind", kind="text"),
        Column(name="chips", label="Chips"),
        *(
            Column(name=name, label=label, unit=unit)
            for name, label, unit in (
                ("hours", "Time", "h"),
                ("hours_low", "Time, low", "h"),
                ("hours_high", "Time, high", "h"),
                ("cost_usd", "Cost", "USD"),
                ("cost_usd_low", "Cost, low", "USD"),
                ("cost_usd_high", "Cost, high", "USD"),
                ("energy_kwh", "Energy", "kWh"),
                ("probability_meets_requirement", "Chance to meet all", "1"),
            )
        ),
        Column(name="binding", label="What binds", kind="text"),
    ]
    energy = np.median(given.energy_j, axis=1) / 3.6e6
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle="Median cost of the whole fine-tuning by place, log scale; grey where the chance to meet all "
            f"that is asked is below {sure} %.",
            alt=f"{title}.",
            source=source,
            x=axis,
            base=axis.low,
            bars=tuple(bars),
        ),
        table=Table(
            columns=tuple(columns),
            rows=tuple(
                (
                    wording.sentence_case(found.places.name[i]),
                    found.words[i],
                    KIND_WORDS[found.places.kind[i]],
                    number(given.chips[i]),
                    *(number(values[i]) for values in (hours, fast, slow, cost, low, high, energy)),
                    float(given.probability[i]),
                    given.binding[i],
                )
                for i in map(int, order)
            ),
        ),
    )
