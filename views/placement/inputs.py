"""What the choices of /placement stand for: work, requirements, places, fitted models and their draws."""

from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from analysis.measured.decode_cases import attention_of
from analysis.measured.held_out import Spread, spread
from analysis.measured.sustained import sustained_ratios
from analysis.model.kv_cache import Attention
from analysis.placement.fits import fit_placement, fit_throughput
from analysis.placement.outcome import Luck, luck
from analysis.placement.places import Conditions, Places
from analysis.placement.setup import Fitted
from analysis.placement.work import Requirements, Work, work_of
from data import standing
from data.releases import Release, latest, load, names
from data.serving import serving_speeds
from views.models import names as model_names
from views.models import row as model_row
from views.placement.places import compared
from views.placement.settings import ALL_TIME_S, CUSTOM, NO_SPEED, PlacementSettings

ON_DEVICES = {"fp16": "FP16", "8-bit": "Q8_0", "6-bit": "Q6_K", "4-bit": "Q4_K_M", "3-bit": "Q3_K_M"}
ON_ACCELERATORS = {"fp16": "FP16", "8-bit": "FP8", "6-bit": "FP8", "4-bit": "NVFP4", "3-bit": "NVFP4"}
FAMILIES = {
    "fp16": "16-bit",
    "8-bit": "8-bit",
    "6-bit": "block 4-bit",
    "4-bit": "block 4-bit",
    "3-bit": "block 4-bit",
}


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Everything an answer is computed from; ``words`` are the places' words in a link.

    ``served`` are the accelerators whose published throughput stands in the fit.
    """

    model: str
    bits: float
    work: Work
    requirements: Requirements
    conditions: Conditions
    words: tuple[str, ...]
    places: Places
    fitted: Fitted
    luck: Luck
    sustained: np.ndarray
    sustained_rule: bool | None
    served: tuple[str, ...]


@cache
def _bits() -> dict[str, float]:
    table = standing.table("quantisation")
    return dict(zip(table["name"], map(float, table["bits_per_weight"]), strict=True))


def frozen(release: Release) -> str:
    """Return the frozen release whose chips stand in the fit: a reader's export stands on one."""
    return release.name if release.name in names() else release.base or latest()


@lru_cache(maxsize=4)
def fitted(release: str) -> tuple[Fitted, Spread, tuple[str, ...]]:
    """Return the fitted models, how far measured throughput lies from what models unseen give, and of which chips.

    The chips are those with two rows or more, most rows first.
    """
    architectures = standing.table("architectures")
    model, rows = fit_throughput(
        serving_speeds(),
        architectures=architectures,
        accelerators=load(release).accelerators,
    )
    held = spread(
        model.residual,
        devices=list(rows["architecture"]),
        classes=["accelerator"] * len(rows),
        kinds=["GPU"] * len(rows),
    )
    counts = Counter(map(str, rows["accelerator"]))
    measured = tuple(name for name, count in counts.most_common() if count > 1)
    return Fitted(devices=devices_fitted(), accelerators=model), held, measured


@cache
def devices_fitted():
    """Return the models of devices, fitted to the table of measured speeds."""
    return fit_placement(
        standing.table("measured_decode"),
        architectures=standing.table("architectures"),
        edge_devices=standing.table("edge_devices"),
    )


def custom_attention(n_parameters: float) -> tuple[Attention, float]:
    """Return attention and hidden size of a typical dense model: width 128 times depth, eight KV heads of 128.

    References
    ----------
    12 layers x hidden^2 parameters (Kaplan et al., arXiv:2001.08361, equation 2.1); the dense models of the table
    from 1B to 405B lie within a factor of 1.4 of the depth this gives.
    """
    layers = max(round((n_parameters / (12 * 128**2)) ** (1 / 3)), 1)
    return Attention(n_layers=layers, n_kv_heads=8, head_size=128), 128.0 * layers


def work(settings: PlacementSettings, *, model: str | None = None) -> tuple[str, Work]:
    """Return the name of the model and the work on devices' format; ``model`` replaces the chosen one."""
    word = model or settings.usual("model")
    if word == CUSTOM:
        parameters = active = settings.billions * 1e9
        name = f"A dense model of {settings.billions:,.12g} billion parameters"
        attention, hidden = custom_attention(parameters)
    else:
        row, name = model_row(word), model_names()[word]
        parameters, active = float(row["n_parameters"]), float(row["n_active_parameters"])
        attention, hidden = attention_of(row), float(row["hidden_size"])
    format_name = settings.usual("format")
    return name, work_of(
        attention=attention,
        n_parameters=parameters,
        n_active_parameters=active,
        hidden_size=hidden,
        bits_per_weight=_bits()[ON_DEVICES[format_name]],
        kept_tokens=settings.number("kept"),
        prompt_tokens=settings.number("prompt"),
        output_tokens=settings.number("output"),
        requests_per_day=settings.number("requests"),
        people=settings.number("people"),
        peak_factor=settings.number("peak"),
        format_family=FAMILIES[format_name],
        precision=ON_ACCELERATORS[format_name],
    )


def at_each_place(found: Work, places: Places, format_name: str) -> Work:
    """Return the work with its weights in the format each place uses, shape (places,)."""
    ratio = _bits()[ON_ACCELERATORS[format_name]] / _bits()[ON_DEVICES[format_name]]
    times = np.where(places.accelerator, ratio, 1.0)
    return Work(
        **{
            **vars(found),
            "weights_byte": found.weights_byte * times,
            "active_weights_byte": found.active_weights_byte * times,
        }
    )


def requirements(settings: PlacementSettings) -> Requirements:
    """Return what an answer must be."""
    first = settings.number("first_token")
    speed = settings.number("speed")
    return Requirements(
        time_to_first_token_s=first if 0 < first < ALL_TIME_S else None,
        output_tokens_per_s=speed if speed > NO_SPEED else None,
        cost_usd_per_1000_requests=settings.budget,
        stay=settings.usual("stay"),
        offline=settings.offline == "yes",
    )


def conditions(settings: PlacementSettings) -> Conditions:
    """Return what surrounds the work."""
    return Conditions(
        utilization=settings.utilization / 100,
        by_hour=settings.renting == "by-hour",
        years=settings.years,
        share=settings.share,
        usd_per_kwh=settings.electricity,
        price_times=settings.rent_change / 100,
    )


@cache
def sustained() -> np.ndarray:
    """Return the published ratios of a phone's sustained to its first speed, shape (n,)."""
    return sustained_ratios(standing.table("measured_decode"))


def inputs(settings: PlacementSettings, release: Release, *, model: str | None = None) -> Inputs:
    """Return everything the answer is computed from; ``model`` replaces the chosen one."""
    words, places = compared(settings, release)
    name, asked = work(settings, model=model)
    models, held, served = fitted(frozen(release))
    format_name = settings.usual("format")
    return Inputs(
        model=name,
        bits=_bits()[ON_DEVICES[format_name]],
        work=at_each_place(asked, places, format_name),
        requirements=requirements(settings),
        conditions=conditions(settings),
        words=words,
        places=places,
        fitted=models,
        luck=_luck(places, models, held),
        sustained=sustained(),
        sustained_rule={"by-work": None, "always": True, "never": False}[settings.sustained],
        served=served,
    )


def _luck(places: Places, models: Fitted, held: Spread) -> Luck:
    return luck(places, fitted=models, accelerators=held, sustained=sustained())
