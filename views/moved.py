"""What did a release move: figures that left their earlier interval, and the first one of a pinned answer since?"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from data.release_name import order
from data.releases import exported_on, latest, names
from views.claims.view import VIEW as CLAIMS
from views.overview import VIEW as OVERVIEW
from views.registry import VIEWS
from views.result import Figure, Result
from views.story.view import VIEW as STORY
from views.view import LATEST, ReleaseSettings, View, answer, at_release
from views.wording import number_words, spelled_release

RETOLD = frozenset({OVERVIEW.path, STORY.path, CLAIMS.path})
"""The views that show what others answer: a feed of all views tells a figure once."""


@dataclass(frozen=True, kw_only=True)
class Moved:
    """What a release did to a view: its key figures that left their earlier interval, before and after."""

    view: View
    before: Result
    after: Result
    figures: tuple[tuple[Figure, Figure], ...]

    @property
    def on(self) -> str:
        """Return the day the data of the new release are of, as 2026-07-18."""
        return exported_on(self.after.release)


def left_interval(before: Result, after: Result) -> tuple[tuple[Figure, Figure], ...]:
    """Return the key figures whose value lies outside the interval of before, each before and after.

    A figure without an interval, or of which one release has no value, is none of them.
    """
    later = {figure.name: figure for figure in after.figures}
    pairs = ((figure, later[figure.name]) for figure in before.figures if figure.key and figure.name in later)
    return tuple((was, now) for was, now in pairs if _outside(was, now))


def _outside(was: Figure, now: Figure) -> bool:
    if was.low is None or was.high is None or now.value is None or was.unit != now.unit:
        return False
    return was.low < was.high and not was.low <= now.value <= was.high


def moved(view: View, settings: ReleaseSettings) -> tuple[Moved, ...]:
    """Return what each release after the first moved in a view that both have, the newest first, whatever is set."""
    moves = []
    for earlier, later in pairwise(names()):
        pair = [at_release(view, settings, release=name) for name in (earlier, later)]
        if [one.release for one in pair] != [earlier, later]:
            continue
        before, after = (answer(view, one) for one in pair)
        if figures := left_interval(before, after):
            moves.append(Moved(view=view, before=before, after=after, figures=figures))
    return tuple(reversed(moves))


def moved_anywhere(views: Iterable[View] = tuple(VIEWS.values())) -> tuple[Moved, ...]:
    """Return what each release moved in every view with its defaults, the newest first."""
    moves = [one for view in views if view.path not in RETOLD for one in moved(view, view.settings())]
    return tuple(sorted(moves, key=lambda one: order(one.after.release), reverse=True))


@dataclass(frozen=True, kw_only=True)
class Status:
    """Which release an answer reads, and of an older one what has changed since, with the same settings there."""

    text: str
    newest: ReleaseSettings | None = None


def status(view: View, settings: ReleaseSettings, *, result: Result) -> Status:
    """Return the status of an answer to the settings, which may be of an older release; no text for own data.

    The newest answer is not waited for where that may take long.
    """
    if not result.link or result.release == latest():
        return Status(
            text=f"Data {result.release.replace('.', ', correction ')}, newest." if result.link else ""
        )
    words = f"Data of {spelled_release(result.release)}."
    newest = at_release(view, settings, release=LATEST)
    if newest.release != LATEST:
        return Status(text=f"{words} The newest release does not have all that was chosen here.")
    if view.expensive(newest):
        return Status(text=f"{words} There is a newer release", newest=newest)
    was, now = (_leading(one) for one in (result, answer(view, newest)))
    since = (
        "The same in the newest release"
        if was == now
        else f"Since then {number_words(was, beside=now)} became {now}"
    )
    return Status(text=f"{words} {since}", newest=newest)


def _leading(result: Result) -> str:
    return next((figure.text for figure in result.figures if figure.key), result.headline)
