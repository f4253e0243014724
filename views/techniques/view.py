"""How many years of hardware is a technique worth?"""

from analysis.techniques.worth import Worth
from data.releases import Release
from views import wording, written
from views.chips.linked import NAMES
from views.chips.metrics import METRICS
from views.models import names as model_names
from views.sources import ARCHITECTURES, CURATION, EPOCH_AI, LINK_SOURCE
from views.techniques.before_after import before_after_exhibit
from views.techniques.evidence import EVIDENCE
from views.techniques.figures import figures
from views.techniques.inputs import effects_of, growth_of, setup_of
from views.techniques.measures import MEASURES
from views.techniques.notes import changes, notes, sure
from views.techniques.ranking import empty_exhibit, ranking_exhibit
from views.techniques.settings import RULES, TechniquesSettings
from views.techniques.words import (
    change_words,
    ends_words,
    joined,
    measure_words,
    time_words,
)
from views.view import Finding, View


def build(settings: TechniquesSettings, release: Release) -> Finding:
    """Return what the chosen techniques are worth in years of hardware, beside every other technique."""
    measure = MEASURES[settings.measure]
    vendor_words = RULES[settings.rule][2]
    chosen = settings.chosen_words("technique", "second", "third", "measure", "devices", "level")
    source = (
        f"{model_names()[settings.model]}, {settings.phase}, {NAMES[settings.chip]}, batch {settings.batch:,}, "
        f"{settings.context:,} tokens. Growth: {METRICS[measure.metric].noun} of {vendor_words}, since "
        f"{settings.since}. {chosen}Data: Epoch AI (CC BY 4.0), release {release.name}."
    )
    setup = setup_of(settings, release)
    if setup is None:
        return _cannot(
            f"Release {release.name} has too few numbers for the {NAMES[settings.chip]}",
            next_step="Choose another chip, or a newer release.",
            source=source,
        )
    try:
        growth = growth_of(settings, release)
    except ValueError as problem:
        return _cannot(
            "These choices leave too few chips to fit a growth rate",
            next_step=str(problem),
            source=source,
        )
    if growth.trend.yearly_growth <= 1:
        return _cannot(
            f"These choices show no growth in {METRICS[measure.metric].noun}",
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
        subtitle=_subtitle(settings, effects.together.worth, label=label, level=effects.year.level),
        notes=notes(settings, effects),
        sure=sure(settings, effects),
        changes=changes(settings, effects),
        sources=(EPOCH_AI, CURATION, ARCHITECTURES, LINK_SOURCE),
    )


def _cannot(headline: str, *, next_step: str, source: str) -> Finding:
    return Finding(
        headline=headline,
        figures=(),
        exhibits=(empty_exhibit(headline, source=source),),
        settings_line=source,
        notes=tuple(wording.sentences(next_step)),
    )


LONGEST_LABEL = 5
"""Words of the techniques' names that a headline has room for."""


def _headline(settings: TechniquesSettings, together: Worth, *, label: str) -> str:
    measure = MEASURES[settings.measure]
    several = len(settings.chosen) > 1 or EVIDENCE[settings.technique].plural
    if len(label.split()) > LONGEST_LABEL:
        label = f"{'Two' if len(settings.chosen) == 2 else 'Three'} techniques together"
    if together.nothing:
        return f"{label} {'save' if several else 'saves'} 0 % of {measure.brief} here"
    if together.saving < 1:
        return f"{label} {'cost' if several else 'costs'} {wording.times(1 / together.saving)} the {measure.brief}"
    return f"{label} {'are' if several else 'is'} worth {wording.duration(together.years)} of {measure.growth} growth"


def _subtitle(settings: TechniquesSettings, together: Worth, *, label: str, level: float) -> str:
    """Return which techniques where, what becomes of the measure, and the interval of the years."""
    where = f"{model_names()[settings.model]}, {settings.phase}, {NAMES[settings.chip]}"
    named = f"{label}: " if len(settings.chosen) > 1 else ""
    if together.nothing:
        return f"{named}{where}: {measure_words(settings)} unchanged."
    change = change_words(together.saving, measure_words(settings))
    if together.saving < 1:
        return f"{named}{where}: {change}, so no year of growth is gained."
    return f"{named}{where}: {change}; {wording.percent(level)} interval {ends_words(together)}."


VIEW = View(
    path="/techniques",
    title="Techniques",
    question="How many years of hardware is a technique worth?",
    settings=TechniquesSettings,
    build=build,
    method=written.method(__file__),
)
