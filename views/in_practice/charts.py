"""Speed-ups beside what data sheets promise, pair by pair and by load."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from analysis.in_practice.exponents import Exponents
from analysis.in_practice.pairs import PairSummary
from charts.chart import Bar, Line, Points, Role
from views import wording
from views.axes import log_axis
from views.exhibits import ValueAxis, bar_exhibit, bars_exhibit, xy_exhibit
from views.in_practice import words
from views.result import Exhibit
from views.table import Getter, column, table

MOST_DRAWN = 60
LABELLED = 5

MOST_SHOWN = 4


def factor(value: float) -> str:
    """Return a factor at a tick: 1.5×."""
    return f"{value:g}×"


def _pair_columns(pair: Callable[[Any], PairSummary]) -> tuple[Getter[Any], ...]:
    """Return the columns of two chips and their speed-up; ``pair`` takes them from a row."""

    def of(name: str) -> Callable[[Any], Any]:
        return lambda row: getattr(pair(row), name)

    return (
        column("first", of("first"), label="From", kind="text"),
        column("second", of("second"), label="To", kind="text"),
        column("speed_up", of("speed_up"), label="Speed-up", unit="x"),
        column("bandwidth_ratio", of("bandwidth_ratio"), label="Bandwidth ratio", unit="x"),
        column("flop_ratio", of("flop_ratio"), label="FLOP/s ratio", unit="x"),
        column("low", of("low"), label="Speed-up, lower quartile", unit="x"),
        column("high", of("high"), label="Speed-up, upper quartile", unit="x"),
    )


COLUMNS: tuple[Getter[PairSummary], ...] = (
    *_pair_columns(lambda pair: pair),
    column("precision", lambda pair: pair.precision, label="Precision", kind="text"),
    column("n", lambda pair: pair.n, label="Workloads"),
    column("models", lambda pair: pair.n_models, label="Models"),
)


def sheets_exhibit(kinds: Sequence[PairSummary], *, title: str, subtitle: str, source: str) -> Exhibit:
    """Return the pairs with most works, each as three dots: bandwidth and FLOP/s on the data sheet, and measured."""
    bars = []
    for pair in kinds[:MOST_SHOWN]:
        name = words.pair_name(pair)
        sheets: tuple[tuple[str, Role, float], ...] = (
            ("bandwidth", "memory", pair.bandwidth_ratio),
            ("FLOP/s", "compute", pair.flop_ratio),
        )
        bars += [
            Bar(label=f"{name}: {what}", value=ratio, text=wording.times(ratio), role=role)
            for what, role, ratio in sheets
        ]
        bars.append(
            Bar(
                label=f"{name}: measured",
                value=pair.speed_up,
                low=pair.low,
                high=pair.high,
                text=wording.times(pair.speed_up),
                role="edge",
                emphasised=True,
                detail=(words.middle_half(pair),),
            )
        )
    return bars_exhibit(
        tuple(bars),
        title=title,
        subtitle=subtitle,
        alt=f"{title}. {subtitle}",
        source=source,
        axis=ValueAxis(title="Second chip over first [×]", word=factor, span=(1.0,)),
        numbers=table(COLUMNS, kinds),
        base=1.0,
        dots=True,
    )


def pairs_exhibit(kinds: Sequence[PairSummary], *, found: Exponents, source: str) -> Exhibit:
    """Return every two chips as two dots: their speed-up over their ratio of bandwidth and of FLOP/s."""
    drawn = kinds[:MOST_DRAWN]
    ratios = [pair.bandwidth_ratio for pair in drawn] + [pair.flop_ratio for pair in drawn]
    ends = [min(*ratios, 1.0), max(*ratios, 1.0)]
    off = wording.times(found.bandwidth_off.value), wording.times(found.flop_off.value)
    title = f"The bandwidth ratio is off by {off[0]} on average, the FLOP/s ratio by {off[1]}"
    subtitle = (
        "Measured speed-up from one chip to another on the same work, against their ratio of bandwidth (orange) and of "
        "FLOP/s (blue). On the dotted line the data sheet is right."
    )
    thin = (
        f" Shown: the {MOST_DRAWN} of {len(kinds)} pairs with the most workloads."
        if len(kinds) > MOST_DRAWN
        else ""
    )
    names = tuple(f"{words.pair_name(pair)}: {wording.times(pair.speed_up)}" for pair in drawn)
    details = tuple((words.both_ratios(pair), words.middle_half(pair)) for pair in drawn)
    marked = tuple((place, words.pair_name(pair)) for place, pair in enumerate(drawn[:LABELLED]))
    speed = tuple(pair.speed_up for pair in drawn)
    diagonal = _diagonal(ends, speed)
    return xy_exhibit(
        (
            Line(series="As on the data sheet", role="context", x=diagonal, y=diagonal, dash="dotted"),
            Points(
                series="By FLOP/s",
                role="compute",
                x=tuple(pair.flop_ratio for pair in drawn),
                y=speed,
                names=names,
                details=details,
            ),
            Points(
                series="By bandwidth",
                role="memory",
                x=tuple(pair.bandwidth_ratio for pair in drawn),
                y=speed,
                names=names,
                details=details,
                marked=marked,
            ),
        ),
        title=title,
        subtitle=f"{subtitle}{thin}",
        alt=f"{title}. {subtitle}",
        source=source,
        x=log_axis("Ratio on the data sheet [×]", ends, word=wording.factor_tick),
        y=log_axis("Measured speed-up [×]", [*speed, 1.0], word=wording.factor_tick),
        numbers=table(COLUMNS, kinds),
    )


def _diagonal(ends: Sequence[float], speed: Sequence[float]) -> tuple[float, float]:
    return max(ends[0], min(*speed, 1.0)), min(ends[1], max(*speed, 1.0)) * 1.0001


ByLoad = tuple[str, PairSummary]
LOAD_COLUMNS: tuple[Getter[ByLoad], ...] = (
    column("load", lambda case: case[0], label="Requests in flight", kind="text"),
    *_pair_columns(lambda case: case[1]),
    column("n", lambda case: case[1].n, label="Workloads"),
)
FEWEST_WORKS = 3
MOVED = math.log(1.1)
"""From here on a speed-up moves with the load."""


def by_load_exhibit(cases: Sequence[ByLoad], *, source: str) -> Exhibit | None:
    """Return the speed-ups of the same chips by the requests in flight; None where no two loads have three works."""
    kinds: dict[tuple[str, str, str], list[ByLoad]] = {}
    for case in cases:
        if case[1].n >= FEWEST_WORKS:
            pair = case[1]
            kinds.setdefault((pair.first, pair.second, pair.precision), []).append(case)
    shown = [case for kind in kinds.values() if len(kind) > 1 for case in kind]
    if not shown:
        return None
    several = [kind for kind in kinds.values() if len(kind) > 1]
    moved = max(several, key=lambda kind: (_spread(kind) > MOVED, sum(pair.n for _, pair in kind)))
    (least, one), (most, other) = moved[0], moved[-1]
    title = (
        f"{words.pair_name(one)}: {wording.times(one.speed_up)} with {least} in flight, "
        f"{wording.times(other.speed_up)} with {most}"
    )

    def bar(case: ByLoad) -> Bar:
        load, pair = case
        return Bar(
            label=f"{words.pair_name(pair)}, {load}",
            value=pair.speed_up,
            low=pair.low,
            high=pair.high,
            text=wording.times(pair.speed_up),
            role="memory",
            detail=(words.both_ratios(pair), words.middle_half(pair)),
        )

    return bar_exhibit(
        shown,
        bar,
        title=title,
        subtitle="Median speed-up and middle half of the workloads, by requests in flight.",
        source=source,
        axis=ValueAxis(title="Measured speed-up [×]", word=factor, span=(1.0,)),
        columns=LOAD_COLUMNS,
        base=1.0,
        dots=True,
    )


def _spread(kind: Sequence[ByLoad]) -> float:
    return abs(math.log(kind[-1][1].speed_up / kind[0][1].speed_up))
