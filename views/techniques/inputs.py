"""Conversion of the settings of /techniques into the setup, the growth and the effects."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from analysis.hardware.collectives import group_bandwidth
from analysis.techniques.catalogue import TECHNIQUES
from analysis.techniques.setup import Setup
from analysis.techniques.worth import Effect, HardwareYear, effect
from analysis.trend.growth import Growth
from data import standing
from data.releases import Release
from views import wording
from views.chips import rows as chip_rows
from views.chips.choice import AcceleratorSettings
from views.chips.linked import DDR5_SERVER, NAMES, linked_chip
from views.models import architecture
from views.techniques.settings import EVIDENCE, MEASURES, TechniquesSettings


def growth_of(settings: TechniquesSettings, release: Release) -> Growth:
    """Return the growth that defines a year of hardware progress: of bandwidth, or of capacity if memory is saved.

    Raises ValueError if the window has too few chips.
    """
    rule = "all" if settings.rule == "all" else "flagships"
    of_chips = AcceleratorSettings(
        metric=MEASURES[settings.measure].metric,
        vendor="nvidia" if settings.rule == "nvidia-flagships" else "all",
        rule=rule,
        kind="all" if rule == "flagships" else "data-centre",
        since=settings.since,
        interval="clustered",
        level=settings.level,
        release=settings.release,
    )
    return chip_rows.fitted(chip_rows.candidates(release, of_chips), of_chips)


def next_memory(kind: str) -> tuple[str, float]:
    """Return the successor of a memory such as HBM3, and the ratio of their bandwidths. "" and 1 if there is none.

    Bandwidths are those of one stack or one module each, from the standing table ``memory_generations``.
    """
    generations = standing.rows("memory_generations", "memory")
    following = str(generations[kind]["next_memory"]) if kind in generations else ""
    if not following:
        return "", 1.0
    old, new = (float(generations[name]["bandwidth_byte_per_s"]) for name in (kind, following))
    return following, new / old


def memory_step(word: str, release: Release) -> tuple[str, float]:
    """Return the successor of a chip's memory and its speed-up. "" and 1 if there is none. [1]"""
    if word == DDR5_SERVER:
        return next_memory("DDR5")
    parts = release.accelerators
    kinds = parts.loc[(parts["product"] == NAMES[word]) & parts["representative"], "memory_generation"]
    return next_memory(str(kinds.iat[0]) if len(kinds) else "")


def setup_of(settings: TechniquesSettings, release: Release) -> Setup | None:
    """Return the setup before any technique is applied. None if the release lacks the chip."""
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


@dataclass(frozen=True, kw_only=True)
class Effects:
    """The effect of each technique, and of the chosen ones combined, in years of fitted growth."""

    settings: TechniquesSettings
    setup: Setup
    growth: Growth
    year: HardwareYear
    singles: Mapping[str, Effect]
    together: Effect

    @property
    def capacity_byte(self) -> float:
        """Return the memory of one chip. [byte]"""
        return self.setup.chip.memory_capacity_byte

    @property
    def chips(self) -> tuple[int, int]:
        """Return the number of chips whose combined memory suffices, without and with the techniques. [chips]"""
        before, after = (
            max(1, math.ceil(bill.memory_byte / self.capacity_byte - 1e-9))
            for bill in (self.together.before, self.together.after)
        )
        return before, after

    @property
    def product(self) -> float:
        """Return the product of the chosen techniques' separate savings. [1]"""
        return math.prod(self.singles[name].worth.saving for name in self.settings.chosen)

    @property
    def label(self) -> str:
        """Return the names of the chosen techniques, as a list in a sentence: A, b and c."""
        first, *others = (EVIDENCE[name].label for name in self.settings.chosen)
        return wording.listed([first, *map(wording.small_initial, others)])


def effects_of(settings: TechniquesSettings, *, setup: Setup, growth: Growth) -> Effects:
    """Return the effects of every technique and of the chosen ones combined."""
    year = HardwareYear(
        growth=growth.trend.yearly_growth, low=growth.growth_low, high=growth.growth_high, level=growth.level
    )

    def of(*names: str) -> Effect:
        return effect(setup, names, phase=settings.phase, field=MEASURES[settings.measure].field, year=year)

    return Effects(
        settings=settings,
        setup=setup,
        growth=growth,
        year=year,
        singles={name: of(name) for name in TECHNIQUES},
        together=of(*settings.chosen),
    )
