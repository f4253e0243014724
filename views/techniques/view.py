"""How many years of hardware is a technique worth?"""

from analysis.techniques.worth import Worth
from data.releases import Release
from views import wording
from views.chips.linked import NAMES
from views.chips.metrics import METRICS
from views.models import names as model_names
from views.sources import ARCHITECTURES, CURATION, EPOCH_AI, LINK_SOURCE
from views.techniques.before_after import before_after_exhibit
from views.techniques.evidence import EVIDENCE
from views.techniques.figures import figures
from views.techniques.inputs import effects_of, growth_of, setup_of
from views.techniques.measures import MEASURES
from views.techniques.notes import notes
from views.techniques.ranking import empty_exhibit, ranking_exhibit
from views.techniques.settings import RULES, TechniquesSettings
from views.techniques.words import (
    bracketed_ends_words,
    change_words,
    joined,
    measure_words,
    time_words,
    years_words,
)
from views.view import Finding, View


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
            next_step="Choose another chip, or a newer release.",
            source=source,
        )
    try:
        growth = growth_of(settings, release)
    except ValueError as problem:
        return _cannot(
            "These choices leave too few chips to say what a year is worth",
            next_step=str(problem),
            source=source,
        )
    if growth.trend.yearly_growth <= 1:
        return _cannot(
            f"{wording.sentence_case(METRICS[measure.metric].noun)} has not grown among these chips",
            next_step="A technique cannot be counted in years of growth. Widen the window or choose other chips.",
            source=source,
        )
    effects = effects_of(settings, release, setup=setup, growth=growth)
    label = joined([EVIDENCE[name].label for name in settings.chosen])
    return Finding(
        headline=_headline(settings, effects.together.worth, label=label),
        figures=figures(settings, effects),
        exhibits=(
            ranking_exhibit(settings, effects, label=label, source=source),
            before_after_exhibit(
                effects.together, label=label, time_words=time_words(settings), source=source
            ),
        ),
        settings_line=source,
        notes=notes(settings, effects),
        sources=(EPOCH_AI, CURATION, ARCHITECTURES, LINK_SOURCE),
    )


def _cannot(headline: str, *, next_step: str, source: str) -> Finding:
    return Finding(
        headline=headline,
        figures=(),
        exhibits=(empty_exhibit(headline, source=source),),
        settings_line=source,
        notes=(next_step,),
    )


def _headline(settings: TechniquesSettings, together: Worth, *, label: str) -> str:
    measure, words = MEASURES[settings.measure], measure_words(settings)
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
        f"{bracketed_ends_words(together)}: {change_words(together.saving, words)} ({where})"
    )


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
