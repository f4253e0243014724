"""Measured points of the model as the settings ask for it, at today's rents: drawn, and part of the frontier."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.arrays import FloatArray, IntArray
from analysis.cost_of_tokens.candidates import Candidates
from analysis.cost_of_tokens.sweep import least, usd_per_million
from analysis.serving.tables import measured_points
from analysis.serving.times import throughput
from views.cost_of_tokens.inputs import Inputs, work_of
from views.cost_of_tokens.settings import TODAY, CostOfTokensSettings

ALIKE = 0.4
"""How far the log of a measured point's prompt and answer may lie from those asked for."""


@dataclass(frozen=True, kw_only=True)
class Measured:
    """A measured point at today's rent: its accelerator, speed and price, and what ran. [tokens/s, USD]"""

    accelerator: str
    speed: float
    usd: float
    words: str


def _alike(settings: CostOfTokensSettings, inputs: Inputs) -> IntArray:
    """Return the places of points of the model in its format, with prompts and answers alike and no drafts."""
    points = measured_points()
    d = points.deployments
    if settings.year != str(TODAY) or settings.drafts or settings.cached:
        return np.zeros(0, dtype=int)
    formats = {
        maker: work_of(settings, maker=maker).format_name
        for maker in {place.rented.chip.maker for place in inputs.places.values()}
    }
    keep = np.array(
        [
            name == inputs.model and chip in inputs.places and formats.get(maker) == form
            for name, chip, maker, form in zip(d.model, d.accelerator, d.maker, d.format_name, strict=True)
        ]
    )
    keep &= np.abs(np.log(d.prompt_tokens / settings.prompt)) < ALIKE
    keep &= np.abs(np.log(d.output_tokens / settings.answer)) < ALIKE
    keep &= points.closed & np.isfinite(points.token_s) & np.isfinite(points.first_s) & (d.drafted == 0)
    return np.flatnonzero(keep)


def _priced(settings: CostOfTokensSettings, inputs: Inputs, *, at: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return speed and price of points at these places, shape (n,). [tokens/s, USD]"""
    points = measured_points()
    d = points.deployments.at(np.isin(np.arange(len(points)), at))
    rate = throughput(d, token_s=points.token_s[at], first_s=points.first_s[at], concurrency=d.concurrency)
    rent = np.array([inputs.places[name].listed.middle for name in d.accelerator])
    price = usd_per_million(usd_per_hour=rent, tokens_per_s=rate, utilization=settings.utilization / 100)
    return 1 / points.token_s[at], price


def measured_at(settings: CostOfTokensSettings, inputs: Inputs) -> tuple[Measured, ...]:
    """Return measured points of the model in its format, with prompts and answers alike, priced at today's rents."""
    at = _alike(settings, inputs)
    if not len(at):
        return ()
    points = measured_points()
    d = points.deployments
    speed, price = _priced(settings, inputs, at=at)
    rows: list[dict[str, Any]] = points.rows.iloc[at].to_dict("records")  # type: ignore[assignment]
    return tuple(
        Measured(
            accelerator=d.accelerator[i],
            speed=float(speed[place]),
            usd=float(price[place]),
            words=f"{row['software']} {row['software_version']}, {d.concurrency[i]:,.0f} requests on "
            f"{d.all_chips[i]:.0f}",
        )
        for place, (i, row) in enumerate(zip(at.tolist(), rows, strict=True))
    )


def measured_best(settings: CostOfTokensSettings, inputs: Inputs) -> Candidates | None:
    """Return the deployments of measured points in time that no other of their accelerator beats; None without any.

    Those of the software asked for, where one is.
    """
    points = measured_points()
    at = _alike(settings, inputs)
    at = at[points.first_s[at] <= settings.wait]
    if settings.engine in {"vllm", "sglang", "trtllm"}:
        at = at[[points.deployments.engine[i] == settings.engine for i in at]]
    if not len(at):
        return None
    speed, price = _priced(settings, inputs, at=at)
    kept: list[int] = []
    for name in inputs.places:
        own = np.flatnonzero([points.deployments.accelerator[i] == name for i in at])
        if len(own):
            kept += at[own[least(speed[own], price[own])]].tolist()
    every = Candidates(deployments=points.deployments, usd_per_hour=np.zeros(len(points)))
    picked = every.take(kept, concurrency=points.deployments.concurrency[kept])
    rents = np.array([inputs.places[name].listed.middle for name in picked.deployments.accelerator])
    return Candidates(deployments=picked.deployments, usd_per_hour=rents)
