"""Effects of a release: figures outside their earlier intervals, and changes since a pinned answer."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from data.records import RecordedFigure
from data.release_name import order
from data.releases import exported_on, latest, names
from views.registry import VIEWS
from views.result import Result
from views.setting_kinds import SettingError
from views.view import LATEST, ReleaseSettings, View, answer, at_release
from views.what_changed.pairs import RETOLD, Pair, paired, recorded
from views.wording import number_words


@dataclass(frozen=True, kw_only=True)
class Moved:
    """Effect of a release on a view: results before and after, and figures that left an interval or met a condition."""

    view: View
    before: Result
    after: Result
    figures: tuple[Pair, ...]

    @property
    def on(self) -> str:
        """Return the date of the new release's data, such as 2026-07-18."""
        return exported_on(self.after.release)


TELL = "tell"
"""Parameter with a condition in a feed's address."""
CONDITION = "the name of a figure, alone or with > or < and a number, such as gap_growth>3.9"


@dataclass(frozen=True, kw_only=True)
class Condition:
    """A reader's condition: a figure is above or below a number, or outside its earlier interval."""

    figure: str
    sign: str = ""
    value: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the condition stated by a text. Raises SettingError if the text states none."""
        match = re.fullmatch(
            r"([a-z0-9_]{1,60})(?:([<>])(-?[0-9]{1,15}(?:\.[0-9]{1,9})?(?:e-?[0-9]{1,2})?))?", text
        )
        if not match:
            raise SettingError(TELL, text, allowed=CONDITION)
        name, sign, value = match.groups()
        return cls(figure=name, sign=sign or "", value=float(value or 0))

    def made_true(self, pair: Pair) -> bool:
        """Return whether the condition was false before a release and is true with it."""
        if pair.was.figure != self.figure or pair.now is None:
            return False
        return self._is_true(pair.now) and not self._is_true(pair.was) if self.sign else pair.outside

    def _is_true(self, figure: RecordedFigure) -> bool:
        if figure.value is None:
            return False
        return figure.value > self.value if self.sign == ">" else figure.value < self.value


def moved(view: View, settings: ReleaseSettings, *, tell: Condition | None = None) -> tuple[Moved, ...]:
    """Return the effects of releases on a view, newest release first. The release in the settings is ignored.

    With the condition ``tell``, return only the releases that made it true.
    """
    moves = []
    for earlier, later in pairwise(names()):
        pair = [at_release(view, settings, release=name) for name in (earlier, later)]
        if [one.release for one in pair] != [earlier, later]:
            continue
        before, after = (answer(view, one) for one in pair)
        was, now, links = recorded(before), recorded(after), (before.link, after.link)
        pairs = paired(view, was=was, now=now, links=links, every=tell is not None)
        if figures := tuple(one for one in pairs if (tell.made_true(one) if tell else one.outside)):
            moves.append(Moved(view=view, before=before, after=after, figures=figures))
    return tuple(reversed(moves))


def moved_anywhere(views: Iterable[View] = tuple(VIEWS.values())) -> tuple[Moved, ...]:
    """Return each release's effect on each view with default settings, newest release first."""
    moves = [one for view in views if view.path not in RETOLD for one in moved(view, view.settings())]
    return tuple(sorted(moves, key=lambda one: order(one.after.release), reverse=True))


@dataclass(frozen=True, kw_only=True)
class Status:
    """The release of an answer and, if there is a newer release, what has changed since."""

    text: str
    newest: ReleaseSettings | None = None


def status(view: View, settings: ReleaseSettings, *, result: Result) -> Status:
    """Return an answer's status, for its settings line. Empty for a reader's own data.

    If the newest answer may take long, it is not computed.
    """
    if not result.link or result.release == latest():
        return Status(text="This is the newest release." if result.link else "")
    newest = at_release(view, settings, release=LATEST)
    if newest.release != LATEST:
        return Status(text="The newest release lacks a choice made here.")
    if view.takes_long(newest):
        return Status(text="There is a newer release", newest=newest)
    was, now = (
        next((figure.text for figure in one.figures if figure.key), one.headline)
        for one in (result, answer(view, newest))
    )
    since = (
        "The same in the newest release"
        if was == now
        else f"Since then {number_words(was, beside=now)} became {now}"
    )
    return Status(text=since, newest=newest)
