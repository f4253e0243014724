"""Which slides brief a meeting? A deck made ready from the choices on a view, one question or one step a slide."""

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
"""The answer, the three ways to measure it, inside a chip, what drives it, what to do: sources end every deck."""


def briefing(settings: ReleaseSettings) -> Deck:
    """Return the deck: the whole story, else each view with the choices that it shares with these settings."""
    if isinstance(settings, StorySettings):
        steps = (replace(settings, step=step.word) for step in STEPS)
        return Deck(items=tuple(Item(view=VIEWS["/story"], settings=one) for one in steps), title=STORY_TITLE)
    items = tuple(
        Item(view=VIEWS[path], settings=carried(settings, to=VIEWS[path], own=own)) for path, own in SLIDES
    )
    return Deck(items=items, title=TITLE)


def briefing_link(settings: ReleaseSettings) -> str:
    """Return the link of that deck."""
    return deck_link(briefing(settings))


def carried(settings: ReleaseSettings, *, to: View, own: Mapping[str, str]) -> ReleaseSettings:
    """Return settings of a view with its ``own`` and whatever was chosen of a setting that it has too.

    A setting is the same where name and label are; a choice that the view does not know stands at its default there.
    """
    before, defaults = definitions(type(settings)), type(settings)().described()
    known = definitions(to.settings)
    chosen = {
        name: value
        for name, value in pinned(settings).described().items()
        if name in known and known[name].label == before[name].label and value != defaults[name]
    }
    return read(to, {name: [value] for name, value in {**chosen, **own}.items()})[0]
