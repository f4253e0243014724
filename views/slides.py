"""Content of a slide, on its own or in a deck: text and one chart of a result."""

import re

from charts.slide import Slide
from views import wording
from views.result import Card, Exhibit, Result, Source

MOST_FIGURES = 3
LONGEST_SUBTITLE = 440
"""Maximum length of a subtitle: four lines on a slide. [characters]"""
MORE = "More at the link below."
MOST_WORDS = 120
"""Maximum number of words in a slide's notes. They take a minute to speak."""


def slide_words(result: Result, *, origin: str, exhibit: int = 1) -> Slide:
    """Return a slide on a result.

    ``origin`` is scheme and host of this site, without a trailing slash; ``exhibit`` counts from 1. The headline is
    that of the result, or for another exhibit the title of its own chart; settings and sources are below.
    """
    shown = result.exhibit(exhibit)
    first = exhibit == 1
    card = verdict_card(result) if first else None
    return Slide(
        headline=result.headline if first else shown.chart.title,
        chart=shown.chart,
        figures=key_figures(result) if first else (),
        source=" ".join((result.settings_line if first else shown.chart.source, *result.moved_notes[:1])),
        link=f"{origin}{result.link}",
        shown_link=without_scheme(f"{origin}{result.printed_link}"),
        notes=notes(result, shown),
        subtitle=shortened((result.subtitle if first else "") or shown.chart.subtitle),
        exhibit=exhibit,
        verdict=card.verdict if card else "",
        tone=card.tone if card else "none",
        reason=card.text if card else "",
    )


def shortened(subtitle: str) -> str:
    """Return as many sentences of a subtitle as fit on a slide, followed by a reference to any others."""
    sentences = wording.sentences(subtitle)
    if len(subtitle) <= LONGEST_SUBTITLE or len(sentences) == 1:
        return subtitle
    kept = sentences[:1]
    for sentence in sentences[1:]:
        if len(" ".join([*kept, sentence, MORE])) > LONGEST_SUBTITLE:
            break
        kept.append(sentence)
    return " ".join([*kept, MORE])


def without_scheme(link: str) -> str:
    """Return an absolute address without its scheme, as printed."""
    return link.partition("://")[2].rstrip("/")


def verdict_card(result: Result) -> Card | None:
    """Return the verdict card of a result. None unless there is exactly one."""
    judged = [card for card in result.cards if card.verdict]
    return judged[0] if len(judged) == 1 else None


def key_figures(result: Result) -> tuple[tuple[str, str, str], ...]:
    """Return up to three (label, value, interval): key figures or, if these are fewer than two, verdict facts."""
    chosen = [figure for figure in result.figures if figure.key][:MOST_FIGURES]
    if len(chosen) > 1:
        return tuple((figure.label, figure.text, figure.interval_text) for figure in chosen)
    card = verdict_card(result)
    if card is not None and card.facts:
        numbers = [fact for fact in card.facts if re.search(r"\d", fact.text)] or card.facts
        return tuple((fact.label, fact.text, fact.note) for fact in numbers[:MOST_FIGURES])
    return tuple((figure.label, figure.text, figure.interval_text) for figure in chosen)


def notes(result: Result, exhibit: Exhibit) -> str:
    """Return speaker notes of at most :data:`MOST_WORDS` words: question, content, caveats, uncertainty, sources.

    Each is one paragraph, which is omitted if it does not fit. The link on the slide leads to all of them.
    """
    first = exhibit is result.exhibits[0]
    credits = dict.fromkeys(f"{source.publisher} ({source.licence})" for source in result.sources)
    kept, last = [result.question], f"Sources: {'; '.join(credits)}." if credits else ""
    for paragraph in (
        *dict.fromkeys((result.subtitle if first else "", exhibit.chart.subtitle)),
        *(f"Caveat: {note}" for note in result.notes),
        *(f"How sure: {paragraph}" for paragraph in result.sure),
        f"Settings: {result.settings_line}" if result.settings_line else "",
    ):
        if paragraph and len(" ".join([*kept, paragraph, last]).split()) <= MOST_WORDS:
            kept.append(paragraph)
    return "\n".join(filter(None, [*kept, last]))


def credit(source: Source, *, origin: str = "") -> str:
    """Return a source as one line of text. With ``origin``, addresses on our site become absolute."""
    url = f"{origin}{source.url}" if source.url.startswith("/") else source.url
    return f"{source.publisher}: {source.title}. {source.licence}. {url}"
