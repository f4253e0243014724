"""How the verdicts on statements are drawn and tabled: by verdict, by article, and against each other."""

import re
import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from analysis.claims.verdict import VERDICTS, Verdict
from charts.chart import Axis, Bar, Tick
from data import sources, standing
from views import wording, written
from views.axes import linear_axis
from views.claims.cards import WORDS
from views.claims.own_claim import OwnClaim
from views.claims.statements import ARTICLES, Statement
from views.exhibits import bar_exhibit, bars_exhibit
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
        subtitle="Statements by verdict. Off: up to a factor of two, unclear, or true in part; wrong: beyond, or the "
        "other way.",
        source=source,
        axis=_count_axis(max(counts.values(), default=0)),
        numbers=numbers,
    )


@dataclass(frozen=True, kw_only=True)
class _ArticleCount:
    """How many statements of an article have each verdict, how many are tested, and the share of these that holds."""

    article: str
    title: str
    counts: Counter[Verdict]
    tested: int
    share: float

    @classmethod
    def of(cls, article: str, statements: Sequence[Statement]) -> Self:
        """Return the counts of the article's statements."""
        counts: Counter[Verdict] = Counter(item.verdict for item in statements if item.article == article)
        tested = counts.total() - counts["not checkable"]
        share = counts["supported"] / tested if tested else 0.0
        return cls(article=article, title=title_of(article), counts=counts, tested=tested, share=share)

    @property
    def words(self) -> str:
        """Return how many hold of those tested."""
        return f"{self.counts['supported']} of {self.tested} tested"


def by_article(statements: Sequence[Statement], *, source: str) -> Exhibit:
    """Return how many statements of each article hold, of those that can be tested."""
    counted = [_ArticleCount.of(article, statements) for article in ARTICLES]
    shares = sorted(one.share for one in counted if one.tested)
    title = "No statement of any article can be tested"
    if shares:
        least, most = (wording.percent(round(shares[end], 2)) for end in (0, -1))
        title = f"{wording.interval(least, most)} of an article's testable statements hold"
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
        subtitle="Share of statements that hold, by article, of those that a view or a published figure tests.",
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
    verb = "contradict" if len(sides) > 1 else "contradicts"
    decided = sum(pair.holding > 0 for pair in sides)
    title = (
        f"{wording.counted(len(sides), 'pair')} of statements {verb} each other; one side holds in {decided}"
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
