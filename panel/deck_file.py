"""A deck as a presentation file, either new or updated."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from data.releases import latest
from panel.streamlit_names import REFUSED
from views.deck import AS_LINKED, MOST_VIEWS, Deck, deck_words, release_on_slide, renewed_words
from views.view import LATEST

if TYPE_CHECKING:
    from charts.powerpoint.renew import FoundSlide, Renewed
    from charts.slide import Slide


def deck_file(deck: Deck, *, origin: str, template: bytes | None = None) -> bytes:
    """Return the deck as a .pptx file, in our design or a company's template."""
    from charts.powerpoint import presentation  # lazy import, as drawing is slow to load

    words = deck_words(deck, origin=origin)
    return presentation(
        words.slides,
        title=words.title,
        contents=True,
        sources=words.sources,
        template=template,
        as_of=words.as_of,
        changes=[(moved.view, moved.before, moved.after) for moved in words.moved],
    )


def renewed_deck(older: bytes, *, origin: str, release: str = LATEST) -> "Renewed":
    """Return an older deck updated to a release, by default the newest. Changes made by hand are kept.

    ``origin`` is the site for its links; if empty, links keep their targets.

    Raises charts.powerpoint.TemplateError if the deck cannot be updated.
    """
    from charts.powerpoint import TemplateError, renew  # lazy import, as above

    slides = renew.slides_of_ours(older)
    if len(slides) > MOST_VIEWS:
        raise TemplateError(REFUSED["deck"].format(count=len(slides), most=MOST_VIEWS))

    def made(one: "FoundSlide", *, release: str) -> "Slide | None":
        site = origin or "://".join(urlsplit(one.link)[:2])
        return renewed_words(one.link, exhibit=one.exhibit, origin=site, release=release)

    before = sorted({release_on_slide(one.link) for one in slides} - {""})
    now = renew.renewed(older, partial(made, release=release), original=partial(made, release=AS_LINKED))
    after = latest() if release == LATEST else release
    return replace(now, file=renew.as_of(now.file, before=before, after=after))
