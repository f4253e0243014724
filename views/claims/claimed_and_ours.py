"""How does what is claimed lie beside what we find: for one statement, and for all that give a number?"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.claims.claimed_value import GROWTH
from analysis.claims.verdict import Verdict
from charts.chart import Axis, Line, Points, Role, Tick, XYChart
from views import wording
from views.axes import linear_axis, log_axis
from views.claims.statements import Against, Statement, TestedPart, written_number

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
    """One row of the chart at its height: its label, the number with its ends, and whether it is ours."""

    label: str
    words: str
    value: float
    low: float
    high: float
    detail: str
    height: float = 0.0
    ours: bool = True

    @property
    def role(self) -> Role:
        return "compute" if self.ours else "context"


def claimed_and_ours(item: Statement, *, title: str, source: str) -> XYChart | None:
    """Return what a statement claims beside what we find, intervals drawn; nothing where no number of ours is known."""
    known = [part for part in item.parts if part.measured]
    parts = [part for part in known if part.unit == known[0].unit]
    if not parts:
        return None
    rows = _rows(parts)
    unit, several = parts[0].unit, len(parts) > 1
    about = "; ".join(f"({number}) {part.label}" for number, part in enumerate(parts, start=1))
    return XYChart(
        title=title,
        subtitle=f"{wording.sentence_case(about if several else parts[0].label)}. Lines are our intervals.",
        alt=f"{title}: {'; '.join(f'{row.label} {row.words}' for row in rows)}.",
        source=source,
        x=_value_axis(UNIT_TITLES.get(unit, f"[{unit}]"), rows, unit=unit),
        y=Axis(
            title="",
            low=-0.6,
            high=len(rows) - 0.4,
            ticks=tuple(Tick(value=row.height, label=row.label) for row in rows),
        ),
        marks=(
            *(
                Line(
                    series=f"Interval of {row.label}",
                    role=row.role,
                    x=(row.low, row.high),
                    y=(row.height, row.height),
                )
                for row in rows
                if row.low < row.high
            ),
            _dots("Claimed", [row for row in rows if not row.ours]),
            _dots("Ours", [row for row in rows if row.ours]),
        ),
    )


def _rows(parts: Sequence[TestedPart]) -> list[_Row]:
    """Return the rows, top first: each claimed number once, before the numbers of ours it is held against."""
    rows: list[_Row] = []
    last = None
    for number, part in enumerate(parts, start=1):
        if part.against != last:
            rows.append(_claimed_row(part.against, unit=part.unit))
            last = part.against
        ours = part.measured
        assert ours is not None
        label = "Ours" if len(parts) == 1 else f"Ours ({number})"
        rows.append(
            _Row(
                label=label,
                words=part.text,
                value=ours.value,
                low=ours.low,
                high=ours.high,
                detail=part.label,
            )
        )
    return [replace(row, height=float(len(rows) - 1 - place)) for place, row in enumerate(rows)]


def _claimed_row(against: Against, *, unit: str) -> _Row:
    words = written_number(against.value, unit)
    high = against.value if against.high is None else against.high
    if against.high is not None:
        words = wording.interval(words, written_number(high, unit))
    more = {"above": "more than ", "rises": "more than ", "below": "less than ", "falls": "less than "}
    return _Row(
        label="Claimed" if against.claimed else "Tested against",
        words=more.get(against.test, "") + words,
        value=against.middle,
        low=against.value,
        high=high,
        detail="what the statement says" if against.claimed else "the mark that decides",
        ours=False,
    )


def _value_axis(title: str, rows: Sequence[_Row], *, unit: str) -> Axis:
    def word(value: float) -> str:
        if unit in (GROWTH, "x"):
            return f"{value:,g}×"
        return f"{100 * value:,g} %" if unit == "1" else written_number(value, unit)

    ends = [end for row in rows for end in (row.low, row.high)]
    least, most = min(ends), max(ends)
    if least > 0 and most / least > WIDE_RANGE:
        return log_axis(title, ends, word=word)
    start = 1.0 if unit == GROWTH and least >= 1 else min(0.0, least)
    # Room for the words beside the dot that lies furthest to the right.
    return linear_axis(title, [start, most + 0.1 * (most - start)], word=word)


def _dots(series: str, rows: Sequence[_Row]) -> Points:
    return Points(
        series=series,
        role=rows[0].role,
        x=tuple(row.value for row in rows),
        y=tuple(row.height for row in rows),
        names=tuple(f"{row.label}: {row.words}" for row in rows),
        details=tuple((row.detail,) for row in rows),
        marked=tuple((index, row.words) for index, row in enumerate(rows)),
        hollow=not rows[0].ours,
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
    compared = sorted(filter(None, map(_compared, statements)), key=lambda one: one.ratio)
    if len(compared) < FEWEST_COMPARED:
        return None
    top = len(compared) - 0.2
    ends = [end for one in compared for end in (one.low, one.high)]
    ratios = "; ".join(f"{one.item.statement}, {wording.multiple(one.ratio)}" for one in compared)
    by_verdict: dict[Verdict, list[tuple[float, _Compared]]] = {verdict: [] for verdict in reversed(ROLES)}
    for place, one in enumerate(compared):
        by_verdict[one.item.verdict].append((float(place), one))
    return XYChart(
        title=title,
        subtitle=f"Claimed number over ours, {len(compared)} statements that give one; 1× is agreement, growth by its "
        "logarithm, lines our intervals.",
        alt=f"{title}. Claimed over ours: {ratios}.",
        source=source,
        # Room for the words beside the dots that lie furthest to the right.
        x=log_axis("Claimed over ours", [0.1, 10.0, *ends, 6 * max(ends)], word=lambda value: f"{value:g}×"),
        y=Axis(
            title="",
            low=-0.8,
            high=top,
            ticks=tuple(
                Tick(value=float(place), label=one.item.claim_id) for place, one in enumerate(compared)
            ),
        ),
        marks=(
            Line(series="As claimed", role="context", x=(1.0, 1.0), y=(-0.8, top), dash="dotted"),
            *(
                Line(
                    series=f"Interval of {one.item.claim_id}",
                    role=ROLES[one.item.verdict],
                    x=(one.low, one.high),
                    y=(float(place),) * 2,
                )
                for place, one in enumerate(compared)
                if one.low < one.high
            ),
            *(_of_verdict(verdict, placed) for verdict, placed in by_verdict.items() if placed),
        ),
        rows=True,
    )


def _of_verdict(verdict: Verdict, placed: Sequence[tuple[float, _Compared]]) -> Points:
    """Return the statements of a verdict at their heights, those furthest from agreement named first."""
    series = wording.sentence_case(verdict)
    furthest = sorted(enumerate(placed), key=lambda row: -abs(math.log(row[1][1].ratio)))
    return Points(
        series=series,
        role=ROLES[verdict],
        x=tuple(one.ratio for _, one in placed),
        y=tuple(height for height, _ in placed),
        names=tuple(one.item.statement for _, one in placed),
        details=tuple(
            (f"{series}: claimed {one.item.claimed}, ours {one.part.number}",) for _, one in placed
        ),
        marked=tuple((index, f"{verdict}: {_brief(one.item.statement)}") for index, (_, one) in furthest),
    )


def _brief(text: str) -> str:
    return text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME].rpartition(' ')[0]} …"


def _compared(item: Statement) -> _Compared | None:
    for part in item.parts:
        against, ours = part.against, part.measured
        if ours is None or not against.claimed or against.test not in ("about", "between"):
            continue
        numbers = [against.middle, ours.value, ours.low, ours.high]
        if part.unit == GROWTH:
            numbers = [math.log(number) for number in numbers]
        if min(numbers) <= 0:
            continue
        value, *ends = numbers
        ratio, high, low = (value / end for end in ends)
        return _Compared(item=item, part=part, ratio=ratio, low=low, high=high)
    return None
