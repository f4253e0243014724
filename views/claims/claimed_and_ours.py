"""How does what is claimed lie beside what we find: for one statement, and for all that give a number?"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.claims.claimed_value import GROWTH
from analysis.claims.verdict import Verdict
from charts.chart import Axis, Bar, Line, Points, Role, Tick, XYChart
from views import wording
from views.axes import log_axis
from views.claims.statements import Against, Statement, TestedPart, written_number
from views.exhibits import ValueAxis, bar_reach, bars_exhibit
from views.result import Exhibit, Table

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


def claimed_and_ours(item: Statement, *, title: str, source: str, numbers: Table) -> Exhibit | None:
    """Return what a statement claims beside what we find, intervals drawn; nothing where no number of ours is known."""
    known = [part for part in item.parts if part.measured]
    parts = [part for part in known if part.unit == known[0].unit]
    if not parts:
        return None
    bars, unit = tuple(_bars(parts)), parts[0].unit
    about = "; ".join(f"({number}) {part.label}" for number, part in enumerate(parts, start=1))
    least, most = min(bar_reach(bars)), max(bar_reach(bars))
    log = least > 0 and most / least > WIDE_RANGE
    start = 1.0 if unit == GROWTH and least >= 1 else min(0.0, least)
    return bars_exhibit(
        bars,
        title=title,
        subtitle=f"{wording.sentence_case(about if len(parts) > 1 else parts[0].label)}. Lines are our intervals.",
        alt=f"{title}: {'; '.join(f'{bar.label} {bar.text}' for bar in bars)}.",
        source=source,
        axis=ValueAxis(
            title=UNIT_TITLES.get(unit, f"[{unit}]"),
            word=lambda value: _tick(value, unit),
            log=log,
            span=() if log else (start,),
        ),
        base=0.0 if log else start,
        dots=True,
        numbers=numbers,
    )


def _bars(parts: Sequence[TestedPart]) -> Iterator[Bar]:
    """Yield each claimed number once, before the numbers of ours it is held against."""
    last = None
    for number, part in enumerate(parts, start=1):
        if part.against != last:
            yield _claimed_bar(part.against, unit=part.unit)
            last = part.against
        ours = part.measured
        assert ours is not None
        yield Bar(
            label="Ours" if len(parts) == 1 else f"Ours ({number})",
            value=ours.value,
            low=ours.low if ours.low < ours.high else None,
            high=ours.high if ours.low < ours.high else None,
            text=part.text,
            role="compute",
            emphasised=True,
            detail=(part.label,),
        )


def _claimed_bar(against: Against, *, unit: str) -> Bar:
    words = written_number(against.value, unit)
    if against.high is not None:
        words = wording.interval(words, written_number(against.high, unit))
    more = {"above": "more than ", "rises": "more than ", "below": "less than ", "falls": "less than "}
    return Bar(
        label="Claimed" if against.claimed else "Tested against",
        value=against.middle,
        low=None if against.high is None else against.value,
        high=against.high,
        text=more.get(against.test, "") + words,
        role="context",
        detail=("what the statement says" if against.claimed else "the mark that decides",),
    )


def _tick(value: float, unit: str) -> str:
    if unit in (GROWTH, "x"):
        return f"{value:,g}×"
    return f"{100 * value:,g} %" if unit == "1" else written_number(value, unit)


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


def far_apart(statements: Sequence[Statement], *, title: str, source: str, numbers: Table) -> Exhibit | None:
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
    chart = XYChart(
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
    return Exhibit(chart=chart, table=numbers)


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
