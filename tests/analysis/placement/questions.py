"""Questions about made-up places, with the real fitted models."""

from functools import cache
from typing import Any

import numpy as np
from hypothesis import settings

from analysis.arrays import BoolArray
from analysis.model.architecture import Architecture
from analysis.model.parameters import ParameterCounts
from analysis.placement.fits import PlacementFits
from analysis.placement.outcome import Outcome, middle
from analysis.placement.places import Conditions, Places
from analysis.placement.question import Question
from analysis.placement.served import PlaceResiduals, residuals_at
from analysis.placement.setup import set_up
from analysis.placement.speed_draws import SpeedDraws, draw_speeds, sustained_ratios
from analysis.placement.tables import models
from analysis.placement.work import Requirements, Work, work_of
from analysis.serving.tables import model as serving_fitted
from data import standing

SOME = settings(max_examples=40, deadline=None)
"""How often a law is tried at most whose every case sets places up."""
PHONE, LAPTOP, DESKTOP, SERVER, CLOUD, FIXED = range(6)
COLUMNS: dict[str, Any] = {
    "name": ("a phone", "a laptop", "a desktop", "a server", "a cloud", "a fixed cloud"),
    "kind": ("personal", "personal", "owned", "owned", "rented", "rented"),
    "device_class": ("phone", "laptop", "desktop_gpu", "edge_server", "datacenter_gpu", "datacenter_gpu"),
    "speed_class": ("phone", "laptop", "desktop_gpu", "edge_server", "datacenter_gpu", "datacenter_gpu"),
    "backend": ("GPU",) * 6,
    "device": ("", "", "", "NVIDIA H200 SXM", "NVIDIA H100 SXM5 80GB", "NVIDIA H100 SXM5 80GB"),
    "maker": ("", "", "", "NVIDIA", "NVIDIA", "NVIDIA"),
    "accelerator": np.array([False, False, False, True, True, True]),
    "chips": np.array([1.0, 1.0, 1.0, 0.0, 0.0, 8.0]),
    "most_chips": np.array([1.0, 1.0, 1.0, 8.0, 64.0, 64.0]),
    "memory_bandwidth_byte_per_s": np.array([75e9, 150e9, 1.8e12, 0.86e12, 3.35e12, 3.35e12]),
    "memory_capacity_byte": np.array([12e9, 32e9, 32e9, 48e9, 80e9, 80e9]),
    "peak_flop_per_s": np.array([4e12, 16e12, 200e12, 360e12, 990e12, 990e12]),
    "peak_fp8_flop_per_s": np.array([np.nan, np.nan, np.nan, 720e12, 1980e12, 1980e12]),
    "peak_fp4_flop_per_s": np.array([np.nan, np.nan, np.nan, 720e12, 1980e12, 1980e12]),
    "domain_size": np.array([1.0, 1.0, 1.0, 8.0, 8.0, 8.0]),
    "link_bandwidth_byte_per_s": np.array([64e9, 64e9, 64e9, 64e9, 450e9, 450e9]),
    "power_w": np.array([5.0, 30.0, 575.0, 350.0, 700.0, 700.0]),
    "price_usd": np.array([1000.0, 2000.0, 2500.0, 8000.0, 0.0, 0.0]),
    "price_usd_per_hour": np.array([0.0, 0.0, 0.0, 0.0, 3.0, 3.0]),
    "round_trip_s": np.array([0.0, 0.0, 0.001, 0.001, 0.02, 0.02]),
    "uplink_byte_per_s": np.array([np.inf, np.inf, 125e6, 125e6, 5e6, 5e6]),
    "network_j_per_byte": np.array([0.0, 0.0, 0.0, 0.0, 1e-4, 1e-4]),
    "network_usd_per_byte": np.array([0.0, 0.0, 0.0, 0.0, 1e-10, 1e-10]),
}
PLACES = Places(**COLUMNS)
PERSONAL, OWNED = PLACES.is_kind("personal"), PLACES.is_kind("owned")
ONE_CHIP = ~PLACES.accelerator
MEASURED = standing.table("measured_decode")
SUSTAINED = sustained_ratios(MEASURED)


@cache
def fits() -> PlacementFits:
    return PlacementFits(devices=models(), serving=serving_fitted())


def residuals(places: Places = PLACES, **changed: Any) -> PlaceResiduals:
    return residuals_at(places, a_work(), conditions=Conditions(**changed), fit=fits().serving)


@cache
def draws() -> SpeedDraws:
    return draw_speeds(PLACES, fits=fits(), residuals=residuals(), sustained=SUSTAINED, draws=200)


def a_work(*, n_parameters: float = 8e9, requests_per_day: float = 2000.0, **changed: float) -> Work:
    tokens: dict = {"kept_tokens": 500.0, "prompt_tokens": 1000.0, "output_tokens": 300.0, **changed}
    shape: Any = {"n_layers": 32, "hidden_size": 4096, "n_heads": 32, "n_key_value_heads": 8}
    stated = ParameterCounts(total=n_parameters, active=n_parameters)
    model = Architecture(**shape, vocabulary_size=128256, stated=stated)
    formats: Any = {"bits_per_weight": 4.84, "format_family": "block 4-bit", "served_format": "FP8"}
    load = {"requests_per_day": requests_per_day, "people": 20.0, "peak_factor": 4.0}
    return work_of(model, **formats, **load, **tokens)


def a_question(work: Work | None = None, keep: BoolArray | None = None, **changed: Any) -> Question:
    """Return what is asked of the places that ``keep`` marks, all of them where it is None."""
    whole: dict[str, Any] = {
        "work": work or a_work(),
        "places": PLACES,
        "fits": fits(),
        "conditions": Conditions(),
        "requirements": Requirements(),
        "speed_draws": draws(),
        "residuals": residuals(),
        "sustained": SUSTAINED,
    }
    question = Question(**{**whole, **changed})
    return question if keep is None else question.at(keep)


def mid(question: Question) -> Outcome:
    return middle(set_up(question), question)


def never_less(more: np.ndarray, less: np.ndarray) -> bool:
    return bool(np.all(more >= less * (1 - 1e-9)))
