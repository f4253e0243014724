"""The model, machine and circumstances that the choices of /training-run stand for."""

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from analysis.hardware.machine import Machine
from analysis.model.architecture import Architecture
from analysis.training_run.outlook import Circumstances
from analysis.training_run.pace import Pace
from analysis.training_run.predict import has_early_kernels
from data.releases import Release
from data.standing import rows
from views.training_run import software
from views.training_run.as_it_comes import SERVER_POWER, own_machine, price_of, tokens_of
from views.training_run.choices import accelerators, architectures, trainable_rows
from views.training_run.measured import paces
from views.training_run.trained import CUSTOM

if TYPE_CHECKING:
    from views.training_run.settings import TrainingRunSettings


@dataclass(frozen=True, kw_only=True)
class RunInputs:
    """Everything a run is computed from, and what had to be assumed.

    ``newer`` is the date of newer software that is known, as a decimal year, and how much faster the run is with it.
    """

    name: str
    model: Architecture
    machine: Machine
    global_batch: int
    circumstances: Circumstances
    accelerators: int
    power_w: float
    price_usd: float
    price_basis: str
    assumed: tuple[str, ...]
    tokens_basis: str = "as given"
    pace: Pace = field(default_factory=Pace)
    software_year: float = math.nan
    newer: tuple[float, Pace] | None = None


def model_of(settings: "TrainingRunSettings") -> tuple[str, Architecture]:
    """Return the model's name and shape."""
    if settings.model == CUSTOM:
        return "This model", Architecture(
            n_layers=settings.layers,
            hidden_size=settings.hidden,
            n_heads=settings.heads,
            vocabulary_size=settings.vocabulary,
            sequence_length=settings.sequence,
            n_experts=settings.experts,
            n_active_experts=settings.active_experts,
        )
    name = architectures()[settings.model]
    model = Architecture.from_row(rows("architectures", "name")[name])
    return name, replace(model, sequence_length=settings.sequence)


def sequences(settings: "TrainingRunSettings") -> int:
    """Return the batch in whole sequences, large ones round in powers of two so that they can be split."""
    exact = settings.batch * 1e6 / settings.sequence
    step = 2 ** max(math.floor(math.log2(exact)) - 4, 0)
    return max(round(exact / step) * step, 1)


def _tokens(settings: "TrainingRunSettings", model: Architecture) -> tuple[float, str]:
    """Return the tokens of the run and where they are from; from compute by C = 6 N D (Kaplan et al. 2020)."""
    if settings.compute:
        return settings.compute * 1e21 / (6 * model.counted.active), "from the compute"
    if settings.tokens:
        return settings.tokens * 1e9, "as given"
    return tokens_of(settings.model)


def inputs_of(settings: "TrainingRunSettings", release: Release) -> RunInputs:
    """Return everything the run is computed from.

    Raises
    ------
    LookupError
        If the release has no such accelerator.
    ValueError
        If the accelerator has no rate at the precision.
    """
    name, model = model_of(settings)
    product = accelerators()[settings.accelerator]
    own = own_machine(product, release, precision=settings.precision)
    known = paces(release.stands_on)
    year = software.year_of(settings.software, machine=own, known=known)
    traits = software.traits(model, machine=own, precision=settings.precision, year=year)
    pace = known.of(traits)
    hidden = settings.expert_overlap if settings.applies("expert_overlap") else 0
    machine = replace(
        _with_own_numbers(own, settings),
        pace=pace.share,
        expert_overlap=hidden / 100,
        early_kernels=has_early_kernels(year),
    )
    listed = price_of(
        str(trainable_rows(release)[product]["name"]), product=product, release=release.stands_on
    )
    price, basis = (settings.price, "as given") if settings.price else listed
    wanted = settings.accelerators
    tokens, tokens_basis = _tokens(settings, model)
    circumstances = Circumstances(
        tokens=tokens,
        ramp_from=max(settings.ramp_from * 1e6 / settings.sequence, 1.0),
        ramp_tokens=(settings.ramp_tokens or 0) * 1e9,
        hours_per_failure=float(settings.hours_per_failure),
        restart_s=settings.restart * 60,
        storage_byte_per_s=settings.storage * 1e9,
        interval_s=settings.checkpoint * 60 if settings.checkpoint else None,
        asynchronous=settings.saving == "background",
        spare_share=settings.spares / 100,
        sites=settings.sites,
        local_steps=settings.local_steps,
        wide_area_byte_per_s=settings.wide_area * 1e9 / 8,
    )
    return RunInputs(
        name=name,
        model=model,
        machine=machine,
        global_batch=sequences(settings),
        circumstances=circumstances,
        accelerators=min(wanted, settings.available) if settings.available else wanted,
        power_w=settings.power if settings.power else SERVER_POWER * own.chip.power_w,
        price_usd=price,
        price_basis=basis,
        assumed=own.assumed,
        tokens_basis=tokens_basis,
        pace=pace,
        software_year=year,
        newer=software.newest_gain(traits, known=known),
    )


def _with_own_numbers(machine: Machine, settings: "TrainingRunSettings") -> Machine:
    share = machine.matmul_flop_per_s / machine.peak_flop_per_s
    machine = replace(machine, jitter=settings.jitter / 100)
    if settings.peak:
        peak = settings.peak * 1e12
        machine = machine.with_rates(peak_flop_per_s=peak, matmul_flop_per_s=peak * share)
    changes: dict[str, float] = {}
    if settings.bandwidth:
        changes["memory_bandwidth_byte_per_s"] = settings.bandwidth * 1e12
    if settings.memory:
        changes["memory_capacity_byte"] = settings.memory * 1e9
    if settings.link:
        changes["link_bandwidth_byte_per_s"] = settings.link * 1e9
    if settings.network:
        changes["network_bandwidth_byte_per_s"] = settings.network * 1e9 / 8
    if settings.domain:
        changes["domain_size"] = settings.domain
    return machine.with_chip(**changes)
