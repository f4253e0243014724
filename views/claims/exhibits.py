"""How the verdicts on statements are drawn and tabled: by verdict, by article, and against each other."""

from collections import Counter
from collections.abc import Sequence

from analysis.claims.verdict import VERDICTS, Verdict
from charts.chart import Axis, Bar, BarChart, Tick
from data import sources, standing
from views import wording
from views.axes import linear_axis
from views.claims.own_claim import OwnClaim
from views.claims.statements import ARTICLES, Statement
from views.result import Column, Exhibit, Table

FEW = 6
"""Up to so many statements every whole number has its tick."""

WORDS: dict[Verdict, str] = {
    "supported": "Supported",
    "off": "Off",
    "wrong": "Wrong",
    "not checkable": "Not checkable",
}


def title_of(article: str) -> str:
    """Return the title of an article."""
    return sources.rows()[ARTICLES[article]]["title"]


COLUMNS = (
    Column(name="claim_id", label="No.", kind="text"),
    Column(name="verdict", label="Verdict", kind="text"),
    Column(name="statement", label="Statement, in our words", kind="text", wide=210),
    Column(name="claimed", label="Claimed", kind="text"),
    Column(name="ours", label="Ours", kind="text", wide=330),
    Column(name="why", label="Why", kind="text", wide=330),
    Column(name="view", label="Where it is tested", kind="link"),
    Column(name="tested_by", label="Tested by", kind="text"),
    Column(name="article", label="Article", kind="text"),
    Column(name="topic", label="Topic", kind="text"),
    Column(name="source", label="Source", kind="link"),
    Column(name="judged_by_hand", label="Judged by hand earlier", kind="text"),
)


def table(statements: Sequence[Statement], own: OwnClaim | None = None) -> Table:
    """Return the statements with their verdicts, a reader's own first."""
    rows = tuple(
        (
            item.claim_id,
            item.verdict,
            item.statement,
            item.claimed,
            item.ours,
            item.why,
            item.link,
            item.tested_by,
            item.article,
            item.topic,
            item.url,
            item.by_hand,
        )
        for item in statements
    )
    return Table(columns=COLUMNS, rows=(*((own.row,) if own and own.row else ()), *rows))


def _count_axis(most: int) -> Axis:
    """Return the axis of statements counted, with a tick for each of the first few."""
    if most > FEW:
        return linear_axis("Statements", [0.0, float(most)], "{:,.0f}".format)
    ticks = tuple(Tick(value=float(count), label=str(count)) for count in range(max(most, 1) + 1))
    return Axis(title="Statements", low=-0.04, high=max(most, 1) + 0.04, ticks=ticks)


def _bars(
    counted: Sequence[tuple[str, int, str, bool]], *, title: str, subtitle: str, alt: str, source: str
) -> BarChart:
    """Return counts as bars, label, count, words and emphasis each."""
    return BarChart(
        title=title,
        subtitle=subtitle,
        alt=alt,
        source=source,
        x=_count_axis(max((count for _, count, _, _ in counted), default=0)),
        base=0.0,
        bars=tuple(
            Bar(label=label, value=float(count), text=words, role="context", emphasised=strong)
            for label, count, words, strong in counted
        ),
    )


def by_verdict(
    statements: Sequence[Statement],
    shown: Sequence[Statement],
    own: OwnClaim | None,
    *,
    title: str,
    source: str,
) -> Exhibit:
    """Return how many statements have each verdict, and the table of those shown."""
    found = Counter(item.verdict for item in statements)
    of = max(len(statements), 1)
    chart = _bars(
        [
            (
                WORDS[name],
                found[name],
                f"{found[name]} ({wording.percent(round(found[name] / of, 2))})",
                name != "not checkable",
            )
            for name in VERDICTS
        ],
        title=title,
        subtitle="Number of statements by verdict, computed from this release, our models and published "
        "figures. Off: up to a factor of two, unclear, or true in part; wrong: beyond, or the other way.",
        alt=f"{title}.",
        source=source,
    )
    return Exhibit(chart=chart, table=table(shown, own), table_first=True)


def by_article(statements: Sequence[Statement], *, source: str) -> Exhibit:
    """Return how many statements of each article hold, of those that can be tested."""
    rows: list[tuple[str | int, ...]] = []
    bars: list[tuple[str, int, int]] = []
    for article in ARTICLES:
        found = Counter(item.verdict for item in statements if item.article == article)
        tested = sum(found.values()) - found["not checkable"]
        name = title_of(article)
        rows.append((article, name, *(found[verdict] for verdict in VERDICTS)))
        bars.append((name, found["supported"], tested))
    holds, tested = sum(held for _, held, _ in bars), sum(of for *_, of in bars)
    title = f"{holds} of the {tested} statements that can be tested hold"
    chart = BarChart(
        title=title,
        subtitle="Share of statements that hold, by article, of those that a view or a published figure tests.",
        alt=f"{title}: " + "; ".join(f"{name}, {held} of {of} tested" for name, held, of in bars) + ".",
        source=source,
        x=linear_axis("Share that holds", [0.0, 1.0], lambda value: f"{100 * value:g} %"),
        base=0.0,
        bars=tuple(
            Bar(
                label=name,
                value=held / of if of else 0.0,
                text=f"{wording.percent(round(held / of, 2))}, {held} of {of} tested"
                if of
                else "none tested",
                role="context",
                emphasised=bool(of),
            )
            for name, held, of in bars
        ),
    )
    columns = (
        Column(name="article", label="Article", kind="text"),
        Column(name="title", label="Title", kind="text"),
        *(Column(name=name.replace(" ", "_"), label=words) for name, words in WORDS.items()),
    )
    return Exhibit(chart=chart, table=Table(columns=columns, rows=tuple(rows)))


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
    rows: list[tuple[str, ...]] = []
    bars: list[tuple[str, int, str, bool]] = []
    for pair in pairs.to_dict("records"):
        one, other = by_id[pair["one_id"]], by_id[pair["other_id"]]
        rows.append(
            (
                pair["about"],
                f"{one.claim_id}: {one.statement}",
                one.verdict,
                f"{other.claim_id}: {other.statement}",
                other.verdict,
                pair["conflict"],
                pair["resolution"],
            )
        )
        holding = [one.verdict, other.verdict].count("supported")
        sides = f"{one.claim_id}, {other.claim_id}"
        bars.append((wording.sentence_case(pair["about"]), holding, sides, True))
    verb = "contradict" if len(rows) > 1 else "contradicts"
    decided = sum(holding > 0 for _, holding, _, _ in bars)
    title = (
        f"{wording.counted(len(rows), 'pair')} of statements {verb} each other; one side holds in {decided}"
    )
    chart = _bars(
        bars,
        title=title,
        subtitle="How many of the two statements hold; the table has them side by side, and what decides.",
        alt=f"{title}: {' '.join(row[5] for row in rows)}",
        source=source,
    )
    labels = (
        "About",
        "One says",
        "Verdict",
        "Another says",
        "Verdict of the other",
        "Conflict",
        "What decides",
    )
    names = ("about", "one", "verdict", "other", "other_verdict", "conflict", "resolution")
    columns = tuple(
        Column(name=name, label=label, kind="text", wide=0 if "erdict" in label or name == "about" else 260)
        for name, label in zip(names, labels, strict=True)
    )
    return (Exhibit(chart=chart, table=Table(columns=columns, rows=tuple(rows)), table_first=True),)
