"""Figures of two releases, and whether each new value is inside the earlier interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from charts.slide import Tone
from data import records
from data.by_release import kept_by_release
from data.changes import cell_changes
from data.records import RecordedFigure
from data.release_name import is_name, order
from data.releases import Release, is_frozen, load
from views.comparison import times_of
from views.result import Figure, Result
from views.table import finite
from views.view import View, answer
from views.wording import counted

RETOLD = frozenset({"/", "/story", "/claims", "/data", "/what-changed"})
"""Views that repeat other views' answers or count rows. Their figures are not compared."""
WORDS = {"bad": "Moved to", "good": "Still inside, now", "part": "Now"}


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A figure as previously recorded and as now (None if no longer shown), and links to both answers."""

    view: View
    was: RecordedFigure
    now: RecordedFigure | None
    link_before: str
    link: str

    @property
    def name(self) -> str:
        """Return the page's name followed by the figure's name."""
        return f"{self.view.title}: {self.was.label}"

    @property
    def outside(self) -> bool:
        """Return whether the new value is outside the previous interval."""
        return self.now is not None and left_interval(self.was, self.now)

    @property
    def same(self) -> bool:
        """Return whether the displayed number is unchanged."""
        return self.now is not None and self.now.text == self.was.text

    @property
    def ratio(self) -> float | None:
        """Return the ratio of the new value to the previous one. None if the ratio is meaningless."""
        return times_of(self.now, self.was) if self.now else None

    @property
    def tone(self) -> Tone:
        """Return the tone of a change: "bad" outside the earlier interval, "good" inside, "part" if there is none."""
        if self.now is None or self.outside:
            return "bad"
        return "good" if self.same or None not in (self.was.low, self.was.high, self.now.value) else "part"

    @property
    def verdict(self) -> str:
        """Return the change in a few words."""
        if self.now is None or self.same:
            return "Unchanged" if self.now else "No longer shown"
        return f"{WORDS[self.tone]} {self.now.text}"

    @property
    def why(self) -> str:
        """Return the logged reasons for the change. Empty if the figure is unchanged."""
        if self.now is None or self.same or not is_name(self.now.release):
            return ""
        first, last = order(self.was.release), order(self.now.release)
        reasons = [
            f"{one.kind} {one.release}: {one.reason}"
            for one in records.moves()
            if (one.view, one.figure) == (self.was.view, self.was.figure) and one.kind != "method"
            if first < order(one.release) <= last
        ]
        return "; ".join(reasons) or (f"new rows of {self.now.release}" if first < last else "another method")


def left_interval(was: Figure | RecordedFigure, now: Figure | RecordedFigure) -> bool:
    """Return whether a value is outside its previous interval. False if the value or interval is unknown."""
    if was.low is None or was.high is None or now.value is None or was.unit != now.unit:
        return False
    return was.low < was.high and not was.low <= now.value <= was.high


def recorded(result: Result) -> list[RecordedFigure]:
    """Return an answer's figures as they are recorded."""
    return [
        RecordedFigure(
            view=result.view,
            release=result.release,
            figure=figure.name,
            label=figure.label,
            is_key=figure.key,
            unit=figure.unit,
            text=figure.text,
            interval=figure.interval_text,
            value=finite(figure.value),
            low=finite(figure.low),
            high=finite(figure.high),
        )
        for figure in result.figures
    ]


@cache
def on_record() -> dict[tuple[str, str], list[RecordedFigure]]:
    """Return the recorded figures, keyed by view and release."""
    rows = groupby(records.figures().values(), key=lambda row: row.key[:2])
    return {key: list(group) for key, group in rows}


def figures_of(view: View, *, release: Release) -> Sequence[RecordedFigure]:
    """Return a view's figures with default settings. They are computed if not recorded."""
    rows = on_record().get((view.name, release.name))
    own = None if is_frozen(release) else release
    return rows or recorded(answer(view, view.settings(release=release.stands_on), release=own))


def paired(
    view: View,
    *,
    was: Sequence[RecordedFigure],
    now: Sequence[RecordedFigure],
    links: tuple[str, str],
    every: bool = False,
) -> list[Pair]:
    """Return a view's previous key figures, or all figures if ``every``, each paired with its current figure."""
    later = {figure.figure: figure for figure in now}
    return [
        Pair(view=view, was=one, now=later.get(one.figure), link_before=links[0], link=links[1])
        for one in was
        if every or one.is_key
    ]


def by_change(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs in order: those outside their interval first, then by size of the change."""
    return sorted(pairs, key=lambda pair: (not pair.outside, pair.same, -abs(math.log(pair.ratio or 1.0))))


@kept_by_release()
def data_words(before: str, after: str) -> str:
    """Return a sentence on the differences between the data of two releases."""
    cells = cell_changes(before=load(before), after=load(after))
    rows = list(cells.loc[cells["field"] == "row", "now"])
    return (
        f"Release {after} adds {counted(rows.count('added'), 'row')}, removes {rows.count('gone'):,} and changes "
        f"{counted(len(cells) - len(rows), 'value')}."
    )
