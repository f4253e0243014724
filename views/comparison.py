"""Comparison of two answers of a view on one chart. The pinned answer is drawn hollow."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from operator import sub, truediv
from typing import Any

from charts.chart import Axis, Band, Bar, BarChart, Chart, Mark, Points, Span, XYChart
from data.records import RecordedFigure
from views import wording, written
from views.axes import log_axis
from views.result import Change, Column, Exhibit, Figure, Result, Table, Versus

PINNED = "pinned"
MOST_DIFFERENCES = 3
"""Maximum number of differing settings that a description names. The others are counted."""
MOST_TICKS = 9
MOST_BESIDE = 30  # characters that fit beside a dot on a phone; the rest is in the hover text
MOST_LEADING = 3  # maximum number of key figures in the headline
SURE, PAIRED = written.paragraphs(__file__, name="comparison.md")
"""Notes on a ratio's uncertainty, for independent answers and for answers from the same resamples."""
FIGURE_COLUMNS = (
    Column(name="figure", label="Figure", kind="text"),
    Column(name="pinned", label="Pinned", kind="text"),
    Column(name="now", label="Now", kind="text"),
    Column(name="times", label="Now over pinned", unit="x"),
)
SCENARIO = Column(name="scenario", label="Which", kind="text")


@dataclass(frozen=True, kw_only=True)
class Side:
    """One of two answers, and the choices that distinguish it."""

    result: Result
    choices: Sequence[str]

    @property
    def words(self) -> str:
        """Return a short description of the choices that distinguish the answer."""
        named = "; ".join(self.choices[:MOST_DIFFERENCES])
        more = len(self.choices) - MOST_DIFFERENCES
        return f"{named} and {more} more" if more > 0 else named


def compared(now: Side, pinned: Side) -> dict[str, Any]:
    """Return the parts of a Result that change in a comparison with the pinned answer."""
    before = {figure.name: figure for figure in pinned.result.figures}
    both = [figure for figure in now.result.figures if figure.name in before]
    changes = tuple(_change(figure, before[figure.name]) for figure in both)
    leading = [figure.name for figure in now.result.figures if figure.key][:MOST_LEADING]
    headline = _headline(changes, leading=leading)
    subtitle = f"Now, filled: {now.words}. Pinned, hollow or grey: {pinned.words}."
    exhibits = [*_drawn(now.result, pinned.result), *_ratios(changes, source=now.result.settings_line)]
    heading = {"title": headline, "subtitle": subtitle, "alt": f"{headline}. {subtitle}"}
    exhibits[0] = replace(exhibits[0], chart=replace(exhibits[0].chart, **heading))
    by_name = {change.figure: change for change in changes}
    return {
        "headline": headline,
        "subtitle": subtitle,
        "figures": tuple(_beside(figure, by_name.get(figure.name)) for figure in now.result.figures),
        "exhibits": tuple(exhibits),
        "cards": (),
        "sure": (SURE if all(one.times_low is None for one in changes) else PAIRED, *now.result.sure),
        "versus": Versus(
            link=pinned.result.link,
            short_link=pinned.result.short_link,
            headline=pinned.result.headline,
            choices=tuple(pinned.choices),
            changes=changes,
        ),
    }


def _change(now: Figure, before: Figure) -> Change:
    """Return the change in a figure. The ratio has an interval if the two values share their resamples."""
    ends = None
    if now.resamples and before.resamples and now.level == before.level:
        ends = now.resamples.over(before.resamples)
    low, high = ends or (None, None)
    return Change(
        figure=now.name,
        label=now.label,
        pinned=before.text,
        now=now.text,
        times=times_of(now, before),
        times_low=low,
        times_high=high,
    )


def times_of(now: Figure | RecordedFigure, before: Figure | RecordedFigure) -> float | None:
    """Return the ratio of two figures. None if that is meaningless, as for calendar years."""
    calendar = now.unit == "year" and (now.value or 0) > 1000
    if now.unit != before.unit or calendar or not now.value or not before.value:
        return None
    times = now.value / before.value
    return times if times > 0 and math.isfinite(times) and now.value > 0 else None


def _headline(changes: Sequence[Change], *, leading: Sequence[str]) -> str:
    """Return a headline on a leading figure that changed."""
    if all(change.now == change.pinned for change in changes):
        return "Both choices give identical figures"
    led = [change for change in changes if change.figure in leading] or list(changes)
    texts = [
        f"{one.label}: {one.now} instead of {wording.number_words(one.pinned, beside=one.now)}"
        for one in led
        if one.now != one.pinned
    ]
    ratios = [_ratio(one) for one in led if one.now != one.pinned]
    said = [text for pair in zip(texts, ratios, strict=True) for text in (f"{pair[0]}{pair[1]}", pair[0])]
    return wording.fitting(
        *said, f"{led[0].label}: {led[0].now} in both", "Both lead to the same main figures"
    )


def _ratio(change: Change) -> str:
    """Return a change's ratio and interval as text that starts with a comma. Empty for factors without an interval."""
    if change.times and change.times_low and change.times_high:
        if change.times_low <= 1 <= change.times_high:
            return ", no clear difference"
        ends = wording.interval(wording.multiple(change.times_low), wording.multiple(change.times_high))
        return f", {wording.multiple(change.times)} ({ends})"
    return (
        f", {wording.multiple(change.times)}"
        if change.times and not change.now.endswith(("×", "× a year"))
        else ""
    )


def _beside(figure: Figure, change: Change | None) -> Figure:
    if change is None:
        return replace(figure, interval_text="not in the pinned answer")
    if change.now == change.pinned:
        return replace(figure, interval_text="as pinned")
    return replace(figure, interval_text=f"pinned: {change.pinned}{_ratio(change)}")


def _drawn(now: Result, pinned: Result) -> list[Exhibit]:
    """Return the first charts of both answers on common axes. Empty if they cannot be merged."""
    ours, theirs = now.exhibits[0], pinned.exhibits[0]
    chart = _merged(ours.chart, theirs.chart)
    if chart is None or ours.table.columns != theirs.table.columns:
        return []
    rows = [(word, *row) for word, one in (("now", ours), (PINNED, theirs)) for row in one.table.rows]
    columns = (SCENARIO, *ours.table.columns)
    return [replace(ours, chart=chart, table=Table(columns=columns, rows=rows), table_first=False)]


def _merged(now: Chart, pinned: Chart) -> Chart | None:
    if isinstance(now, XYChart) and isinstance(pinned, XYChart):
        x, y = _common(now.x, pinned.x), _common(now.y, pinned.y)
        if x is None or y is None:
            return None
        known = {place for mark in now.marks if isinstance(mark, Points) for place in _places(mark)}
        theirs = (_pale(mark, known=known) for mark in pinned.marks if mark not in now.marks)
        return replace(now, x=x, y=y, rows=False, marks=(*filter(None, theirs), *now.marks))
    if isinstance(now, BarChart) and isinstance(pinned, BarChart):
        x = _common(now.x, pinned.x)
        ours, theirs = ([bar for bar in one.bars if bar.start is None] for one in (now, pinned))
        if x is None or not ours or not theirs:
            return None
        bars = _pairs(ours, {bar.label: bar for bar in theirs})
        return replace(now, x=x, base=min(now.base, pinned.base), bars=bars, dots=True)
    return None


def _common(one: Axis, other: Axis) -> Axis | None:
    """Return an axis that covers both axes. None if their titles or scales differ."""
    if (one.title, one.scale) != (other.title, other.scale):
        return None
    width = {"log": truediv, "linear": sub}[one.scale]
    wide, slim = sorted((one, other), key=lambda axis: width(axis.high, axis.low), reverse=True)
    ticks = [*wide.ticks, *(tick for tick in slim.ticks if not wide.low <= tick.value <= wide.high)]
    ticks.sort(key=lambda tick: tick.value)
    step = math.ceil(len(ticks) / MOST_TICKS)
    return replace(
        one, low=min(one.low, other.low), high=max(one.high, other.high), ticks=tuple(ticks[::step])
    )


def _places(points: Points) -> list[tuple[str, float, float]]:
    return list(zip(points.names, points.x, points.y, strict=True))


def _pale(mark: Mark, *, known: Collection[tuple[str, float, float]]) -> Mark | None:
    """Return a mark of the pinned answer, to be drawn behind the current marks.

    Returns None for a measure between two heights, or if all points are known.
    """
    if isinstance(mark, Span):
        return None
    series = f"{mark.series}, {PINNED}"
    if isinstance(mark, Points):
        kept = [at for at, place in enumerate(_places(mark)) if place not in known]
        parts = {
            name: tuple(getattr(mark, name)[at] for at in kept) for name in ("x", "y", "names", "details")
        }
        return replace(mark, series=series, hollow=True, marked=(), **parts) if kept else None
    if isinstance(mark, Band):
        return replace(mark, series=series, role="context", faded=True)
    label = (f"Pinned: {mark.end_label[-1]}",) if mark.end_label else ()
    return replace(mark, series=series, role="context", dash="dotted", end_label=label)


def _pairs(now: Sequence[Bar], pinned: dict[str, Bar]) -> tuple[Bar, ...]:
    """Return the current bars, each drawn from its pinned value, then the bars that only the pinned answer has."""
    labels = {bar.label for bar in now}
    pairs = []
    for bar in now:
        before = pinned.get(bar.label)
        if before is None or before.absent or bar.absent:
            pairs.append(bar)
        else:
            was = f"{PINNED}: {before.text}"
            fits = len(bar.text) + len(was) <= MOST_BESIDE
            text = f"{bar.text}, {was}" if fits and bar.text != before.text else bar.text
            pairs.append(replace(bar, start=before.value, text=text, detail=(was, *bar.detail)))
    gone = [bar for label, bar in pinned.items() if label not in labels]
    pairs += [
        replace(bar, role="context", emphasised=False, text=f"{bar.text}, {PINNED} only") for bar in gone
    ]
    return tuple(pairs)


def _ratios(changes: Sequence[Change], *, source: str) -> list[Exhibit]:
    """Return an exhibit of the changed figures as ratios to the pinned ones."""
    changed = {
        (one.label, one.now): (one, one.times) for one in changes if one.now != one.pinned and one.times
    }
    bars = tuple(
        Bar(
            label=change.label,
            value=times,
            text=f"{wording.multiple(times)}, {change.now}, {PINNED}: {change.pinned}",
            role="compute",
            start=1.0,
        )
        for change, times in changed.values()
    )
    rows = [(one.label, one.pinned, one.now, one.times) for one in changes]
    title = "Each figure that changed, as a multiple of the pinned one"
    chart = BarChart(
        title=title,
        subtitle="Hollow dots show the pinned answer, filled dots the current one. The table also has figures without "
        "a ratio or a change.",
        alt=f"{title}: {'; '.join(f'{bar.label}, {bar.text}' for bar in bars)}.",
        source=source,
        x=log_axis("Now over pinned", [1.0, *(bar.value for bar in bars)], word=wording.factor_tick),
        base=1.0,
        bars=bars,
        dots=True,
    )
    return [Exhibit(chart=chart, table=Table(columns=FIGURE_COLUMNS, rows=rows), section="finding")]
