"""Edge or cloud, for this work, in this year?"""

from collections.abc import Iterator

import numpy as np

from analysis.placement.answers import answers_to
from data.releases import Release
from views import wording
from views.on_demand import OnDemand
from views.placement.asked import FIRST_YEAR
from views.placement.by_load import sides_of
from views.placement.cheapest_map import cheapest_map_exhibit
from views.placement.checked import checked_exhibit
from views.placement.checked_classes import checked_by_class_exhibit
from views.placement.figures import figures
from views.placement.inputs import PlacementInputs, inputs_of
from views.placement.method import METHOD
from views.placement.options import NETWORKS
from views.placement.settings import PlacementSettings
from views.placement.table import LEVEL_WORDS, places_exhibit, usd
from views.placement.tiers import tiers_exhibit, why_not
from views.placement.tornado import tornado_exhibit
from views.placement.tuning import tuning_finding
from views.placement.words import headline, notes
from views.placement.years import years_exhibit
from views.result import Exhibit
from views.sources import CURATION, EPOCH_AI, SERVING_TABLES
from views.view import Finding, View

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
    ),
    *("kept_on_edge", "split"),
)
"""Choices that stand in the settings line where they are not the usual ones; the others stand there anyway."""


def build(settings: PlacementSettings, release: Release) -> Finding:
    """Return where the work runs best, how sure that is, and what would change it."""
    if settings.preset.tuning:
        return tuning_finding(settings, release, sources=SOURCES)
    inputs = inputs_of(settings, release)
    answers = answers_to(inputs.question)
    sides, source = sides_of(inputs, answers), settings_line(settings, release, inputs=inputs)
    title = headline(settings, inputs, answers=answers, sides=sides)

    def exhibits() -> Iterator[Exhibit | None]:
        yield places_exhibit(inputs, answers, title=title, sure=settings.sure, source=source)
        yield cheapest_map_exhibit(settings, inputs, source=source)
        yield years_exhibit(settings, release, question=inputs.question, source=source)
        yield tornado_exhibit(settings, inputs, source=source)
        yield tiers_exhibit(settings, release, inputs=inputs, source=source)
        yield checked_by_class_exhibit(release=release, source=source)
        yield checked_exhibit(release=release, source=source)

    def lines() -> Iterator[str | None]:
        yield from notes(inputs, answers, sides=sides, ahead=settings.year > FIRST_YEAR)
        yield why_not(settings, release, inputs=inputs)

    return Finding(
        headline=title,
        figures=figures(inputs, answers),
        exhibits=OnDemand(exhibits),
        settings_line=source,
        notes=OnDemand(lines),
        sources=SOURCES,
    )


def settings_line(settings: PlacementSettings, release: Release, *, inputs: PlacementInputs) -> str:
    """Return the settings in words."""
    asked, work = inputs.question.requirements, inputs.question.work
    limits = []
    if asked.time_to_first_token_s is not None:
        limits.append(f"first token within {asked.time_to_first_token_s:,.6g} s")
    if asked.output_tokens_per_s is not None:
        limits.append(f"{asked.output_tokens_per_s:,.6g} tokens a second")
    if asked.cost_usd_per_1000_requests is not None:
        limits.append(f"at most {usd(asked.cost_usd_per_1000_requests)} per 1,000 requests")
    if asked.stay != "anywhere":
        limits.append("texts stay in the house" if asked.stay == "premises" else "texts stay on the device")
    if asked.offline:
        limits.append("works offline")
    tokens = (
        f"{settings.number('kept'):,.0f} tokens in the cache + {settings.number('prompt'):,.0f} read anew"
    )
    return (
        f"{inputs.model} at {settings.usual('format')}, {tokens}, {float(work.output_tokens):,.0f} out, "
        f"{wording.counted(round(float(np.max(work.requests_per_day))), 'request')} a day of "
        f"{wording.counted(round(float(np.max(work.people))), 'person', plural='people')}. "
        f"Asked: {', '.join(limits) or 'nothing'}, {settings.sure} % sure. {_year(settings)}; "
        f"rent {settings.renting.replace('-', ' ')}; {NETWORKS[settings.usual('network')]}. "
        f"{_changed(settings)}Intervals {LEVEL_WORDS}, 1,000 draws. "
        f"Chips: Epoch AI (CC BY 4.0), curated, release {release.name}."
    )


def _changed(settings: PlacementSettings) -> str:
    """Return the further choices that are not the usual ones, as a sentence; empty where all are."""
    usual = PlacementSettings()
    chosen = [settings.in_words(name) for name in FURTHER if getattr(settings, name) != getattr(usual, name)]
    return f"Chosen: {'; '.join(chosen)}. " if chosen else ""


def _year(settings: PlacementSettings) -> str:
    if settings.year == FIRST_YEAR:
        return str(FIRST_YEAR)
    return f"{settings.year}, devices, chips and rents moved along their trends"


VIEW = View(
    path="/placement",
    title="Edge or cloud",
    question="Edge or cloud, for this work, in this year?",
    settings=PlacementSettings,
    build=build,
    method=METHOD,
)
