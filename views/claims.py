"""Which published statements about the gap hold?"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from charts.chart import Bar, BarChart
from data import contract, standing
from data.releases import Release
from views import wording
from views.axes import linear_axis
from views.measures import Missing, measured, pinned_link
from views.result import Column, Exhibit, Figure, Table
from views.settings import choice, decimal, text
from views.statements import ARTICLES, GROWTH, Statement, judged, judged_number, with_interval, written
from views.verdicts import VERDICTS, Verdict
from views.view import CURATION, EPOCH_AI, Finding, ReleaseSettings, Source, View

NO_CLAIM = "none"
TOPICS = tuple(sorted(set(standing.table("claims")["topic"])))
_WORDS: dict[Verdict, str] = {
    "supported": "Supported",
    "off": "Off",
    "wrong": "Wrong",
    "not checkable": "Not checkable",
}


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A quantity that a reader's own claim may be about: where our number is, and its unit."""

    words: str
    at: str
    measure: str = "yearly_growth"
    unit: str = GROWTH


_H100 = "/data?table=accelerators&find=NVIDIA H100", '"NVIDIA H100 SXM5 80GB".'
_GPT4 = "/data?table=training-runs&find=GPT-4", '"GPT-4 (Mar 2023)".'
QUANTITIES: dict[str, Quantity] = {
    "training-compute": Quantity(words="compute of frontier runs", at="/training-compute?since=2018"),
    "language-compute": Quantity(
        words="compute of frontier language models", at="/training-compute?since=2020&domain=language"
    ),
    "memory-bandwidth": Quantity(words="memory bandwidth per chip", at="/accelerators"),
    "memory-capacity": Quantity(words="memory capacity per chip", at="/accelerators?metric=memory-capacity"),
    "fp16": Quantity(words="16-bit throughput per chip", at="/accelerators?metric=fp16"),
    "chip-link": Quantity(words="chip-to-chip bandwidth per chip", at="/accelerators?metric=chip-link"),
    "flop-per-dollar": Quantity(words="FLOP/s per dollar", at="/accelerators?metric=flop-per-dollar"),
    "flop-per-byte": Quantity(words="FLOP per byte that chips offer at 16 bits", at="/compute-to-memory"),
    "run-chip-gap": Quantity(
        words="gap between run and chip", at="/growth-gap", measure="run_chip_gap_growth"
    ),
    "run-run-gap": Quantity(
        words="gap between a run and its own chips", at="/growth-gap", measure="run_run_gap_growth"
    ),
    "chips": Quantity(
        words="number of chips of a frontier run", at="/growth-accounting", measure="chips_growth"
    ),
    "training-time": Quantity(
        words="training time of frontier runs", at="/growth-accounting", measure="time_growth"
    ),
    "cost": Quantity(words="cost of frontier runs", at="/growth-accounting", measure="cost_growth"),
    "power": Quantity(words="power of frontier runs", at="/growth-accounting", measure="power_growth"),
    "parameters": Quantity(
        words="parameters of frontier models", at="/growth-accounting", measure="parameters_growth"
    ),
    "h100-bandwidth": Quantity(
        words="memory bandwidth of an H100 SXM",
        at=_H100[0],
        measure=f"{_H100[1]}memory_bandwidth_byte_per_s / 1e12",
        unit="TB/s",
    ),
    "h100-fp16": Quantity(
        words="dense 16-bit peak of an H100 SXM",
        at=_H100[0],
        measure=f"{_H100[1]}peak_fp16_dense_flop_per_s / 1e12",
        unit="TFLOP/s",
    ),
    "gpt-4-cost": Quantity(
        words="training cost of GPT-4 (2023 USD)",
        at=_GPT4[0],
        measure=f"{_GPT4[1]}training_cost_usd_2023 / 1e6",
        unit="million USD",
    ),
    "gpt-4-energy": Quantity(
        words="energy of GPT-4's training",
        at=_GPT4[0],
        measure=f"{_GPT4[1]}training_power_w * {_GPT4[1]}training_time_s / 3.6e12",
        unit="GWh",
    ),
}


def _title(article: str) -> str:
    sources = contract.read_table(contract.DIRECTORY / "sources.csv", table="sources").set_index("source_id")
    return str(sources.loc[ARTICLES[article], "title"])


@dataclass(frozen=True, kw_only=True)
class ClaimSettings(ReleaseSettings):
    """Which statements are shown, and what a reader claims."""

    article: str = choice(
        "all",
        {"all": "all five articles", **{name: f"“{_title(name)}”" for name in ARTICLES}},
        label="Article",
        help="Whose statements are shown.",
        first_row=True,
    )
    verdict: str = choice(
        "all",
        {
            "all": "every verdict",
            "supported": "what holds",
            "off": "what is off by up to a factor of two, unclear, or holds in part only",
            "wrong": "what is off by more, or points the other way",
            "not-checkable": "what no view or published figure here can test",
        },
        label="Verdict",
        help="Which rows the table shows; the counts are of all.",
        first_row=True,
    )
    find: str = text(label="Find", help="Shows only statements that hold these words, in any case.")
    quantity: str = choice(
        NO_CLAIM,
        {
            NO_CLAIM: "no claim of your own",
            **{
                name: item.words + (", growth" if item.unit == GROWTH else f" [{item.unit}]")
                for name, item in QUANTITIES.items()
            },
        },
        label="Your claim: quantity",
        help="A quantity to hold a claim of your own against.",
        first_row=True,
    )
    value: float = decimal(
        5,
        low=0.001,
        high=1_000_000,
        step=0.1,
        label="Your claim: value",
        help="The value you claim: times a year for growth (28 % is 1.28), else in the unit of the quantity.",
        first_row=True,
    )
    topic: str = choice(
        "all",
        {"all": "every topic", **{name: f"only {name}" for name in TOPICS}},
        label="Topic",
        help="What the statements are about.",
    )


def chosen(statements: Sequence[Statement], settings: ClaimSettings) -> tuple[Statement, ...]:
    """Return the statements of the article and topic that hold every word searched for, of any verdict."""
    words = settings.find.casefold().split()
    return tuple(
        item
        for item in statements
        if settings.article in ("all", item.article)
        and settings.topic in ("all", item.topic)
        and all(word in _searched(item) for word in words)
    )


def _searched(item: Statement) -> str:
    fields = (item.claim_id, item.statement, item.topic, item.claimed, item.ours, item.why)
    return " ".join(fields).casefold()


def summary(statements: Sequence[Statement], settings: ClaimSettings) -> str:
    """Return the verdicts in one sentence that can be quoted."""
    if not statements:
        return "No statement fits these choices"
    found = Counter(item.verdict for item in statements)
    where = "in five articles" if settings.article == "all" else f"in “{_title(settings.article)}”"
    about = "" if settings.topic == "all" else f" on {settings.topic}"
    words = f" with “{settings.find}”" if settings.find else ""
    return (
        f"Of {wording.counted(len(statements), 'statement')}{about}{words} {where}, "
        f"{_number(found['supported'], 'hold', 'holds')}, {_number(found['off'], 'are off', 'is off')} and "
        f"{_number(found['wrong'], 'are wrong', 'is wrong')}; "
        f"{found['not checkable']} cannot be checked from data"
    )


def _number(count: int, plural: str, singular: str) -> str:
    return f"{count} {singular if count == 1 else plural}"


@dataclass(frozen=True, kw_only=True)
class _Own:
    headline: str
    figure: Figure
    row: tuple[str, ...]


def _own(settings: ClaimSettings, release: Release) -> _Own | None:
    """Return what a reader's own claim comes to."""
    if settings.quantity == NO_CLAIM:
        return None
    asked = QUANTITIES[settings.quantity]
    claimed = written(settings.value, asked.unit)
    subject = f"Your {claimed} for the {asked.words}"
    try:
        found = measured(asked.measure, at=asked.at, release=release)
    except Missing as gone:
        verdict, reason, ours, number = "not checkable", str(gone), "not known", None
        headline = f"{subject} cannot be checked: {gone}"
    else:
        verdict, reason = judged_number(found, unit=asked.unit, test="about", value=settings.value)
        ours, number = with_interval(found, asked.unit), found
        headline = f"{subject} is {verdict}: ours is {ours}"
    figure = Figure(
        name="own_claim",
        label="Ours",
        value=number.value if number else None,
        unit="x/year" if asked.unit == GROWTH else asked.unit,
        text=written(number.value, asked.unit) if number else "not known",
        low=number.low if number and number.low < number.high else None,
        high=number.high if number and number.low < number.high else None,
        level=number.level if number else None,
        interval_text=f"claimed: {claimed}",
    )
    return _Own(
        headline=headline,
        figure=figure,
        row=(
            "yours",
            verdict,
            f"The {asked.words}{' grows' if asked.unit == GROWTH else ' is'} {claimed}",
            claimed,
            ours,
            f"{wording.sentence_case(reason)}.",
            pinned_link(asked.at, release=release),
            "our data",
            "yours",
            settings.quantity,
            "",
            "",
        ),
    )


_COLUMNS = (
    Column(name="claim_id", label="No.", kind="text"),
    Column(name="verdict", label="Verdict", kind="text"),
    Column(name="statement", label="Statement, in our words", kind="text"),
    Column(name="claimed", label="Claimed", kind="text"),
    Column(name="ours", label="Ours", kind="text"),
    Column(name="why", label="Why", kind="text"),
    Column(name="view", label="Where it is tested", kind="link"),
    Column(name="tested_by", label="Tested by", kind="text"),
    Column(name="article", label="Article", kind="text"),
    Column(name="topic", label="Topic", kind="text"),
    Column(name="source", label="Source", kind="link"),
    Column(name="judged_by_hand", label="Judged by hand earlier", kind="text"),
)


def table(statements: Sequence[Statement], own: _Own | None = None) -> Table:
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
    return Table(columns=_COLUMNS, rows=(*((own.row,) if own else ()), *rows))


def _bars(
    counted: Sequence[tuple[str, int, str, bool]], *, title: str, subtitle: str, alt: str, source: str
) -> BarChart:
    return BarChart(
        title=title,
        subtitle=subtitle,
        alt=alt,
        source=source,
        x=linear_axis(
            "Statements", [0.0, *(float(count) for _, count, _, _ in counted), 1.0], "{:,.0f}".format
        ),
        base=0.0,
        bars=tuple(
            Bar(label=label, value=float(count), text=words, role="context", emphasised=strong)
            for label, count, words, strong in counted
        ),
    )


def _by_verdict(
    statements: Sequence[Statement], shown: Sequence[Statement], own: _Own | None, *, title: str, source: str
) -> Exhibit:
    found = Counter(item.verdict for item in statements)
    of = max(len(statements), 1)
    chart = _bars(
        [
            (
                _WORDS[name],
                found[name],
                f"{found[name]} ({wording.percent(round(found[name] / of, 2))})",
                name != "not checkable",
            )
            for name in VERDICTS
        ],
        title=title,
        subtitle="Number of statements by verdict, computed from this release and published figures. Off: up to a "
        "factor of two, unclear, or true in part; wrong: beyond, or the other way.",
        alt=f"{title}.",
        source=source,
    )
    return Exhibit(chart=chart, table=table(shown, own))


def _by_article(statements: Sequence[Statement], *, source: str) -> Exhibit:
    rows, bars = [], []
    for article in ARTICLES:
        found = Counter(item.verdict for item in statements if item.article == article)
        tested = sum(found.values()) - found["not checkable"]
        name = _title(article)
        rows.append((article, name, *(found[verdict] for verdict in VERDICTS)))
        bars.append((name, found["supported"], f"{found['supported']} of {tested} tested", bool(tested)))
    holds, tested = sum(row[2] for row in rows), sum(sum(row[2:5]) for row in rows)
    title = f"{holds} of the {tested} statements that can be tested hold"
    chart = _bars(
        bars,
        title=title,
        subtitle="Statements that hold, by article, of those that a view or a published figure tests.",
        alt=f"{title}: " + "; ".join(f"{name}, {words}" for name, _, words, _ in bars) + ".",
        source=source,
    )
    columns = (
        Column(name="article", label="Article", kind="text"),
        Column(name="title", label="Title", kind="text"),
        *(Column(name=name.replace(" ", "_"), label=words) for name, words in _WORDS.items()),
    )
    return Exhibit(chart=chart, table=Table(columns=columns, rows=tuple(rows)))


def _contradictions(
    statements: Sequence[Statement], everything: Sequence[Statement], *, source: str
) -> tuple[Exhibit, ...]:
    """Return the statements that contradict each other side by side; nothing where none is shown."""
    by_id = {item.claim_id: item for item in everything}
    shown = {item.claim_id for item in statements}
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
        sides = f"{one.claim_id} {one.verdict}, {other.claim_id} {other.verdict}"
        bars.append((wording.sentence_case(pair["about"]), holding, sides, True))
    verb = "contradict" if len(rows) > 1 else "contradicts"
    title = f"{wording.counted(len(rows), 'pair')} of statements {verb} each other"
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
        Column(name=name, label=label, kind="text") for name, label in zip(names, labels, strict=True)
    )
    return (Exhibit(chart=chart, table=Table(columns=columns, rows=tuple(rows))),)


def _figures(statements: Sequence[Statement]) -> tuple[Figure, ...]:
    found = Counter(item.verdict for item in statements)
    return tuple(
        Figure(
            name=f"n_{name.replace(' ', '_')}",
            label=words,
            value=float(found[name]),
            unit="",
            text=f"{found[name]}",
            interval_text=f"of {len(statements)}",
            n=len(statements),
        )
        for name, words in _WORDS.items()
    )


def _sources() -> tuple[Source, ...]:
    sources = contract.read_table(contract.DIRECTORY / "sources.csv", table="sources").set_index("source_id")
    lines = [sources.loc[name] for name in ARTICLES.values()]
    articles = tuple(
        Source(
            title=str(line["title"]),
            publisher=str(line["publisher"]),
            url=str(line["url"]),
            licence=str(line["licence"]),
        )
        for line in lines
    )
    return (EPOCH_AI, CURATION, *articles)


def build(settings: ClaimSettings, release: Release) -> Finding:
    """Return the statements with their verdicts, how many hold, and which contradict each other."""
    everything = judged(release)
    statements = chosen(everything, settings)
    wanted = settings.verdict.replace("-", " ")
    shown = tuple(item for item in statements if wanted in ("all", item.verdict))
    own = _own(settings, release)
    said = summary(statements, settings)
    source = (
        f"{wording.counted(len(shown), 'statement')} shown, {'every verdict' if wanted == 'all' else wanted}. "
        f"Data: Epoch AI (CC BY 4.0), curated, release {release.name}; published figures."
    )
    notes = []
    if own:
        notes.append(f"{said}.")
    if not shown:
        notes.append("No statement fits; choose all articles and topics, every verdict, or fewer words.")
    resting = Counter(item.tested_by for item in statements if item.parts)
    if resting:
        kinds = ", ".join(f"{count} by {kind}" for kind, count in resting.most_common())
        notes.append(f"Tested {kinds}; the table marks which.")
    notes.append("An article's statement is in our words; what cannot be checked is not thereby wrong.")
    return Finding(
        headline=own.headline if own else said,
        figures=(*((own.figure,) if own else ()), *_figures(statements)),
        exhibits=(
            _by_verdict(statements, shown, own, title=said, source=source),
            *((_by_article(statements, source=source),) if settings.article == "all" and statements else ()),
            *_contradictions(statements, everything, source=source),
        ),
        settings_line=source,
        notes=tuple(notes),
        sources=_sources(),
    )


VIEW = View(
    path="/claims",
    title="Claims",
    question="Which published statements hold?",
    settings=ClaimSettings,
    build=build,
    table_first=True,
    method=(
        "Each statement that a view can test carries that view's link, the number it is held against, and a "
        "test. The verdict is computed from them at the chosen release, so a new release can change it. Where "
        "no view speaks but a published figure does, that figure is used. The table says which it was: our data, our "
        "model of hardware and work, or a published figure.",
        "A number given as “about” is supported inside our interval or within a tenth of our value (specifications: "
        "within 1 %), off up to a factor of two, wrong beyond. Growth rates are compared by their logarithms. "
        "“More than” and “less than” are supported when all of our interval is on that side. A direction "
        "(grows, falls) is off where our interval reaches both sides, wrong on the other side. A statement with "
        "several tests takes their common verdict; where they differ it is off: it depends.",
        "Statements that no view and no published figure here can test are not checkable; the reason column then "
        "gives what public sources said when the list was made. The column “judged by hand earlier” is from that "
        "time and changes nothing.",
    ),
)
