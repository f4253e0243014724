"""Edge or cloud, for this work, in this year?"""

from dataclasses import replace

import numpy as np

from analysis.placement.places import TODAY
from data.releases import Release
from views import wording
from views.on_demand import OnDemand
from views.placement.answers import Answers, answers
from views.placement.cheapest_map import cheapest_map_exhibit
from views.placement.checked import checked_exhibit
from views.placement.checked_classes import checked_by_class_exhibit
from views.placement.inputs import Inputs, inputs
from views.placement.method import METHOD
from views.placement.places import of_year
from views.placement.settings import FIRST_YEAR, NETWORKS, PlacementSettings
from views.placement.table import LEVEL_WORDS, chance, places_exhibit, seconds, usd
from views.placement.tiers import tiers_exhibit, why_not
from views.placement.tornado import tornado_exhibit
from views.placement.tuning import tuning_finding
from views.placement.words import headline, notes, sides
from views.placement.years import drawn_growth, middle_growth, years_exhibit
from views.result import Figure
from views.settings import definitions
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
    found = inputs(settings, release)
    ahead = settings.year > FIRST_YEAR
    growth = middle_growth(release, found, year=settings.year) if ahead else TODAY
    drawn = drawn_growth(release, found, year=settings.year) if ahead else None

    def ask(changed: Inputs) -> Answers:
        return answers(changed, sure=settings.sure / 100, growth=growth, drawn_growth=drawn)

    today, found = found, replace(found, places=of_year(found.places, settings.year))
    given = ask(found)
    both, source = (
        sides(found, given, growth, sure=settings.sure / 100),
        settings_line(settings, found, release),
    )
    title = headline(settings, found, given, ask, both)

    def exhibits():
        yield places_exhibit(found, given, title=title, sure=settings.sure, source=source)
        yield cheapest_map_exhibit(settings, release, found, source=source, growth=growth)
        yield years_exhibit(settings, release, today, source=source)
        yield tornado_exhibit(settings, release, found, source=source, growth=growth)
        yield tiers_exhibit(settings, release, found, source=source, growth=growth)
        yield checked_by_class_exhibit(release=release, source=source)
        yield checked_exhibit(release=release, source=source)

    def told():
        yield from notes(found, given, ask, both, ahead=ahead)
        yield why_not(settings, release, found, growth=growth)

    return Finding(
        headline=title,
        figures=figures(found, given),
        exhibits=OnDemand(exhibits),
        settings_line=source,
        notes=OnDemand(told),
        sources=SOURCES,
    )


def settings_line(settings: PlacementSettings, found: Inputs, release: Release) -> str:
    """Return the settings in words."""
    asked, work = found.requirements, found.work
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
        f"{found.model} at {settings.usual('format')}, {tokens}, {float(work.output_tokens):,.0f} out, "
        f"{wording.counted(round(float(np.max(work.requests_per_day))), 'request')} a day of "
        f"{wording.counted(round(float(np.max(work.people))), 'person', 'people')}. "
        f"Asked: {', '.join(limits) or 'nothing'}, {settings.sure} % sure. {_year(settings)}; "
        f"rent {settings.renting.replace('-', ' ')}; {NETWORKS[settings.usual('network')]}. "
        f"{_changed(settings)}Intervals {LEVEL_WORDS}, 1,000 draws. "
        f"Chips: Epoch AI (CC BY 4.0), curated, release {release.name}."
    )


def _changed(settings: PlacementSettings) -> str:
    """Return the further choices that are not the usual ones, as a sentence; empty where all are."""
    usual, known = PlacementSettings(), definitions(PlacementSettings)
    told = [
        f"{known[name].label.partition(',')[0].lower()} {known[name].text(getattr(settings, name))}"
        for name in FURTHER
        if getattr(settings, name) != getattr(usual, name)
    ]
    return f"Chosen: {', '.join(told)}. " if told else ""


def _year(settings: PlacementSettings) -> str:
    if settings.year == FIRST_YEAR:
        return str(FIRST_YEAR)
    return f"{settings.year}, devices, chips and rents moved along their trends"


def figures(found: Inputs, given: Answers) -> tuple[Figure, ...]:
    """Return the key figures of the place that wins, or comes nearest."""
    i = given.cheapest if given.cheapest is not None else given.nearest
    name = found.places.name[i]

    def spanned(key: str, label: str, unit: str, word, *, shown: bool) -> Figure:  # type: ignore[no-untyped-def]
        spans = {
            "time_to_first_token_s": given.first_s,
            "time_per_output_token_s": given.token_s,
            "cost_usd_per_1000_requests": given.cost_usd,
            "energy_j_per_request": given.energy_j,
        }[key]
        low, value, high = float(spans.low[i]), float(spans.median[i]), float(spans.high[i])
        known = bool(np.isfinite(value) and given.fits[i])
        return Figure(
            name=key,
            label=label,
            value=value if known else None,
            unit=unit,
            text=word(value) if known else "–",
            low=low if known else None,
            high=high if known else None,
            level=0.9 if known else None,
            interval_text=wording.interval(word(low), word(high)) if known else "",
            method=f"median and 90 % of 1,000 draws at {name}",
            n=1000,
            key=shown,
        )

    return (
        spanned("cost_usd_per_1000_requests", "Cost of 1,000 requests", "USD", usd, shown=True),
        spanned("time_to_first_token_s", "First token", "s", seconds, shown=True),
        spanned("time_per_output_token_s", "Time per token", "s", seconds, shown=True),
        Figure(
            name="probability_meets_requirement",
            label="Chance to meet all",
            value=float(given.probability[i]),
            unit="1",
            text=chance(float(given.probability[i])),
            method=f"share of 1,000 draws at {name} in which every requirement is met",
            n=1000,
        ),
        spanned(
            "energy_j_per_request",
            "Energy per request",
            "J",
            lambda value: f"{wording.significant(value)} J",
            shown=False,
        ),
        Figure(
            name="places_that_meet",
            label="Places that meet it",
            value=float(given.meets.sum()),
            unit="",
            text=f"{int(given.meets.sum())} of {len(found.places)}",
            key=False,
        ),
    )


VIEW = View(
    path="/placement",
    title="Placement",
    question="Edge or cloud, for this work, in this year?",
    settings=PlacementSettings,
    build=build,
    method=METHOD,
)
