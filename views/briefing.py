"""Prepared deck for a meeting, built from the choices on a view."""

from collections.abc import Mapping
from dataclasses import replace

from views.deck import Deck, Item, deck_link
from views.registry import VIEWS
from views.settings import definitions
from views.story.settings import STEPS, StorySettings
from views.view import ReleaseSettings, View, pinned, read

TITLE = "Compute and memory: a briefing"
STORY_TITLE = "Compute and memory: what five articles argue, and what holds"

SLIDES: tuple[tuple[str, Mapping[str, str]], ...] = (
    ("/", {}),
    ("/growth-gap", {}),
    ("/compute-to-memory", {}),
    ("/growth-accounting", {}),
    ("/placement", {}),
)
"""The default deck: its views and their own settings, one per slide. Every deck ends with its sources."""


def briefing(settings: ReleaseSettings) -> Deck:
    """Return a deck of the whole story or of the views in ``SLIDES``, with ``settings`` carried over to each."""
    if isinstance(settings, StorySettings):
        steps = (replace(settings, step=step.word) for step in STEPS)
        return Deck(items=tuple(Item(view=VIEWS["/story"], settings=one) for one in steps), title=STORY_TITLE)
    items = tuple(
        Item(view=VIEWS[path], settings=carried(settings, to=VIEWS[path], own=own)) for path, own in SLIDES
    )
    return Deck(items=items, title=TITLE)


def briefing_link(settings: ReleaseSettings) -> str:
    """Return the link of the deck that :func:`briefing` returns."""
    return deck_link(briefing(settings))


def carried(settings: ReleaseSettings, *, to: View, own: Mapping[str, str]) -> ReleaseSettings:
    """Return the settings of the view ``to``: its ``own`` values, and the choices it shares with ``settings``.

    Views share a setting if its name and label are equal. A choice that ``to`` does not know reverts to its default.
    """
    before, defaults = definitions(type(settings)), type(settings)().described()
    known = definitions(to.settings)
    chosen = {
        name: value
        for name, value in pinned(settings).described().items()
        if name in known and known[name].label == before[name].label and value != defaults[name]
    }
    return read(to, {name: [value] for name, value in {**chosen, **own}.items()})[0]
