"""Conversion of the settings and a release into rented accelerators, the workload and later changes."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from analysis.arrays import FloatArray
from analysis.cost_of_tokens.candidates import Candidates, Rented, Work, candidates, engine_on
from analysis.model.architecture import Architecture
from analysis.model.formats import SERVED_BITS_PER_WEIGHT
from analysis.rents import Listed
from analysis.serving.deployment import ServingChip
from analysis.serving.tables import chips, measured_points
from data import standing
from data.by_release import kept_by_release
from views.chips import rents
from views.chips.rows import chip_growths
from views.cost_of_tokens import settings as choices
from views.models import architecture
from views.models import names as model_names

FEWEST_PROVIDERS = 3
"""Minimum number of providers for an accelerator in the headline."""
YEARS: FloatArray = np.arange(choices.TODAY, choices.LAST_YEAR + 1, dtype=float)


@dataclass(frozen=True, kw_only=True)
class Place:
    """An accelerator for rent: its short name, row, rent, and count of measurements.

    ``points`` counts measurements in the format of the settings, ``other_points`` those in others. ``instance`` is the
    number of accelerators rented at once.
    """

    short: str
    rented: Rented
    listed: Listed
    points: int
    other_points: int
    instance: float

    @property
    def tier(self) -> int:
        """Return the accelerator's suitability for the headline, from 0 to 2 (best).

        It is 2 if rented by several providers and measured in the format, 1 if only in another format, otherwise 0.
        """
        if self.listed.providers < FEWEST_PROVIDERS:
            return 0
        return 2 if self.points else 1 if self.other_points else 0


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Inputs of the computation: the model, the accelerators, and ways to serve the model.

    ``shape`` has the name of the most measured model of that shape, so that its measurements count.
    """

    model: str
    shape: Architecture
    places: dict[str, Place]
    today: Candidates | None
    tried: Candidates | None


@kept_by_release()
def measured_with() -> Counter[tuple[str, str, str]]:
    """Return the number of measured points, keyed by model, accelerator and format."""
    d = measured_points().deployments
    return Counter(zip(d.model, d.accelerator, d.format_name, strict=True))


@kept_by_release()
def alike(model: str) -> tuple[str, ...]:
    """Return the models with the given model's shape, itself included, most measured first. They have equal costs."""
    count, own = Counter(measured_points().deployments.model), architecture(model)
    names = [name for word, name in model_names().items() if replace(own, name=name) == architecture(word)]
    return tuple(sorted(names, key=lambda name: (-count[name], name != own.name)))


@kept_by_release()
def _engines(model: str) -> tuple[str, ...]:
    """Return the engines in measurements of models with the given model's shape."""
    d = measured_points().deployments
    used = {one for of, one in zip(d.model, d.engine, strict=True) if one and of in alike(model)}
    return tuple(sorted(used))


@kept_by_release()
def _largest() -> dict[str, float]:
    """Return the largest number of accelerators per listed instance, keyed by accelerator. [1]"""
    table: Any = standing.table("cloud_prices")
    return table.groupby("accelerator")["n_accelerators"].max().to_dict()


def _places(settings: choices.CostOfTokensSettings, release: str) -> dict[str, Place]:
    """Return the selected accelerators for rent, keyed by name."""
    counts, linked = measured_with(), standing.rows("chip_links", "product")
    models, shares = alike(settings.model), rents.contract_shares(release)
    places: dict[str, Place] = {}
    if settings.contract == choices.RESERVED and not shares:
        return places
    for word, (short, name) in choices.accelerators().items():
        chip, listed = chips(release).get(name), rents.rent(release, name)
        if chip is None or listed is None or settings.accelerator not in (choices.ALL, word):
            continue
        if settings.contract == choices.RESERVED:
            listed = listed.under_contract(shares)
        instance = max(_largest().get(name, 1.0), 1.0)
        if short not in linked:
            chip = replace(chip, domain_size=min(chip.domain_size, instance))
        wanted = work_of(settings, vendor=chip.maker).format_name
        points = sum(counts[of, name, wanted] for of in models)
        places[name] = Place(
            short=short,
            rented=Rented(chip=chip, usd_per_hour=listed.middle),
            listed=listed,
            points=points,
            other_points=sum(n for (of, on, _), n in counts.items() if of in models and on == name) - points,
            instance=instance,
        )
    return places


def work_of(settings: choices.CostOfTokensSettings, *, vendor: str) -> Work:
    """Return the workload under the settings, in the format used on a vendor's accelerators."""
    published = architecture(settings.model).published_format or "BF16"
    own = published if published in SERVED_BITS_PER_WEIGHT else "BF16"
    name = {
        choices.SERVED: "FP8" if own == "BF16" else own,
        choices.PUBLISHED: own,
        "bf16": "BF16",
        "fp8": "FP8",
        "fp4": "MXFP4" if vendor != "NVIDIA" or published == "MXFP4" else "NVFP4",
    }[settings.format]
    return Work(
        format_name=name,
        bits=SERVED_BITS_PER_WEIGHT[name],
        prompt_tokens=float(settings.prompt),
        output_tokens=float(settings.answer),
        cached_tokens=float(math.floor(settings.prompt * settings.cached / 100)),
        drafted=float(settings.drafts),
        tuning=settings.tuning,
    )


def engines_of(settings: choices.CostOfTokensSettings, chip: ServingChip) -> tuple[str, ...]:
    """Return the serving engines to try on an accelerator."""
    wanted = (settings.engine,)
    if settings.engine == choices.BEST:
        wanted = _engines(settings.model) or ("vllm",)
    return tuple(dict.fromkeys(engine_on(chip, engine) for engine in wanted))


def shape_of(settings: choices.CostOfTokensSettings) -> Architecture:
    """Return the model's shape, under the name of the most measured model with that shape."""
    return replace(architecture(settings.model), name=alike(settings.model)[0])


def published_costs(settings: choices.CostOfTokensSettings) -> tuple[Mapping[str, Any], ...]:
    """Return the model's costs as published by operators who serve it on several servers."""
    known = "published_token_costs" in standing.names()
    rows = standing.rows("published_token_costs", "row_id").values() if known else ()
    return tuple(row for row in rows if row["model"] in alike(settings.model))


def built(
    settings: choices.CostOfTokensSettings, places: Iterable[Place], *, shape: Architecture | None = None
) -> Candidates:
    """Return every way to serve the chosen model today on each of one or more accelerators."""
    parts = [
        candidates(
            shape or shape_of(settings),
            [place.rented],
            work=work_of(settings, vendor=place.rented.chip.maker),
            engine=engine,
            across=published_costs(settings) != (),
        )
        for place in places
        for engine in engines_of(settings, place.rented.chip)
    ]
    return Candidates.joined(parts)


def in_year(settings: choices.CostOfTokensSettings, release: str, *, today: Candidates) -> Candidates:
    """Return ways to serve the model in the chosen year, on each accelerator and its successors."""
    ahead = int(settings.year) - choices.TODAY
    if not ahead:
        return today
    growths, premium = chip_growths(release), rents.newer(release).value
    rate = rents.rate(release, settings.rents)
    moved = rate.value ** min(ahead, rate.lasts)

    def successor(later: int) -> Candidates:
        grown = {name: growth.value**later for name, growth in growths.items()}
        return today.grown(grown, rent=moved * premium**later)

    return Candidates.joined([successor(later) for later in range(ahead + 1)])


@kept_by_release(64)
def inputs_of(settings: choices.CostOfTokensSettings, release: str) -> Inputs:
    """Return the inputs for the settings from a frozen release."""
    places = _places(settings, release)
    today = built(settings, places.values()) if places else None
    return Inputs(
        model=model_names()[settings.model],
        shape=shape_of(settings),
        places=places,
        today=today,
        tried=None if today is None else in_year(settings, release, today=today),
    )
