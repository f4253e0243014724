"""Measured points of the model as the settings ask for it, at today's rents: drawn, and part of the frontier."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.arrays import BoolArray
from analysis.cost_of_tokens.candidates import Candidates
from analysis.cost_of_tokens.measured_prices import MeasuredPrices, measured_prices, whole_points
from analysis.serving.tables import measured_points
from views.cost_of_tokens.inputs import Inputs, work_of
from views.cost_of_tokens.settings import TODAY, CostOfTokensSettings

COMPARABLE = 0.4
"""How far the log of a measured point's prompt and answer may lie from those of the settings."""


@dataclass(frozen=True, kw_only=True)
class MeasuredPoint:
    """A measured point at today's rent: its accelerator, speed and price, and what ran. [tokens/s, USD]"""

    accelerator: str
    speed: float
    usd: float
    words: str


def prices_of(settings: CostOfTokensSettings, inputs: Inputs, *, keep: BoolArray) -> MeasuredPrices:
    """Return measured points of the model on the accelerators for rent that ``keep`` marks, shape (n,)."""
    d, rents = measured_points().deployments, {name: one.listed.middle for name, one in inputs.places.items()}
    own = [name == inputs.model and chip in rents for name, chip in zip(d.model, d.accelerator, strict=True)]
    return measured_prices(
        keep & np.array(own, dtype=bool), rents=rents, utilization=settings.utilization / 100
    )


def _comparable(settings: CostOfTokensSettings, inputs: Inputs) -> BoolArray:
    """Return which points are in the model's format, with comparable prompts and answers and without drafts."""
    points = measured_points()
    d = points.deployments
    if settings.year != str(TODAY) or settings.drafts or settings.cached:
        return np.zeros(len(points), dtype=bool)
    formats = {
        maker: work_of(settings, maker=maker).format_name
        for maker in {place.rented.chip.maker for place in inputs.places.values()}
    }
    in_format = [formats.get(maker) == form for maker, form in zip(d.maker, d.format_name, strict=True)]
    keep = whole_points() & np.array(in_format, dtype=bool) & (d.drafted == 0)
    keep &= np.abs(np.log(d.prompt_tokens / settings.prompt)) < COMPARABLE
    return keep & (np.abs(np.log(d.output_tokens / settings.answer)) < COMPARABLE)


def measured_at(settings: CostOfTokensSettings, inputs: Inputs) -> tuple[MeasuredPoint, ...]:
    """Return comparable measured points of the model in its format, priced at today's rents."""
    prices = prices_of(settings, inputs, keep=_comparable(settings, inputs))
    d = prices.deployments
    rows: Any = measured_points().rows.iloc[prices.at].to_dict("records")
    return tuple(
        MeasuredPoint(
            accelerator=d.accelerator[place],
            speed=float(prices.speed[place]),
            usd=float(prices.usd[place]),
            words=f"{row['software']} {row['software_version']}, {d.concurrency[place]:,.0f} requests on "
            f"{d.all_chips[place]:.0f}",
        )
        for place, row in enumerate(rows)
    )


def measured_best(settings: CostOfTokensSettings, inputs: Inputs) -> Candidates | None:
    """Return the deployments of measured points in time that no other of their accelerator beats; None without any.

    Those of the software of the settings, where one is named.
    """
    points = measured_points()
    keep = _comparable(settings, inputs) & (points.first_s <= settings.wait)
    if settings.engine in {"vllm", "sglang", "trtllm"}:
        keep &= np.array(points.deployments.engine) == settings.engine
    return prices_of(settings, inputs, keep=keep).cheapest(inputs.places)
