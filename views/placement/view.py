"""Edge or cloud, for this work, in this year?"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from analysis.placement.answers import answers_to
from data.releases import Release
from views import wording
from views.on_demand import OnDemand
from views.placement.asked import FIRST_YEAR
from views.placement.by_load import break_even, sides_of
from views.placement.cards import cards
from views.placement.cheapest_map import cheapest_map_exhibit
from views.placement.checked import checked_exhibit
from views.placement.checked_classes import checked_by_class_exhibit, how_checked
from views.placement.chosen import chosen
from views.placement.figures import figures
from views.placement.inputs import PlacementInputs, inputs_of
from views.placement.method import METHOD
from views.placement.places_exhibit import places_exhibit
from views.placement.ruled_out import RULES, ruled_out
from views.placement.settings import PlacementSettings
from views.placement.table import usd
from views.placement.tiers import tiers_exhibit, why_not
from views.placement.tornado import tornado_exhibit
from views.placement.tuning import tuning_finding
from views.placement.words import MOST_NOTES, catch, headline, notes, subtitle, sureness
from views.placement.years import years_exhibit
from views.result import Exhibit
from views.sources import CURATION, EPOCH_AI, SERVING_TABLES
from views.view import Finding, View
from views.wording import sentence_case

SOURCES = (EPOCH_AI, CURATION, SERVING_TABLES)
FURTHER = (
    *(
        "peak",
        "chips",
        "rent_change",
        "utilization",
        "years",
        "charged",
        "electricity",
        "sustained",
        "edge_model",
        "engine",
        "serving_engine",
    ),
    *("kept_on_edge", "split", "sure", "renting", "network", "device"),
)
"""Choices that stand in the settings line where they are not the usual ones; the others stand there anyway."""


def build(settings: PlacementSettings, release: Release) -> Finding:
    """Return what to buy or rent, how sure that is, and what would change it."""
    if settings.preset.tuning:
        return tuning_finding(settings, release, sources=SOURCES)
    inputs = inputs_of(settings, release)
    answers = answers_to(inputs.question)
    about = chosen(inputs, answers, only=settings.only)
    sides, source = sides_of(inputs, answers), settings_line(settings, release, inputs=inputs)
    title = headline(settings, inputs, answers=answers, about=about)

    def exhibits() -> Iterator[Exhibit | None]:
        yield places_exhibit(inputs, answers, title=title, settings=settings, source=source, about=about)
        yield cheapest_map_exhibit(settings, inputs, source=source)
        yield tornado_exhibit(settings, inputs, source=source)
        yield years_exhibit(settings, release, question=inputs.question, source=source)
        yield tiers_exhibit(settings, release, inputs=inputs, source=source)
        for exhibit in (
            checked_by_class_exhibit(source=source),
            checked_exhibit(release=release, source=source),
        ):
            yield replace(exhibit, section="sure")

    hints = OnDemand(lambda: iter(ruled_out(inputs, answers) if answers.cheapest is None else ()))

    def changes() -> Iterator[str | None]:
        yield from hints[MOST_NOTES:]
        if answers.cheapest is not None:
            yield f"{sentence_case(catch(settings, inputs, answers=answers, sides=sides))}."
        yield from break_even(inputs, answers, sides=sides)
        if settings.year > FIRST_YEAR:
            yield (
                "Only that year's hardware is compared here; a machine of an earlier year may be cheaper, and "
                "counts in the chart by year."
            )
        yield why_not(settings, release, inputs=inputs)

    return Finding(
        headline=title,
        subtitle=subtitle(settings, inputs, answers=answers, about=about, sides=sides),
        cards=cards(settings, inputs, answers=answers, about=about),
        figures=figures(inputs, answers, i=about.at),
        exhibits=OnDemand(exhibits),
        settings_line=source,
        notes=OnDemand(lambda: iter(notes(inputs, answers, about=about, hints=hints))),
        sure=OnDemand(lambda: chain(sureness(inputs, answers, about=about), how_checked())),
        changes=OnDemand(changes),
        method=tuple(METHOD),
        sources=SOURCES,
    )


def settings_line(settings: PlacementSettings, release: Release, *, inputs: PlacementInputs) -> str:
    """Return the settings in words."""
    asked = inputs.question.requirements
    limits = []
    if asked.time_to_first_token_s is not None:
        limits.append(f"first token within {asked.time_to_first_token_s:,.6g} s")
    if asked.output_tokens_per_s is not None:
        limits.append(f"{asked.output_tokens_per_s:,.6g} tokens/s")
    if asked.cost_usd_per_1000_requests is not None:
        limits.append(f"at most {usd(asked.cost_usd_per_1000_requests)} per 1,000 requests")
    if asked.stay != "anywhere":
        limits.append(RULES["stay"][asked.stay])
    if asked.offline:
        limits.append("works offline")
    read = settings.number("kept") + settings.number("prompt")
    return (
        f"{inputs.model} at {settings.usual('format')}, {read:,.0f} tokens in, {settings.number('output'):,.0f} out; "
        f"{load_words(settings)}; {', '.join(limits) or 'no targets'}; {settings.year}. "
        f"{_changed(settings)}Epoch AI (CC BY 4.0) and curated data, release {release.name}."
    )


def load_words(settings: PlacementSettings) -> str:
    """Return the load in words: 2,000 requests a day of 40 people."""
    total = settings.total
    requests = f"{total:,.0f} requests" if total >= 10 else f"{total:.3g} request{'' if total == 1 else 's'}"
    return (
        f"{requests} a day of {wording.counted(round(settings.number('people')), 'person', plural='people')}"
    )


def _changed(settings: PlacementSettings) -> str:
    """Return the further choices that are not the usual ones, as a sentence; empty where all are."""
    usual = PlacementSettings()
    chosen = [settings.in_words(name) for name in FURTHER if getattr(settings, name) != getattr(usual, name)]
    return f"Chosen: {'; '.join(chosen)}. " if chosen else ""


VIEW = View(
    path="/placement",
    title="Edge or cloud",
    question="Edge or cloud, for this work, in this year?",
    settings=PlacementSettings,
    build=build,
    method=METHOD,
    leads_to=("/model-errors",),
)
