"""Statements drawn and tabled: beside what we find, by verdict, by article, and against each other."""

import math
import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.claims.claimed_value import GROWTH
from analysis.claims.verdict import VERDICTS, Verdict
from charts.chart import Axis, Bar, Line, Points, Role, Tick, XYChart
from data import sources, standing
from views import wording, written
from views.axes import linear_axis, log_axis
from views.claims.cards import LOOKS, WORDS
from views.claims.own_claim import OwnClaim
from views.claims.statements import ARTICLES, Against, Statement, TestedPart, written_number
from views.exhibits import ValueAxis, bar_exhibit, bar_reach, bars_exhibit
from views.result import Exhibit, Table
from views.table import Getter, column, stated_columns, table

LONGEST_TITLE = 36
"""Letters of a title where there is little room."""
FEW = 6
"""Up to so many statements every whole number has its tick."""
_COLUMNS = written.toml(__file__, name="columns.toml")
COLUMNS: tuple[Getter[Statement], ...] = stated_columns(_COLUMNS["statements"])
ARTICLE_COLUMNS: tuple[Getter[Any], ...] = stated_columns(_COLUMNS["articles"])
CONTRADICTION_COLUMNS: tuple[Getter[Any], ...] = stated_columns(
    _COLUMNS["contradictions"],
    one=lambda pair: f"{pair.one.claim_id}: {pair.one.statement}",
    other=lambda pair: f"{pair.other.claim_id}: {pair.other.statement}",
)


def title_of(article: str) -> str:
    """Return the title of an article."""
    return sources.rows()[ARTICLES[article]]["title"]


def short_title_of(article: str) -> str:
    """Return the title of an article without what follows a colon or dash, cut between words where it is long."""
    title = re.split(r": | - ", title_of(article))[0]
    return textwrap.shorten(title, LONGEST_TITLE, placeholder=" …")


def statement_table(statements: Sequence[Statement], own: OwnClaim | None = None) -> Table:
    """Return the statements with their verdicts, a reader's own first."""
    return table(COLUMNS, (*((own.row,) if own and own.row else ()), *statements))


def _count_axis(most: int) -> Axis:
    """Return the axis of statements counted, with a tick for each of the first few."""
    if most > FEW:
        return linear_axis("Statements", [0.0, float(most)], word="{:,.0f}".format)
    ticks = tuple(Tick(value=float(count), label=str(count)) for count in range(max(most, 1) + 1))
    return Axis(title="Statements", low=-0.04, high=max(most, 1) + 0.04, ticks=ticks)


def by_verdict(statements: Sequence[Statement], *, title: str, source: str, numbers: Table) -> Exhibit:
    """Return how many statements have each verdict."""
    counts = Counter(item.verdict for item in statements)
    of = max(len(statements), 1)
    bars = tuple(
        Bar(
            label=WORDS[name],
            value=float(counts[name]),
            text=f"{counts[name]} ({wording.percent(round(counts[name] / of, 2))})",
            role="context",
            emphasised=name != "not checkable",
        )
        for name in VERDICTS
    )
    return bars_exhibit(
        bars,
        title=title,
        subtitle="Statements by verdict. Off: up to a factor of two, or true in part; wrong: beyond, or the other "
        "way; undecided: neither borne out nor contradicted.",
        source=source,
        axis=_count_axis(max(counts.values(), default=0)),
        numbers=numbers,
    )


@dataclass(frozen=True, kw_only=True)
class _ArticleCount:
    """How many statements of an article have each verdict."""

    article: str
    counts: Counter[Verdict]

    @property
    def title(self) -> str:
        """Return the title of the article."""
        return title_of(self.article)

    @property
    def tested(self) -> int:
        """Return how many are tested."""
        return self.counts.total() - self.counts["not checkable"]

    @property
    def share(self) -> float:
        """Return the share of those tested that holds."""
        return self.counts["supported"] / max(self.tested, 1)

    @property
    def words(self) -> str:
        """Return how many hold of those tested."""
        return f"{self.counts['supported']} of {self.tested} tested"


def by_article(statements: Sequence[Statement], *, source: str) -> Exhibit:
    """Return how many statements of each article hold, of those that can be tested."""
    by_name: dict[str, Counter[Verdict]] = {name: Counter() for name in ARTICLES}
    for item in statements:
        by_name[item.article][item.verdict] += 1
    counted = [_ArticleCount(article=name, counts=counts) for name, counts in by_name.items()]
    shares = sorted(one.share for one in counted if one.tested > 1)
    title = "No statement of any source can be tested"
    if shares:
        least, most = (wording.percent(round(shares[end], 2)) for end in (0, -1))
        title = f"{wording.interval(least, most)} of a source's testable statements hold"
    return bar_exhibit(
        counted,
        lambda one: Bar(
            label=one.title,
            value=one.share,
            text=f"{wording.percent(round(one.share, 2))}, {one.words}" if one.tested else "none tested",
            role="context",
            emphasised=bool(one.tested),
        ),
        title=title,
        subtitle="Share of statements that hold, by source, of those that a view or a published figure tests.",
        alt=f"{title}: {'; '.join(f'{one.title}, {one.words}' for one in counted)}.",
        source=source,
        axis=linear_axis("Share that holds", [0.0, 1.0], word=lambda value: f"{100 * value:g} %"),
        columns=(*ARTICLE_COLUMNS, *map(_verdict_count, VERDICTS)),
        section="sure",
    )


def _verdict_count(verdict: Verdict) -> Getter[_ArticleCount]:
    return column(verdict.replace(" ", "_"), lambda one: one.counts[verdict], label=WORDS[verdict])


@dataclass(frozen=True, kw_only=True)
class _Contradiction:
    """Two statements that cannot both hold, what they conflict in, and what decides."""

    about: str
    one: Statement
    other: Statement
    conflict: str
    resolution: str

    @property
    def holding(self) -> int:
        """Return how many of the two hold."""
        return [self.one.verdict, self.other.verdict].count("supported")


def contradictions(
    statements: Sequence[Statement], everything: Sequence[Statement], *, source: str
) -> tuple[Exhibit, ...]:
    """Return the statements that contradict each other side by side; nothing where none is shown."""
    by_id = {item.claim_id: item for item in everything}
    shown = [item.claim_id for item in statements]
    pairs = standing.table("claim_contradictions")
    pairs = pairs.loc[pairs["one_id"].isin(shown) | pairs["other_id"].isin(shown)]
    if pairs.empty:
        return ()
    sides = [
        _Contradiction(
            one=by_id[pair["one_id"]],
            other=by_id[pair["other_id"]],
            **{name: pair[name] for name in ("about", "conflict", "resolution")},
        )
        for pair in pairs.to_dict("records")
    ]
    verb = "seem" if len(sides) > 1 else "seems"
    one, both = (sum(pair.holding == holding for pair in sides) for holding in (1, 2))
    title = (
        f"{wording.counted(len(sides), 'pair')} of statements {verb} to contradict each other; one side holds in "
        f"{one}, both in {both}"
    )
    exhibit = bar_exhibit(
        sides,
        lambda pair: Bar(
            label=wording.sentence_case(pair.about),
            value=float(pair.holding),
            text=f"{pair.one.claim_id}, {pair.other.claim_id}",
            role="context",
            emphasised=True,
        ),
        title=title,
        subtitle="How many of the two statements hold; the table has them side by side, and what decides.",
        alt=f"{title}: {' '.join(pair.conflict for pair in sides)}",
        source=source,
        axis=_count_axis(max(pair.holding for pair in sides)),
        columns=CONTRADICTION_COLUMNS,
    )
    return (exhibit,)


WIDE_RANGE = 20.0
"""Numbers further apart than this share a log axis."""
LONGEST_NAME = 42
"""Letters of a statement beside its dot."""
UNIT_TITLES = {GROWTH: "Growth a year", "x": "Ratio", "1": "Share"}
ROLES: dict[Verdict, Role] = {verdict: LOOKS[verdict]["role"] for verdict in VERDICTS}


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
        base=None if log else start,
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
