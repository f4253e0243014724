"""A note in a link: the sender's text and marks, attributed to the sender."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from charts.chart import Band, Bar, BarChart, Chart, MapPoint, Mark, Points, Span, XYChart
from views.setting_kinds import SettingError

BY = "Note by the sender of this link"
MARK = "Sender’s mark"
LONGEST_TEXT, LONGEST_LABEL, MOST_MARKS = 140, 40, 3
ALLOWED = (
    f"up to {LONGEST_TEXT} printable characters, then up to {MOST_MARKS} marks, each after a |, as 2024:label, "
    f"2022..2024:label or 2024,1e26:label, each label of up to {LONGEST_LABEL} characters"
)
_NUMBER = r"-?[0-9]{1,15}(?:\.[0-9]{1,9})?(?:e[+-]?[0-9]{1,2})?(?:-(?:0[1-9]|1[0-2]))?"
_MARK = re.compile(rf"({_NUMBER})(?:\.\.({_NUMBER})|, *({_NUMBER}))? *: *(.{{1,{LONGEST_LABEL}}})", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class SenderMark:
    """A mark on a chart: a vertical line, a range of ``x``, or a point, in axis units."""

    label: str
    place: str
    x: float
    end: float
    y: float | None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the mark described by a text. Raises ValueError if the text describes none."""
        match = _MARK.fullmatch(text)
        if not match:
            raise ValueError(f"A mark is a place, a colon and a label; got {text!r}.")
        x, end, y = (_value(part) if part else None for part in match.groups()[:3])
        if x is None or (end is not None and end <= x):
            raise ValueError(f"A span ends after its start; got {text!r}.")
        place = text.partition(":")[0].strip()
        return cls(label=match[4], place=place, x=x, end=x if end is None else end, y=y)


def _value(text: str) -> float:
    """Return the number in a text. A month becomes a decimal year."""
    number, _, month = text.rpartition("-") if re.search(r"[0-9]-[0-9]{2}$", text) else (text, "", "1")
    return float(number) + (int(month) - 1) / 12


@dataclass(frozen=True, kw_only=True)
class Note:
    """A sender's note. ``words`` is its text as shown beside a chart."""

    text: str
    marks: tuple[SenderMark, ...]
    words: str = ""

    @classmethod
    def parse(cls, texts: Sequence[str]) -> Self:
        """Return the note in a link's parts. Raises SettingError if it is invalid."""
        whole = "|".join(texts)
        text, *marks = (part.strip() for part in whole.split("|"))
        marks = [mark for mark in marks if mark]
        try:
            if not whole.isprintable() or len(text) > LONGEST_TEXT or len(marks) > MOST_MARKS:
                raise ValueError("It is longer than it may be.")
            return cls(text=text, marks=tuple(map(SenderMark.parse, marks)))
        except ValueError:
            raise SettingError("note", whole, allowed=ALLOWED) from None

    def __str__(self) -> str:
        return "|".join([self.text, *(f"{mark.place}:{mark.label}" for mark in self.marks)])

    def on(self, chart: Chart) -> tuple[Chart, "Note"]:
        """Return a chart with the marks that fit, and the note with all its marks as text."""
        drawn, left = [], []
        for mark in self.marks:
            with_mark = _drawn(mark, chart)
            (drawn if with_mark else left).append(f"“{mark.label}” ({mark.place.replace('..', ' to ')})")
            chart = with_mark or chart
        words = [f"“{self.text}”" if self.text else ""]
        for heading, marks in (("On the first chart", drawn), ("Not on the first chart", left)):
            words += [f"{heading}: {', '.join(marks)}."] if marks else []
        return chart, replace(self, words=" ".join(filter(None, words)))


def _drawn(mark: SenderMark, chart: Chart) -> Chart | None:
    """Return a chart with a mark. None if the mark is outside the chart's axes."""
    height = None if isinstance(chart, BarChart) else chart.y
    inside = chart.x.low <= mark.x <= mark.end <= chart.x.high
    if not inside or (mark.y is not None and not (height and height.low <= mark.y <= height.high)):
        return None
    label = f"{mark.label} ({MARK.lower()})"
    if isinstance(chart, BarChart):
        start = mark.x if mark.end > mark.x else None
        bar = Bar(label=label, value=mark.end, start=start, text=mark.place, role="context")
        return replace(chart, bars=(*chart.bars, bar))
    if isinstance(chart, XYChart):
        return replace(chart, marks=(*chart.marks, *_marks(mark, low=chart.y.low, high=chart.y.high)))
    if mark.y is None or chart.marked is not None:
        return None
    return replace(chart, marked=MapPoint(x=mark.x, y=mark.y, label=label))


def _marks(mark: SenderMark, *, low: float, high: float) -> tuple[Mark, ...]:
    """Return a sender's mark as chart marks: a cross, a line, or a band."""
    label = (MARK, mark.label)
    if mark.y is not None:
        place = {"x": (mark.x,), "y": (mark.y,), "names": (mark.label,), "details": ((MARK,),)}
        return Points(series=MARK, role="context", **place), Span(
            x=mark.x, low=mark.y, high=mark.y, label=label
        )
    line = Span(x=mark.x, low=low, high=high, label=label)
    ends = {"x": (mark.x, mark.end), "low": (low,) * 2, "high": (high,) * 2}
    band = Band(series=MARK, role="context", strength="confidence", **ends)
    return (band, line) if mark.end > mark.x else (line,)
