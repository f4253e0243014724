"""A deck as a presentation."""

from views.deck import Deck, deck_words


def deck_file(deck: Deck, *, origin: str, template: bytes | None = None) -> bytes:
    """Return the deck as a .pptx file, in our own look or that of a company's template."""
    from charts.powerpoint import presentation  # drawing is not loaded until a file is asked for

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
