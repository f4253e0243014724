"""How many years of hardware is a technique worth?"""

import math

from analysis.hardware.collectives import group_bandwidth
from analysis.techniques.catalogue import TECHNIQUES, before_and_after
from analysis.techniques.setup import Hardware, Phase, Setup
from analysis.techniques.worth import Bill, bill
from analysis.trend.growth import Growth
from data.releases import Release
from views import wording
from views.chips import choice as chip_choice
from views.chips import rows as chip_rows
from views.chips.choice import AcceleratorSettings
from views.chips.linked import DDR5_SERVER, NAMES, linked_chip
from views.chips.metrics import METRICS
from views.models import decoder
from views.models import names as model_names
from views.result import Exhibit, Figure
from views.sources import ARCHITECTURES, CURATION, EPOCH_AI, LINK_SOURCE
from views.techniques.evidence import EVIDENCE
from views.techniques.exhibits import (
    MEASURES,
    Rate,
    Worth,
    before_after_exhibit,
    change_words,
    empty_exhibit,
    joined,
    ranking_exhibit,
    saving_of,
    worth,
    years_words,
)
from views.techniques.memory_generations import next_memory
from views.techniques.notes import capacity_of, chips_for, effects, measure_words, needs, time_words, waiting
from views.techniques.settings import RULES, TechniquesSettings
from views.trend import fit as fit_settings
from views.view import Finding, View


def rate_of(settings: TechniquesSettings, release: Release) -> Growth:
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
    chip, slow, fast = (linked_chip(settings.chip, release, weight_byte=byte) for byte in (2.0, 4.0, 1.0))
    if chip is None or slow is None or fast is None:
        return None
    single = (
        slow.peak_flop_per_s if slow.peak_flop_per_s != chip.peak_flop_per_s else chip.peak_flop_per_s / 2
    )
    return Setup(
        model=decoder(settings.model),
        hardware=Hardware(
            peak_flop_per_s=chip.peak_flop_per_s,
            peak_8_bit_flop_per_s=fast.peak_flop_per_s,
            peak_32_bit_flop_per_s=single,
            memory_bandwidth_byte_per_s=chip.memory_bandwidth_byte_per_s,
            memory_step=memory_step(settings.chip, release)[1],
            link_bandwidth_byte_per_s=float(
                group_bandwidth(
                    ranks=settings.devices,
                    stride=1,
                    domain_size=chip.domain_size,
                    link_byte_per_s=chip.link_bandwidth_byte_per_s,
                    network_byte_per_s=chip.network_bandwidth_byte_per_s,
                )
            ),
        ),
        tokens=settings.context,
        batch=settings.batch,
        devices=settings.devices if settings.phase == "training" else 1,
    )


def bills(setup: Setup, chosen: tuple[str, ...], phase: Phase) -> tuple[Bill, Bill]:
    """Return what a token costs without and with the techniques at once."""
    before, after = before_and_after(setup, chosen, phase=phase)
    return bill(before, phase), bill(after, phase)


def build(settings: TechniquesSettings, release: Release) -> Finding:
    """Return what the chosen techniques are worth in years of hardware, beside every other technique."""
    measure = MEASURES[settings.measure]
    vendor_words = RULES[settings.rule][2]
    source = (
        f"{model_names()[settings.model]}, {settings.phase}, {NAMES[settings.chip]}, batch {settings.batch:,}, "
        f"{settings.context:,} tokens. Years: {METRICS[measure.metric].noun} of {vendor_words}, since "
        f"{settings.since}, release {release.name}."
    )
    setup = setup_of(settings, release)
    if setup is None:
        return _cannot(
            f"Release {release.name} does not have enough numbers of the {NAMES[settings.chip]}",
            "Choose another chip, or a newer release.",
            source,
        )
    try:
        found = rate_of(settings, release)
    except ValueError as problem:
        return _cannot("These choices leave too few chips to say what a year is worth", str(problem), source)
    rate = Rate(
        growth=found.trend.yearly_growth, low=found.growth_low, high=found.growth_high, level=found.level
    )
    if rate.growth <= 1:
        return _cannot(
            f"{wording.sentence_case(METRICS[measure.metric].noun)} has not grown among these chips",
            "A technique cannot be counted in years of growth. Widen the window or choose other chips.",
            source,
        )
    singles = {
        name: worth(saving_of(*bills(setup, (name,), settings.phase), settings.measure), rate)
        for name in TECHNIQUES
    }
    before, after = bills(setup, settings.chosen, settings.phase)
    together = worth(saving_of(before, after, settings.measure), rate)
    labels = [EVIDENCE[name].label for name in settings.chosen]
    label = joined(labels)
    capacity = capacity_of(settings, release)
    words = measure_words(settings)
    headline = _headline(settings, label, together, words)
    exhibits: list[Exhibit] = [
        ranking_exhibit(
            singles,
            chosen=settings.chosen,
            together=together,
            label=label,
            measure=settings.measure,
            phase=settings.phase,
            setup=setup,
            rate=rate,
            pairs={name: bills(setup, (name,), settings.phase) for name in TECHNIQUES},
            source=source,
        ),
        before_after_exhibit(before, after, label=label, time_words=time_words(settings), source=source),
    ]
    return Finding(
        headline=headline,
        figures=_figures(settings, singles, together, rate, found, before, after, capacity),
        exhibits=tuple(exhibits),
        settings_line=source,
        notes=(
            *needs(settings, before, after, capacity),
            *waiting(settings, setup),
            *effects(settings, singles, together, before, setup),
        ),
        sources=(EPOCH_AI, CURATION, ARCHITECTURES, LINK_SOURCE),
    )


def _cannot(headline: str, next_step: str, source: str) -> Finding:
    return Finding(
        headline=headline,
        figures=(),
        exhibits=(empty_exhibit(headline, source=source),),
        settings_line=source,
        notes=(next_step,),
    )


def _headline(settings: TechniquesSettings, label: str, together: Worth, words: str) -> str:
    measure = MEASURES[settings.measure]
    several = len(settings.chosen) > 1 or EVIDENCE[settings.technique].plural
    where = f"{model_names()[settings.model]}, {settings.phase}, {NAMES[settings.chip]}"
    if together.nothing:
        return f"{label} {'do' if several else 'does'} nothing for the {words} here ({where})"
    if together.saving < 1:
        more = wording.times(1 / together.saving)
        return (
            f"{label} {'cost' if several else 'costs'} {more} the {words} here ({where}): no year of "
            "growth gained"
        )
    return (
        f"{label} {'are' if several else 'is'} worth {years_words(together.years)} of {measure.growth} growth "
        f"{together.interval_text}: {change_words(together.saving, words)} ({where})"
    )


def _once(one: str, other: str, *, join: str) -> str:
    return one if one == other else f"{one}{join}{other}"


def _figures(
    settings: TechniquesSettings,
    singles: dict[str, Worth],
    together: Worth,
    rate: Rate,
    found: Growth,
    before: Bill,
    after: Bill,
    capacity: float,
) -> tuple[Figure, ...]:
    measure = MEASURES[settings.measure]
    held = [wording.counted(chips_for(item, capacity), "chip") for item in (before, after)]
    sizes = [wording.quantity(item.memory_byte, "byte") for item in (before, after)]
    figures = [
        Figure(
            name="years",
            label="Worth",
            value=together.years,
            unit="year",
            text=years_words(together.years),
            low=together.low,
            high=together.high if math.isfinite(together.high) else None,
            level=rate.level,
            interval_text=f"{wording.percent(rate.level)}: {together.brief_ends}"
            if not together.nothing
            else "no effect",
            method=found.method,
            n=found.n,
        ),
        Figure(
            name="saving",
            label=f"Saving of {measure.brief}",
            value=together.saving,
            unit="x",
            text=wording.times(together.saving),
            interval_text=f"then bound by {after.bound_by}",
            method="the combination, before over after",
        ),
        Figure(
            name="yearly_growth",
            label=f"Growth of {measure.growth}",
            value=rate.growth,
            unit="x/year",
            text=f"{wording.times(rate.growth)} a year",
            low=rate.low,
            high=rate.high,
            level=rate.level,
            interval_text=wording.at_level(rate.level, wording.times(rate.low), wording.times(rate.high)),
            method=found.method,
            n=found.n,
        ),
        Figure(
            name="memory_saving",
            label="Memory held",
            value=before.memory_byte / after.memory_byte,
            unit="x",
            text=wording.times(before.memory_byte / after.memory_byte),
            interval_text=_once(*sizes, join=" to "),
            method="before over after",
        ),
        Figure(
            name="chips_before",
            label="Chips that hold it before",
            value=float(chips_for(before, capacity)),
            unit="chips",
            text=held[0],
            method="memory held over memory of a chip",
            key=False,
        ),
        Figure(
            name="chips_after",
            label="Chips that hold it after",
            value=float(chips_for(after, capacity)),
            unit="chips",
            text=held[1],
            method="memory held over memory of a chip",
            key=False,
        ),
    ]
    if len(settings.chosen) > 1:
        product = math.prod(singles[name].saving for name in settings.chosen)
        figures.append(
            Figure(
                name="product_of_savings",
                label="Savings multiplied",
                value=product,
                unit="x",
                text=wording.times(product),
                interval_text="not what the combination gives",
                method="each alone, multiplied",
                key=False,
            )
        )
    return tuple(figures)


VIEW = View(
    path="/techniques",
    title="Techniques",
    question="How many years of hardware is a technique worth?",
    settings=TechniquesSettings,
    build=build,
    method=(
        "A technique's years are log(saving) / log(growth): how long chips need, at the fitted rate, to bring the "
        "same factor. The interval is that of the rate. Time, bytes, operations and traffic are counted in years "
        "of memory bandwidth; memory held, in years of memory capacity.",
        "Each technique is compared with the same model without it: a model that has grouped-query attention, "
        "experts or FlashAttention is compared with itself having every head, no experts, or scores in memory. "
        "Several techniques at once are computed on the set-up that has all of them against the one that has "
        "none; their savings do not multiply.",
        "The work is counted kernel by kernel, each as long as computing or moving its bytes, whichever is longer "
        "(roofline). Decoding reads the weights used and each request's KV cache. Prefill and training run "
        "matrix products over all tokens, causal attention, and in training an Adam step of 28 bytes a parameter "
        "(2 + 2 + 12 byte a parameter kept: ZeRO, section 5) and activations as in Korthikanti et al. 2022; the "
        "exchange of gradients runs beside the kernels. Each chip of a training run holds the whole model unless "
        "ZeRO splits it.",
    ),
)
