"""How does what is claimed lie beside what we find: for one statement, and for all that give a number?"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analysis.claims.claimed_value import GROWTH
from analysis.claims.verdict import Verdict
from charts.chart import Axis, Line, Mark, Points, Role, Tick, XYChart
from views import wording
from views.axes import linear_axis, log_axis
from views.claims.statements import Statement, TestedPart, written_number

WIDE_RANGE = 20.0
"""Numbers further apart than this share a log axis."""
LONGEST_NAME = 42
"""Letters of a statement beside its dot."""
UNIT_TITLES = {GROWTH: "Growth a year", "x": "Ratio", "1": "Share"}
ROLES: dict[Verdict, Role] = {
    "supported": "memory",
    "off": "links",
    "wrong": "compute",
    "not checkable": "context",
}


@dataclass(frozen=True, kw_only=True)
class _Row:
    """One row of the chart: its label, the number with its ends, and whether it is ours."""

    label: str
    words: str
    value: float
    low: float
    high: float
    ours: bool
    detail: str


def claimed_and_ours(item: Statement, *, title: str, source: str) -> XYChart | None:
    """Return what a statement claims beside what we find, intervals drawn; nothing where no number of ours is known."""
    known = [part for part in item.parts if part.measured]
    parts = [part for part in known if part.unit == known[0].unit]
    if not parts:
        return None
    rows = _rows(parts)
    unit = parts[0].unit
    numbered = [f"({number}) {part.label}" for number, part in enumerate(parts, start=1)]
    about = "; ".join(numbered) if len(parts) > 1 else parts[0].label
    said = "; ".join(f"{row.label} {row.words}" for row in rows)
    return XYChart(
        title=title,
        subtitle=f"{wording.sentence_case(about)}. Lines are our intervals.",
        alt=f"{title}: {said}.",
        source=source,
        x=_value_axis(UNIT_TITLES.get(unit, f"[{unit}]"), rows, unit=unit),
        y=_row_axis([row.label for row in rows]),
        marks=(*_intervals(rows), _dots(rows, ours=False), _dots(rows, ours=True)),
    )


def _rows(parts: Sequence[TestedPart]) -> list[_Row]:
    """Return the rows, top first: each claimed number once, before the numbers of ours it is held against."""
    rows: list[_Row] = []
    last = None
    for number, part in enumerate(parts, start=1):
        if part.against != last:
            rows.append(_claimed_row(part))
            last = part.against
        ours = part.measured
        assert ours is not None
        rows.append(
            _Row(
                label="Ours" if len(parts) == 1 else f"Ours ({number})",
                words=part.text,
                value=ours.value,
                low=ours.low,
                high=ours.high,
                ours=True,
                detail=part.label,
            )
        )
    return rows


def _claimed_row(part: TestedPart) -> _Row:
    against = part.against
    words = written_number(against.value, part.unit)
    if against.high is not None:
        words = wording.interval(words, written_number(against.high, part.unit))
    more = {"above": "more than ", "rises": "more than ", "below": "less than ", "falls": "less than "}
    return _Row(
        label="Claimed" if against.claimed else "Tested against",
        words=more.get(against.test, "") + words,
        value=against.value if against.high is None else math.sqrt(against.value * against.high),
        low=against.value,
        high=against.value if against.high is None else against.high,
        ours=False,
        detail="what the statement says" if against.claimed else "the mark that decides",
    )


def _value_axis(title: str, rows: Sequence[_Row], *, unit: str) -> Axis:
    ends = [end for row in rows for end in (row.low, row.high)]

    if min(ends) > 0 and max(ends) / min(ends) > WIDE_RANGE:
        return log_axis(title, ends, word=_tick_word(unit))
    start = 1.0 if unit == GROWTH and min(ends) >= 1 else min(0.0, *ends)
    top = max(ends)
    # Room for the words beside the dot that lies furthest to the right.
    return linear_axis(title, [start, top + 0.1 * (top - start)], word=_tick_word(unit))


def _tick_word(unit: str) -> Callable[[float], str]:
    if unit in (GROWTH, "x"):
        return lambda value: f"{value:,g}×"
    if unit == "1":
        return lambda value: f"{100 * value:,g} %"
    return lambda value: written_number(value, unit)


def _row_axis(labels: Sequence[str]) -> Axis:
    last = len(labels) - 1
    ticks = tuple(Tick(value=float(last - place), label=label) for place, label in enumerate(labels))
    return Axis(title="", low=-0.6, high=last + 0.6, ticks=ticks)


def _intervals(rows: Sequence[_Row]) -> tuple[Mark, ...]:
    last = len(rows) - 1
    return tuple(
        Line(
            series=f"Interval of {row.label}",
            role="compute" if row.ours else "context",
            x=(row.low, row.high),
            y=(float(last - place),) * 2,
        )
        for place, row in enumerate(rows)
        if row.low < row.high
    )


def _dots(rows: Sequence[_Row], *, ours: bool) -> Points:
    last = len(rows) - 1
    shown = [(float(last - place), row) for place, row in enumerate(rows) if row.ours is ours]
    return Points(
        series="Ours" if ours else "Claimed",
        role="compute" if ours else "context",
        x=tuple(row.value for _, row in shown),
        y=tuple(place for place, _ in shown),
        names=tuple(f"{row.label}: {row.words}" for _, row in shown),
        details=tuple((row.detail,) for _, row in shown),
        marked=tuple((index, row.words) for index, (_, row) in enumerate(shown)),
        hollow=not ours,
    )


@dataclass(frozen=True, kw_only=True)
class _Compared:
    """A statement's number over ours, with the ends that our interval gives it."""

    item: Statement
    part: TestedPart
    ratio: float
    low: float
    high: float


FEWEST_COMPARED = 4
"""Two or three points leave a chart empty."""


def far_apart(statements: Sequence[Statement], *, title: str, source: str) -> XYChart | None:
    """Return how many times ours each claimed number is; nothing where too few can be compared to make a picture."""
    found = sorted(filter(None, map(_compared, statements)), key=lambda one: one.ratio)
    if len(found) < FEWEST_COMPARED:
        return None
    last = len(found) - 1
    ends = [end for one in found for end in (one.low, one.high)]
    return XYChart(
        title=title,
        subtitle=f"Claimed number over ours, {len(found)} statements that give one; 1× is agreement, growth by its "
        "logarithm, lines our intervals.",
        alt=f"{title}. Claimed over ours: "
        + "; ".join(f"{one.item.statement}, {wording.multiple(one.ratio)}" for one in found)
        + ".",
        source=source,
        # Room for the words beside the dots that lie furthest to the right.
        x=log_axis("Claimed over ours", [0.1, 10.0, *ends, 6 * max(ends)], word=lambda value: f"{value:g}×"),
        y=Axis(
            title="",
            low=-0.8,
            high=last + 0.8,
            ticks=tuple(Tick(value=float(place), label=one.item.claim_id) for place, one in enumerate(found)),
        ),
        marks=(
            Line(series="As claimed", role="context", x=(1.0, 1.0), y=(-0.8, last + 0.8), dash="dotted"),
            *(
                Line(
                    series=f"Interval of {one.item.claim_id}",
                    role=ROLES[one.item.verdict],
                    x=(one.low, one.high),
                    y=(float(place),) * 2,
                )
                for place, one in enumerate(found)
                if one.low < one.high
            ),
            *filter(None, (_of_verdict(found, verdict) for verdict in reversed(ROLES))),
        ),
        rows=True,
    )


def _of_verdict(found: Sequence[_Compared], verdict: Verdict) -> Points | None:
    """Return the statements of a verdict, those furthest from agreement named first."""
    shown = [(place, one) for place, one in enumerate(found) if one.item.verdict == verdict]
    if not shown:
        return None
    return Points(
        series=wording.sentence_case(verdict),
        role=ROLES[verdict],
        x=tuple(one.ratio for _, one in shown),
        y=tuple(float(place) for place, _ in shown),
        names=tuple(one.item.statement for _, one in shown),
        details=tuple(
            (f"{wording.sentence_case(verdict)}: claimed {one.item.claimed}, ours {one.part.number}",)
            for _, one in shown
        ),
        marked=tuple(
            (index, f"{verdict}: {_brief(one.item.statement)}")
            for index, (_, one) in sorted(enumerate(shown), key=lambda each: -abs(math.log(each[1][1].ratio)))
        ),
    )


def _brief(text: str) -> str:
    return text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME].rpartition(' ')[0]} …"


def _compared(item: Statement) -> _Compared | None:
    for part in item.parts:
        against, ours = part.against, part.measured
        if ours is None or not against.claimed or against.test not in ("about", "between"):
            continue
        value = against.value if against.high is None else math.sqrt(against.value * against.high)
        numbers = [value, ours.value, ours.low, ours.high]
        if part.unit == GROWTH:
            numbers = [math.log(number) for number in numbers]
        if min(numbers) <= 0:
            continue
        value, *ends = numbers
        ratio, high, low = (value / end for end in ends)
        return _Compared(item=item, part=part, ratio=ratio, low=low, high=high)
    return None
