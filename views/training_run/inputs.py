"""Conversion of the settings of /training-run into the model, machine, circumstances and plan."""

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from analysis.arrays import FloatArray
from analysis.cost import SERVER_POWER
from analysis.hardware.machine import Machine
from analysis.model.architecture import Architecture
from analysis.refusal import Refusal
from analysis.training_run.pace import Pace, Paces, Traits, software_years
from analysis.training_run.plan_search import fastest_run
from analysis.training_run.plans import RECOMPUTE_NAMES, Plans, plan_by_hand
from analysis.training_run.predict import overlap_of, with_software
from analysis.training_run.published import chip_of, stack_of, traits_of
from analysis.training_run.recipes import published_plan, published_s, software_year_of
from analysis.training_run.run import Circumstances, TrainingRun, shared_batch
from analysis.training_run.tables import paces
from data.releases import Release, load
from data.standing import rows
from views import written
from views.training_run import defaults
from views.view import pinned

if TYPE_CHECKING:
    from views.training_run.settings import TrainingRunSettings

AS_SEARCHED = "fastest"
"""The option that leaves a degree to the search."""
DEGREES: dict[str, str] = written.toml(__file__, name="names.toml")["degrees"]
"""Name in plans of each degree in a manual plan, keyed by setting."""
CHIPS_TIME = "chip"
"""The option for the software at the time of the chip's release."""
MUCH_OLDER = 0.25
"""Minimum age difference to the newest software for a comparison. [year]"""


@dataclass(frozen=True, kw_only=True)
class RunInputs:
    """A run, its price, and its assumptions.

    ``published_s`` are the accelerator-seconds of the model's own run on this chip, or NaN if not published. ``newer``
    is the date of newer known software, as a decimal year, and the speed-up with it.
    """

    name: str
    run: TrainingRun
    power_w: float
    price: defaults.Price
    tokens_basis: str
    pace: Pace
    software_year: float
    newer: tuple[float, Pace] | None
    published_s: float


def chosen_plan(settings: "TrainingRunSettings", run: TrainingRun) -> tuple[Plans, int]:
    """Return the plan chosen under the settings, and the number of plans compared.

    The fastest plan replaces a published one that is unknown, is for less than half or more than twice as many
    accelerators, does not split this run or does not fit. A manual plan with an open degree runs on as many
    accelerators as the fastest plan.

    Raises Refusal if the degrees do not divide the accelerators, the batch or the model, or no plan fits (NoPlanFits).
    """
    recipe = defaults.recipes().get(settings.model) if settings.plan == defaults.PUBLISHED else None
    near = recipe is not None and 0.5 <= run.accelerators / recipe["n_accelerators"] <= 2
    published = published_plan(recipe, run=run) if recipe and near else None
    if published is not None:
        return published, 1
    if settings.plan != "manual":
        best, _ = fastest_run(run)
        return best.plan, best.tried
    chosen = {column: getattr(settings, name) for name, column in DEGREES.items()}
    degrees = {
        column: RECOMPUTE_NAMES.index(degree) if degree in RECOMPUTE_NAMES else int(degree)
        for column, degree in chosen.items()
        if degree not in (None, AS_SEARCHED)
    }
    used = run.accelerators
    if len(degrees) < len(DEGREES):
        best, _ = fastest_run(run)
        used = round(float(best.plan.accelerators))
        degrees = {column: round(best.plan.one(column)) for column in DEGREES.values()} | degrees
    return plan_by_hand(replace(run, accelerators=used), **degrees), 1


def searched_degree(settings: "TrainingRunSettings", name: str) -> int | str | None:
    """Return a degree of the fastest plan as written in a link. None if no plan fits."""
    try:
        best, _ = fastest_run(inputs_of(settings, load(pinned(settings).release)).run)
    except ValueError:
        return None
    degree = round(best.plan.one(DEGREES[name]))
    return RECOMPUTE_NAMES[degree] if name == "recompute" else degree


def model_of(settings: "TrainingRunSettings") -> tuple[str, Architecture]:
    """Return the model's name for use within a sentence, and the model's architecture."""
    if settings.model == defaults.CUSTOM:
        return "this model", Architecture(
            n_layers=settings.layers,
            hidden_size=settings.hidden,
            n_heads=settings.heads,
            vocabulary_size=settings.vocabulary,
            sequence_length=int(settings.number("sequence")),
            n_experts=settings.experts,
            n_active_experts=settings.active_experts,
        )
    name = defaults.architectures()[settings.model]
    model = Architecture.from_row(rows("architectures", "name")[name])
    return name, replace(model, sequence_length=int(settings.number("sequence")))


def sequences(settings: "TrainingRunSettings") -> int:
    """Return the batch as a whole number of sequences that the accelerators can share. [sequences]"""
    exact = settings.number("batch") * 1e6 / settings.number("sequence")
    return shared_batch(exact, accelerators=settings.accelerators)


def _tokens(settings: "TrainingRunSettings", model: Architecture) -> tuple[float, str]:
    """Return the run's tokens, and text on their origin. C = 6 N D gives tokens from compute (Kaplan et al. 2020)."""
    if settings.compute:
        return settings.compute * 1e21 / (6 * model.counted.active), "from the compute"
    if settings.tokens:
        return settings.tokens * 1e9, "as given"
    return defaults.tokens_of(settings.model)


def inputs_of(settings: "TrainingRunSettings", release: Release) -> RunInputs:
    """Return all inputs of the run.

    Raises Refusal if the release has no such accelerator, or the accelerator no rate at the precision.
    """
    name, model = model_of(settings)
    product = defaults.accelerators()[settings.accelerator]
    recipe = defaults.recipes().get(settings.model)
    own = chosen_machine(settings, product=product, release=release)
    same_chip = recipe is not None and chip_of(recipe["accelerator"]) == chip_of(product)
    known, kinds = paces(release.stands_on), rows("training_kinds", "chip")
    years, stack = years_of(settings.software, machine=own, known=known), ""
    if recipe is not None and same_chip and settings.software == CHIPS_TIME:
        years = np.array([software_year_of(recipe)])
        stack = stack_of(recipe["software"], stacks=rows("training_stacks", "software"))
    year = float(np.mean(years))
    traits = traits_of(
        model, product=own.chip.name, precision=own.precision, year=year, kinds=kinds, stack=stack
    )
    pace = known.over(traits, years=years)
    hidden = settings.number("expert_overlap") if settings.applies("expert_overlap") else 0
    overlap = overlap_of(year) if settings.overlap is None else settings.overlap / 100
    part = str(defaults.trainable_rows(release)[product]["name"])
    price = defaults.price_of(part, product=product, release=release.stands_on)
    tokens, tokens_basis = _tokens(settings, model)
    machine = with_software(_with_own_numbers(own, settings), year=year)
    machine = replace(machine, pace=pace.share, expert_overlap=hidden / 100)
    return RunInputs(
        name=name,
        run=TrainingRun(
            model=model,
            machine=machine,
            accelerators=min(settings.accelerators, settings.available or settings.accelerators),
            global_batch=sequences(settings),
            circumstances=_circumstances(settings, tokens=tokens),
            overlap=overlap,
        ),
        power_w=settings.power or SERVER_POWER * own.chip.power_w,
        price=defaults.Price(usd=settings.price, basis="as given") if settings.price else price,
        tokens_basis=tokens_basis,
        pace=pace,
        software_year=year,
        newer=newest_gain(traits, known=known),
        published_s=published_s(recipe) * recipe["n_accelerators"]
        if recipe is not None and same_chip
        else math.nan,
    )


def chosen_machine(settings: "TrainingRunSettings", *, product: str, release: Release) -> Machine:
    """Return the accelerator at the chosen precision, by default the recipe's if supported, otherwise 16-bit.

    Raises Refusal if the release has no such accelerator, or the accelerator no rate at the precision.
    """
    if settings.precision != defaults.PUBLISHED:
        return defaults.own_machine(product, release, precision=settings.precision)
    recipe = defaults.recipes().get(settings.model)
    if recipe is not None and recipe["precision"] == "fp8":
        with suppress(Refusal):
            return defaults.own_machine(product, release, precision="fp8")
    return defaults.own_machine(product, release, precision="fp16")


def _circumstances(settings: "TrainingRunSettings", *, tokens: float) -> Circumstances:
    return Circumstances(
        tokens=tokens,
        ramp_from=max(settings.ramp_from * 1e6 / settings.number("sequence"), 1.0),
        ramp_tokens=(settings.ramp_tokens or 0) * 1e9,
        hours_per_failure=settings.number("hours_per_failure"),
        restart_s=settings.restart * 60,
        storage_byte_per_s=settings.storage * 1e9,
        interval_s=settings.checkpoint * 60 if settings.checkpoint else None,
        asynchronous=settings.saving == "background",
        spare_share=settings.spares / 100,
        sites=settings.sites,
        local_steps=settings.local_steps,
        wide_area_byte_per_s=settings.wide_area * 1e9 / 8,
    )


def _with_own_numbers(machine: Machine, settings: "TrainingRunSettings") -> Machine:
    share = machine.matmul_flop_per_s / machine.peak_flop_per_s
    machine = replace(machine, jitter=settings.jitter / 100)
    if settings.peak:
        peak = settings.peak * 1e12
        machine = machine.with_rates(peak_flop_per_s=peak, matmul_flop_per_s=peak * share)
    own = {
        attribute: value * per
        for name, (attribute, per, _) in defaults.CHIP_NUMBERS.items()
        if name not in ("peak", "power") and (value := getattr(settings, name))
    }
    return machine.with_chip(**own)


def years_of(text: str, *, machine: Machine, known: Paces) -> FloatArray:
    """Return the possible dates of the software chosen in a link. [year]"""
    if text == CHIPS_TIME:
        maker = rows("training_kinds", "chip").get(machine.chip.name.split()[0], {}).get("maker", "")
        return software_years(machine.chip.released_year, newest=known.newest(str(maker)))
    year, _, month = text.partition("-")
    return np.array([int(year) + ((int(month) - 0.5) / 12 if month else 0.5)])


def newest_gain(run: Traits, *, known: Paces) -> tuple[float, Pace] | None:
    """Return the date of a vendor's newest software, and its speed-up. [year, 1]

    Returns None if the run's own software is about as new.
    """
    newest = known.newest(run.maker)
    if not math.isfinite(newest) or newest - run.year < MUCH_OLDER:
        return None
    return newest, known.ratio(replace(run, year=newest), to=run)
