"""The set-up, the growth and the effects that the choices of /techniques stand for."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from analysis.hardware.collectives import group_bandwidth
from analysis.techniques.catalogue import TECHNIQUES
from analysis.techniques.setup import Setup
from analysis.techniques.worth import Effect, HardwareYear, effect
from analysis.trend.growth import Growth
from data.releases import Release
from views.chips import choice as chip_choice
from views.chips import rows as chip_rows
from views.chips.choice import AcceleratorSettings
from views.chips.linked import DDR5_SERVER, NAMES, linked_chip
from views.models import architecture
from views.techniques.measures import MEASURES
from views.techniques.memory_generations import next_memory
from views.techniques.settings import RULES, TechniquesSettings
from views.trend import fit as fit_settings


def growth_of(settings: TechniquesSettings, release: Release) -> Growth:
    """Return the growth that a year of hardware means: of bandwidth, or of capacity where memory is saved.

    Raises
    ------
    ValueError
        If the window holds too few chips.
    """
    vendor, rule, _ = RULES[settings.rule]
    of_chips = AcceleratorSettings(
        metric=MEASURES[settings.measure].metric,
        vendor=vendor,
        rule=rule,
        kind="all" if rule == "flagships" else "data-centre",
        since=settings.since,
        interval="clustered",
        level=settings.level,
        release=settings.release,
    )
    chips = chip_rows.candidates(release, of_chips)
    return fit_settings.fitted(
        chip_rows.series(chips), of_chips, rule=chip_choice.rule(of_chips), since=settings.since
    )


def memory_step(word: str, release: Release) -> tuple[str, float]:
    """Return what follows a chip's memory and how many times faster it is; nothing and 1 where nothing does."""
    if word == DDR5_SERVER:
        return next_memory("DDR5")
    parts = release.accelerators
    kinds = parts.loc[(parts["product"] == NAMES[word]) & parts["representative"], "memory_generation"]
    return next_memory(str(kinds.iat[0]) if len(kinds) else "")


def setup_of(settings: TechniquesSettings, release: Release) -> Setup | None:
    """Return how the model is run before any technique; None where the release lacks the chip."""
    chip = linked_chip(settings.chip, release)
    if chip is None:
        return None
    link = group_bandwidth(
        ranks=settings.devices,
        stride=1,
        domain_size=chip.domain_size,
        link_byte_per_s=chip.link_bandwidth_byte_per_s,
        network_byte_per_s=chip.network_bandwidth_byte_per_s,
    )
    return Setup(
        model=architecture(settings.model),
        chip=replace(chip, link_bandwidth_byte_per_s=float(link)),
        memory_step=memory_step(settings.chip, release)[1],
        tokens=settings.context,
        batch=settings.batch,
        devices=settings.devices if settings.phase == "training" else 1,
    )


def _capacity(settings: TechniquesSettings, release: Release) -> float:
    """Return what one of the chips can hold. [byte]"""
    chip = linked_chip(settings.chip, release)
    return chip.memory_capacity_byte if chip else math.inf


@dataclass(frozen=True, kw_only=True)
class Effects:
    """What each technique alone and the chosen ones together change in a set-up, in years of fitted growth.

    ``capacity_byte`` is what one of the chips can hold.
    """

    setup: Setup
    growth: Growth
    year: HardwareYear
    singles: Mapping[str, Effect]
    together: Effect
    capacity_byte: float


def hardware_year(growth: Growth) -> HardwareYear:
    """Return what a year of hardware brings, from the fitted growth."""
    return HardwareYear(
        growth=growth.trend.yearly_growth, low=growth.growth_low, high=growth.growth_high, level=growth.level
    )


def effects_of(settings: TechniquesSettings, release: Release, *, setup: Setup, growth: Growth) -> Effects:
    """Return what every technique and the chosen ones together change."""
    year, field = hardware_year(growth), MEASURES[settings.measure].field
    return Effects(
        setup=setup,
        growth=growth,
        year=year,
        singles={
            name: effect(setup, (name,), phase=settings.phase, field=field, year=year) for name in TECHNIQUES
        },
        together=effect(setup, settings.chosen, phase=settings.phase, field=field, year=year),
        capacity_byte=_capacity(settings, release),
    )
