"""Charts and tables that show claims beside our numbers, and count claims by verdict."""

import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence

from analysis.claims.claimed_value import GROWTH
from analysis.claims.verdict import VERDICTS
from charts.chart import Axis, Bar, Tick
from data import sources
from views import wording, written
from views.axes import linear_axis
from views.claims.cards import WORDS
from views.claims.own_claim import OwnClaim
from views.claims.statements import ARTICLES, Against, Statement, TestedPart, written_number
from views.exhibits import ValueAxis, bar_reach, bars_exhibit
from views.result import Exhibit, Table
from views.table import Getter, stated_columns, table

LONGEST_TITLE = 36
"""Maximum length of a short title. [characters]"""
OFF = (
    "A mixed claim is true in part, or within a factor of two of our interval. A wrong claim is off by more than that, "
    "or gets the direction wrong."
)
FEW = 6
"""Maximum number of claims for which every whole number has a tick."""
COLUMNS: tuple[Getter[Statement], ...] = stated_columns(
    written.toml(__file__, name="columns.toml"), verdict=lambda item: WORDS[item.verdict].lower()
)


def title_of(article: str) -> str:
    """Return an article's full title."""
    return sources.rows()[ARTICLES[article]]["title"]


def short_title_of(article: str) -> str:
    """Return an article's title up to a colon or dash, shortened between words if long."""
    title = re.split(r": | - ", title_of(article))[0]
    return textwrap.shorten(title, LONGEST_TITLE, placeholder=" …")


def statement_table(statements: Sequence[Statement], own: OwnClaim | None = None) -> Table:
    """Return a table of the claims with their verdicts, starting with the reader's own claim."""
    return table(COLUMNS, (*((own.row,) if own and own.row else ()), *statements))


def _count_axis(most: int) -> Axis:
    """Return an axis for counts of claims. If there are few claims, each whole number has a tick."""
    if most > FEW:
        return linear_axis("Claims", [0.0, float(most)], word="{:,.0f}".format)
    ticks = tuple(Tick(value=float(count), label=str(count)) for count in range(max(most, 1) + 1))
    return Axis(title="Claims", low=-0.04, high=max(most, 1) + 0.04, ticks=ticks)


def by_verdict(statements: Sequence[Statement], *, title: str, source: str, numbers: Table) -> Exhibit:
    """Return an exhibit of the number of claims with each verdict."""
    counts = Counter(item.verdict for item in statements)
    tested = max(len(statements) - counts["not checkable"], 1)
    bars = tuple(
        Bar(
            label=WORDS[name],
            value=float(counts[name]),
            text=f"{counts[name]}"
            + ("" if name == "not checkable" else f" ({wording.percent(round(counts[name] / tested, 2))})"),
            role="compute" if name == "supported" else "context",
            emphasised=name != "not checkable",
        )
        for name in VERDICTS
    )
    return bars_exhibit(
        bars,
        title=title,
        subtitle=OFF,
        source=source,
        axis=_count_axis(max(counts.values(), default=0)),
        numbers=numbers,
    )


WIDE_RANGE = 20.0
"""Ratio of the largest to the smallest number above which a chart has a log axis."""
UNIT_TITLES = {GROWTH: "Growth a year", "x": "Ratio", "1": "Share"}


def claimed_and_ours(item: Statement, *, title: str, source: str, numbers: Table) -> Exhibit | None:
    """Return an exhibit of a claim beside our numbers. None if we have no number for it."""
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
        base=None if log else start,
        dots=True,
        numbers=numbers,
    )


def _bars(parts: Sequence[TestedPart]) -> Iterator[Bar]:
    """Yield a bar for each claimed number, then bars for our numbers."""
    last = None
    for number, part in enumerate(parts, start=1):
        if part.against != last:
            yield _claimed_bar(part.against, unit=part.unit)
            last = part.against
        ours = part.measured
        assert ours is not None
        yield Bar(
            label="Our number" if len(parts) == 1 else f"Our number ({number})",
            value=ours.value,
            low=ours.low if ours.low < ours.high else None,
            high=ours.high if ours.low < ours.high else None,
            text=part.text,
            role="compute",
            emphasised=True,
            detail=(part.label,),
        )


def _claimed_bar(against: Against, *, unit: str) -> Bar:
    return Bar(
        label="Claimed" if against.claimed else "Tested against",
        value=against.middle,
        low=None if against.high is None else against.value,
        high=against.high,
        text=against.words(unit),
        role="context",
        detail=("what the claim says" if against.claimed else "the limit that decides",),
    )


def _tick(value: float, unit: str) -> str:
    if unit in (GROWTH, "x"):
        return f"{value:,g}×"
    return f"{100 * value:,g}%" if unit == "1" else written_number(value, unit)
