"""Finding of /techniques: the worth of the chosen techniques in years of hardware progress."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from analysis.intervals import Estimate
from analysis.techniques.worth import Effect, Worth
from charts.chart import Bar
from data.releases import Release
from views import wording, written
from views.chips.linked import NAMES
from views.chips.metrics import METRICS
from views.exhibits import ValueAxis, bars_exhibit, empty_finding, growth_figure, stated_figure
from views.models import names as model_names
from views.result import Exhibit, Figure
from views.sources import ARCHITECTURES, CURATION, EPOCH_AI, LINK_SOURCE
from views.table import column, finite, stated_columns, table
from views.techniques.inputs import Effects, effects_of, growth_of, setup_of
from views.techniques.settings import EVIDENCE, MEASURES, RULES, Evidence, TechniquesSettings
from views.techniques.words import (
    change_words,
    changes,
    ends_words,
    idle_words,
    limit_words,
    measure_words,
    notes,
    sure,
)
from views.trend import words as trend_words
from views.view import Finding, View

SOURCES = (EPOCH_AI, CURATION, ARCHITECTURES, LINK_SOURCE)


def build(settings: TechniquesSettings, release: Release) -> Finding:
    """Return the finding on the worth of the chosen techniques in years of hardware progress."""
    measure = MEASURES[settings.measure]
    chosen = settings.chosen_words("technique", "second", "third", "measure", "devices", "level")
    source = (
        f"{model_names()[settings.model]}, {settings.phase}, {NAMES[settings.chip]}, batch {settings.batch:,}, "
        f"{settings.context:,} tokens. Growth: {METRICS[measure.metric].noun} of "
        f"{wording.small_initial(RULES[settings.rule][0])} since {settings.since}. {chosen}"
        f"Data: Epoch AI (CC BY 4.0), {release.words}."
    )
    nothing = partial(
        empty_finding,
        settings_line=source,
        sources=SOURCES,
        source=source,
        axis=ValueAxis(title="Years of growth", span=(0.0, 5.0)),
        columns=(column("technique", str, label="Technique", kind="text"),),
    )
    setup = setup_of(settings, release)
    if setup is None:
        headline = (
            f"{wording.sentence_case(release.words)} states too little about the {NAMES[settings.chip]}"
        )
        return nothing(headline, "Choose another chip or a newer release.")
    try:
        growth = growth_of(settings, release)
    except ValueError as problem:
        return nothing("Too few chips remain to fit a growth rate", wording.sentence_case(str(problem)))
    if growth.trend.yearly_growth <= 1:
        why = "Without growth, no technique is worth years of it. Widen the window or choose other chips."
        return nothing(f"These chips show no growth in {METRICS[measure.metric].noun}", why)
    effects = effects_of(settings, setup=setup, growth=growth)
    return Finding(
        headline=_headline(effects),
        figures=tuple(figures(effects)),
        exhibits=(ranking_exhibit(effects, source=source),),
        settings_line=source,
        subtitle=_subtitle(effects),
        notes=tuple(notes(effects)),
        sure=tuple(sure(effects)),
        changes=tuple(changes(effects)),
        sources=SOURCES,
    )


_figure = partial(stated_figure, written.toml(__file__, name="figures.toml"))


def figures(effects: Effects) -> Iterator[Figure]:
    """Yield figures for the chosen techniques: their worth, savings, growth and memory."""
    growth, year, together = effects.growth, effects.year, effects.together.worth
    before, after = effects.together.before, effects.together.after
    method, measure = trend_words.method(growth), MEASURES[effects.settings.measure]
    interval = f"{wording.percent(year.level)}: {ends_words(together)}"
    yield _figure(
        "years",
        value=together.years,
        text=wording.duration(together.years),
        low=together.low,
        high=together.high if math.isfinite(together.high) else None,
        level=year.level,
        interval_text="no effect" if together.nothing else interval,
        method=method,
        n=growth.n,
    )
    yield _figure(
        "saving",
        label=f"Saving in {measure.brief}",
        value=together.saving,
        text=wording.times(together.saving),
        interval_text=f"then {after.bound_by}-bound",
    )
    yield growth_figure(
        "yearly_growth",
        Estimate(value=year.growth, low=year.low, high=year.high),
        label=f"Growth of {measure.growth}",
        level=year.level,
        method=method,
        n=growth.n,
    )
    saving = before.memory_byte / after.memory_byte
    sizes = dict.fromkeys(wording.quantity(item.memory_byte, "byte") for item in (before, after))
    yield _figure("memory_saving", value=saving, text=wording.times(saving), interval_text=" to ".join(sizes))
    for when, chips in zip(("before", "after"), effects.chips, strict=True):
        yield _figure(f"chips_{when}", value=float(chips), text=wording.counted(chips, "chip"))
    if len(effects.settings.chosen) > 1:
        yield _figure("product_of_savings", value=effects.product, text=wording.times(effects.product))


LONGEST_LABEL = 5
"""Maximum number of words for the names of techniques in a headline."""


def _headline(effects: Effects) -> str:
    settings, together, label = effects.settings, effects.together.worth, effects.label
    measure = MEASURES[settings.measure]
    several = len(settings.chosen) > 1 or EVIDENCE[settings.technique].plural
    if len(label.split()) > LONGEST_LABEL:
        label = f"{'Two' if len(settings.chosen) == 2 else 'Three'} techniques together"
    if together.nothing:
        return f"No {measure.brief} is saved by {wording.small_initial(label)} here"
    if together.saving < 1:
        return f"{label} {'cost' if several else 'costs'} {wording.times(1 / together.saving)} the {measure.brief}"
    return f"{label} {'are' if several else 'is'} worth {wording.duration(together.years)} of {measure.growth} growth"


def _subtitle(effects: Effects) -> str:
    """Return a subtitle: the techniques and where they apply, the measure's change, and the interval."""
    settings, together = effects.settings, effects.together.worth
    phase = "decoding" if settings.phase == "decode" else settings.phase
    where = f"{phase} with {model_names()[settings.model]} on the {NAMES[settings.chip]}"
    named = f"{effects.label}: for" if len(settings.chosen) > 1 else "For"
    if together.nothing:
        return f"{named} {where}, there is no change in {measure_words(settings)}."
    change = change_words(together.saving, measure_words(settings))
    if together.saving < 1:
        return f"{named} {where}, {change}, so it is worth no years of growth."
    ends = ends_words(together, why=": the chips may not have grown at all")
    ends = f"interval of the progress saved {'has' if ends.startswith('no ') else 'is'} {ends}"
    return f"{named} {where}, {change}. The {wording.percent(effects.year.level)} {ends}."


COLUMNS = written.toml(__file__, name="columns.toml")["ranking"]


@dataclass(frozen=True, kw_only=True)
class _Row:
    """A technique in the table: its evidence, its effect here, and text on its limits."""

    evidence: Evidence
    effect: Effect
    says: str


def _row(effects: Effects, name: str) -> _Row:
    effect, settings = effects.singles[name], effects.settings
    words = limit_words(name, phase=settings.phase, saving=effect.worth.saving)
    if effect.worth.nothing:
        reason = idle_words(effects, name, before=effect.before)
        words = f"No effect on the {MEASURES[settings.measure].words}. {reason} {words}"
    return _Row(evidence=EVIDENCE[name], effect=effect, says=words.strip())


def ranking_exhibit(effects: Effects, *, source: str) -> Exhibit:
    """Return an exhibit of each technique's worth in years, with the chosen ones emphasized."""
    settings, year = effects.settings, effects.year
    what, phase = MEASURES[settings.measure], settings.phase
    ranked = sorted(effects.singles, key=lambda name: -effects.singles[name].worth.years)
    worths = {name: effects.singles[name].worth for name in ranked}
    shown = [name for name in ranked if name in settings.chosen or not worths[name].nothing]
    bars = [_bar(EVIDENCE[name].label, worths[name], own=name in settings.chosen) for name in shown]
    rows = [_row(effects, name) for name in ranked]
    if len(settings.chosen) > 1:
        together = Evidence(label=f"Together: {effects.label}", meaning="", costs="", quality="", source="")
        bars.insert(0, _bar(together.label, effects.together.worth, own=True))
        rows.insert(0, _Row(evidence=together, effect=effects.together, says=""))
    title = f"No technique saves any {what.words} in {phase}"
    if shown and worths[shown[0]].saving > 1:
        most, best = EVIDENCE[shown[0]], wording.duration(worths[shown[0]].years)
        title = (
            f"{most.label} save{'s' * (not most.plural)} the most {what.words} in {phase}: {best} of growth"
        )
    return bars_exhibit(
        tuple(bars),
        title=title,
        subtitle=f"Bars show how many years of {what.growth} growth, at {wording.times(year.growth)} a year, save as "
        f"much {what.words}, with {wording.percent(year.level)} intervals. Bars below zero are costs.",
        source=source,
        axis=ValueAxis(title=f"Years of {what.growth} growth", span=(0.0, 1.0)),
        numbers=table(stated_columns(COLUMNS, vars(what)), rows),
    )


def _bar(label: str, worth: Worth, *, own: bool) -> Bar:
    return Bar(
        label=label,
        value=worth.years,
        low=finite(worth.low),
        high=finite(worth.high),
        text=f"{wording.significant(worth.years)} years, {wording.times(worth.saving)}",
        role="memory" if own else "compute" if worth.saving > 1 else "context",
        emphasised=own,
    )


VIEW = View(settings=TechniquesSettings, build=build, **written.page(__file__, path="/techniques"))
