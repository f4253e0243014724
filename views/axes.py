"""Axes with round ticks and a range that fits the data."""

import math
from collections.abc import Callable, Iterable
from itertools import count

from charts.chart import Axis, Tick

LABEL_ROOM = 0.13
"""Share of the years' range left free on the right, for labels at line ends."""

MOST_TICKS = 8
FEWEST_TICKS = 3
MOST_BESIDE_BANDS = 36
"""Maximum length of a title that also names the level of bands, so that it fits on a phone. [characters]"""


def year_axis(first: float, last: float) -> Axis:
    """Return an axis of calendar years from ``first`` to ``last``, with room for end labels."""
    low, high = math.floor(first), max(math.ceil(last), math.floor(first) + 1)
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100) if (high - low) / step <= MOST_TICKS + 1)
    start = math.ceil(low / step) * step
    ticks = tuple(Tick(value=year, label=str(year)) for year in range(start, high + 1, step))
    margin = 0.02 * (high - low)
    return Axis(title="", low=low - margin, high=high + LABEL_ROOM * (high - low), ticks=ticks)


def log_axis(title: str, values: Iterable[float], *, word: Callable[[float], str], bands: str = "") -> Axis:
    """Return a log axis that covers the positive ``values``, with at least three ticks, which ``word`` formats.

    Its title is ``title`` followed by "log scale" and, if there is room, the level of the chart's ``bands``.
    """
    shaded = f"; {bands} intervals" if bands and len(title) <= MOST_BESIDE_BANDS else ""
    known = [value for value in values if value > 0 and math.isfinite(value)] or [1.0, 10.0]
    low, high = math.log10(min(known)), math.log10(max(known))
    if high - low < 0.5:
        low, high = (low + high) / 2 - 0.25, (low + high) / 2 + 0.25
    margin = 0.04 * (high - low)
    low, high = max(low - margin, -300.0), min(high + margin, 300.0)  # floats end a little beyond
    return Axis(
        title=f"{title}, log scale{shaded}" if title else "",
        scale="log",
        low=10**low,
        high=10**high,
        ticks=tuple(Tick(value=value, label=word(value)) for value in _log_ticks(low, high)),
    )


def _log_ticks(low: float, high: float) -> list[float]:
    decades = high - low
    if decades >= 2.5:
        steps = (digit * 10**zeros for zeros in count() for digit in (1, 2, 3, 4, 5))
        step = next(step for step in steps if decades / step <= MOST_TICKS)
        start = math.ceil(math.ceil(low) / step) * step
        ticks = [10.0**exponent for exponent in range(start, math.floor(high) + 1, step)]
        if len(ticks) >= FEWEST_TICKS:
            return ticks
    rulers = ((1, 3), (1, 2, 5), (1, 1.5, 2, 3, 5, 7), (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9))
    if decades < 2.5:
        rulers = rulers[1:] if decades > 0.9 else rulers[2:]
    exponents = range(math.floor(low), math.ceil(high) + 1)
    ticks = []
    for within in rulers:
        every = [digit * 10.0**exponent for exponent in exponents for digit in within]
        ticks = [tick for tick in every if low <= math.log10(tick) <= high]
        if len(ticks) >= FEWEST_TICKS:
            break
    return ticks


def linear_axis(title: str, values: Iterable[float], *, word: Callable[[float], str]) -> Axis:
    """Return a linear axis that covers the values, with three to eight round ticks."""
    known = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
    low, high = min(known), max(known)
    if high == low:
        low, high = low - 0.5, high + 0.5
    raw = (high - low) / 5
    size = 10.0 ** math.floor(math.log10(raw))
    steps = [digit * size * tens for tens in (1, 10, 100) for digit in (1, 2, 2.5, 5)]
    steps = [step for step in steps if step >= raw]
    distinct = [step for step in steps if _distinct(step, low=low, high=high, word=word)]
    step = (distinct or steps)[0]
    if len(_multiples(step, low=low, high=high)) < FEWEST_TICKS:
        finer = [step / parts for parts in (2, 2.5, 5)]
        distinct = [part for part in finer if _distinct(part, low=low, high=high, word=word)] or [step] * len(
            distinct
        )
        step = (distinct or finer)[0]
    ticks = tuple(
        Tick(value=index * step, label=word(index * step)) for index in _multiples(step, low=low, high=high)
    )
    margin = 0.04 * (high - low)
    return Axis(title=title, low=low - margin, high=high + margin, ticks=ticks)


def _multiples(step: float, *, low: float, high: float) -> range:
    return range(math.ceil(low / step), math.floor(high / step) + 1)


def _distinct(step: float, *, low: float, high: float, word: Callable[[float], str]) -> bool:
    """Return whether tick labels are precise enough to distinguish a tick from values near it."""
    unit = 10.0 ** math.floor(math.log10(step) + 1e-9)
    parts = (1.0, 0.5, 0.25, 0.125)
    unit *= next(
        part for part in parts if math.isclose(step / unit / part, round(step / unit / part), abs_tol=1e-6)
    )
    ticks = [index * step for index in _multiples(step, low=low, high=high)]
    return all(word(tick) not in {word(tick - unit), word(tick + unit)} for tick in ticks)
