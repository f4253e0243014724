"""Finding of /placement: what to buy or rent for the work, in the chosen year."""

from collections.abc import Iterator
from itertools import chain, islice

from analysis.placement.work import COST, FIRST_TOKEN, SPEED
from data.releases import Release
from views import wording, written
from views.lazy_sequence import LazySequence
from views.placement import words
from views.placement.amounts import usd
from views.placement.answer import PlacementAnswer, answer_to
from views.placement.cheapest_map import cheapest_map_exhibit
from views.placement.checked import how_checked
from views.placement.figures import cards, figures, places_exhibit
from views.placement.settings import FIRST_YEAR, PlacementSettings
from views.placement.tiers import tiers_exhibit, why_not
from views.placement.tornado import tornado_exhibit
from views.placement.tuning import tuning_finding
from views.placement.years import years_exhibit
from views.result import Exhibit
from views.sources import CURATION, EPOCH_AI, SERVING_TABLES
from views.view import Finding, View

SOURCES = (EPOCH_AI, CURATION, SERVING_TABLES)


def build(settings: PlacementSettings, release: Release) -> Finding:
    """Return the finding on what to buy or rent, with its uncertainty and what would change it."""
    if settings.preset.tuning:
        return tuning_finding(settings, release, sources=SOURCES)
    answer = answer_to(settings, release)
    title, source = words.headline(answer), _settings_line(answer)

    def exhibits() -> Iterator[Exhibit | None]:
        yield places_exhibit(answer, title=title, source=source)
        yield cheapest_map_exhibit(answer, source=source)
        yield tornado_exhibit(answer, source=source)
        yield years_exhibit(answer, source=source)
        yield tiers_exhibit(answer, source=source)

    hints = LazySequence(lambda: words.ruled_out(answer) if answer.cheapest is None else ())

    def changes() -> Iterator[str | None]:
        yield from hints[words.MOST_NOTES :]
        if answer.fixed and answer.cheapest is not None:
            yield f"{wording.sentence_case(words.catch(answer))}."
        yield from words.break_even(answer)
        if settings.year > FIRST_YEAR:
            yield (
                "Only that year's hardware is compared here. An earlier machine may be cheaper; the chart by year "
                "includes it."
            )
        yield why_not(answer)

    return Finding(
        headline=title,
        subtitle=words.subtitle(answer),
        cards=cards(answer),
        figures=figures(answer),
        exhibits=LazySequence(exhibits),
        settings_line=source,
        notes=LazySequence(
            lambda: islice(hints if answer.cheapest is None else words.caveats(answer), words.MOST_NOTES)
        ),
        sure=LazySequence(lambda: chain(words.sureness(answer), how_checked())),
        changes=LazySequence(changes),
        sources=SOURCES,
    )


def _settings_line(answer: PlacementAnswer) -> str:
    settings, requirements = answer.settings, answer.question.requirements
    first, speed, budget = (getattr(requirements, name) for name in (FIRST_TOKEN, SPEED, COST))
    limits = [
        *([] if first is None else [f"first token within {first:,.6g} s"]),
        *([] if speed is None else [f"{speed:,.6g} tokens/s"]),
        *([] if budget is None else [f"at most {usd(budget)} per 1,000 requests"]),
    ]
    total, people = settings.total, round(settings.number("people"))
    requests = f"{total:,.0f} requests" if total >= 10 else f"{total:.3g} request{'' if total == 1 else 's'}"
    tokens = f"{settings.number('kept') + settings.number('prompt'):,.0f} tokens in"
    work = (
        f"{answer.inputs.model} at {settings.usual('format')}, {tokens}, {settings.number('output'):,.0f} out; "
        f"{requests} a day of {wording.counted(people, 'person', plural='people')}"
    )
    return words.settings_line(answer, work=work, limits=limits)


VIEW = View(settings=PlacementSettings, build=build, **written.page(__file__, path="/placement"))
