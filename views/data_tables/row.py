"""One row of a table: its values, their sources, and their changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pandas as pd

from analysis.units import DAY_S, YEAR_S
from charts.chart import Bar
from data import contract, sources, standing
from data.releases import Release, before, load, reading
from views import wording, written
from views.exhibits import bars_exhibit, share_axis
from views.models import slug
from views.result import Card, CardLink, Column, Exhibit, Fact, Figure, Table
from views.view import Finding

WORDS = written.toml(__file__, name="words.toml")
PAGES = written.toml(written.__file__, name="pages.toml")
MAIN: Mapping[str, list[str]] = WORDS["main"]
"""Main columns of each table, most important first. A page shows the others on request."""
LINK_COLUMNS = frozenset({"link", "datasheet_link", "price_link", "url"})
UNKNOWN = "not known"
FEWEST_ROWS = 5
"""Minimum number of other rows with a value for a comparison within a column."""
MOST_FACTS, MOST_NAME = 9, 60
COLUMNS = (
    Column(name="column", label="Column", kind="text"),
    Column(name="reads", label="Value", kind="link"),
    Column(name="value", label="In files", kind="text"),
    Column(name="unit", label="Unit", kind="text"),
)


def heading(name: str, *, unit: str) -> str:
    """Return a column's name without its unit, which is shown beside it."""
    words = name.replace("_", " ")
    suffix = unit.replace("/", " per ").casefold()
    plain = wording.sentence_case(words.removesuffix(f" {suffix}") if suffix else words)
    return WORDS["headings"].get(name, plain)


def key_of(table: str, frame: pd.DataFrame) -> str:
    """Return the column whose texts identify the rows. Empty if no single column does."""
    key = contract.schema(table).get("primaryKey") if table not in ("", "changes") else None
    return key if isinstance(key, str) and frame[key].dtype.kind not in "iuf" else ""


def main_columns(table: str, frame: pd.DataFrame) -> list[str]:
    """Return the columns to show first. By default, these are the leftmost columns and the source."""
    wanted = MAIN.get(table, [*frame.columns[:7], "confidence", "url"])
    return [name for name in dict.fromkeys(wanted) if name in frame]


@dataclass(frozen=True, kw_only=True, eq=False)
class TableRow:
    """One row of a release's table, and the other rows for comparison."""

    table: str
    key: str
    frame: pd.DataFrame
    values: dict[str, Any]
    release: Release

    @property
    def names(self) -> list[str]:
        """Return the columns by which readers identify the row, such as accelerator and provider."""
        return WORDS["named"].get(self.table, [self.key])

    @cached_property
    def known(self) -> dict[str, str]:
        """Return the row's known values as displayed, keyed by column."""
        return {name: text for name in self.values if (text := self.reads(name)) != UNKNOWN}

    @cached_property
    def main(self) -> list[str]:
        """Return the main columns that have a value, except the row's names, source and confidence."""
        others = {*self.names, self.key, *LINK_COLUMNS, "confidence"}
        return [name for name in main_columns(self.table, self.frame) if name in self.known.keys() - others]

    @cached_property
    def numbers(self) -> list[str]:
        """Return the numeric columns with a value, main columns first."""
        every = dict.fromkeys([*self.main, *self.known])
        return [name for name in every if isinstance(self.values[name], float)]

    def unit(self, name: str) -> str:
        """Return a column's unit. Empty for a column joined from another table."""
        known = name in contract.columns(self.table)
        return contract.unit(self.table, column=name) if known else ""

    def heading(self, name: str) -> str:
        """Return a column's displayed name."""
        return heading(name, unit=self.unit(name))

    def reads(self, name: str, value: object = None) -> str:
        """Return a value as displayed, by default the row's own: 4.8 TB/s, 405 billion, $2.50 per h."""
        value = self.values.get(name, "") if value is None else value
        if isinstance(value, pd.Timestamp):
            return f"{value:%Y-%m-%d}"
        if str(value) in ("True", "False"):
            return "yes" if value else "no"
        if not isinstance(value, float) or value != value:
            return str(value) if isinstance(value, str) and value else UNKNOWN
        unit, in_words = self.unit(name), wording.multiple(value).removesuffix(" ×")
        if unit.startswith("USD"):
            dollars = in_words if value >= 1e6 else f"{value:,.2f}".removesuffix(".00")
            return f"${dollars}{unit.removeprefix('USD').replace('/', ' per ')}"
        if unit == "s" and value >= DAY_S:
            return wording.duration(value / YEAR_S)
        if unit == "1" and not (self.frame[name] > 1).to_numpy().any():
            return f"{100 * value:.3g}%"
        if unit in ("1", "datapoint", "token") and value >= 1e6:
            return in_words
        if unit in ("1", "token"):
            return f"{value:,.0f} {unit}s".removesuffix(" 1s") if value == int(value) else f"{value:.4g}"
        return wording.quantity(value, unit)

    def moved(self, name: str, was: object, *, note: str = "") -> Fact:
        """Return a fact with a column's old and new values."""
        return Fact(label=self.heading(name), text=f"{self.reads(name, was)} → {self.reads(name)}", note=note)


def row_of(frame: pd.DataFrame, *, table: str, name: str, release: Release) -> TableRow | None:
    """Return the row with this name or, for a chip, this product name. None if there is no such row."""
    key, lines = key_of(table, frame), frame.to_dict("records")
    same = [line for line in lines if key and line[key] == name]
    same = same or [line for line in lines if line.get("product") == name and line["representative"]]
    return TableRow(table=table, key=key, frame=frame, values=same[0], release=release) if same else None


def row_finding(row: TableRow, *, title: str, words: str) -> Finding:
    """Return a finding on a row: its values, source and corrections, and the pages that use it."""
    name = ", ".join(row.reads(one) for one in row.names)
    short = name if len(name) <= MOST_NAME else f"{name[:MOST_NAME].rpartition(' ')[0]} …"
    numbers = row.numbers[: sum(column in row.main for column in row.numbers)]
    first = [f"{short}: {wording.small_initial(row.heading(one))} {row.reads(one)}" for one in numbers[:1]]
    headline = short if row.names == ["statement"] else wording.fitting(*first, short)
    reason = str(row.values.get("exclusion_reason", ""))
    left_out = row.values.get("representative", True) is False or row.values.get("status") == "announced"
    return Finding(
        headline=headline,
        figures=tuple(
            Figure(
                name=column,
                label=row.heading(column),
                value=row.values[column],
                unit=row.unit(column),
                text=row.reads(column),
                key=column in numbers[:3],
            )
            for column in row.numbers
        ),
        cards=(
            Card(name="values", title="Values", facts=tuple(_facts(row, row.main[:MOST_FACTS]))),
            _source_card(row),
            *_corrections_card(row),
            *_before_card(row),
            *_pages_card(row),
        ),
        exhibits=(_exhibit(row, title=headline, words=words),),
        settings_line=words,
        subtitle=f"One row of the table “{title}” in {row.release.words}.",
        notes=(
            *([f"It is excluded from the trends: {reason.rstrip('.')}."] if reason else []),
            *(
                ["It is in no trend, because it is only announced or is the same product as another row."]
                * left_out
            ),
        ),
    )


def _facts(row: TableRow, names: Sequence[str]) -> list[Fact]:
    return [Fact(label=row.heading(name), text=row.known[name]) for name in names if name in row.known]


def _source_card(row: TableRow) -> Card:
    """Return a card with the row's source, confidence and links."""
    publisher = sources.table().set_index("source_id")["publisher"].get(str(row.values.get("source_id")), "")
    facts = _facts(row, ["estimate", *(["locator"] if "//" not in row.reads("locator") else [])])
    if grade := standing.rows("confidence_grades", "grade").get(str(row.values.get("confidence"))):
        within = f"compute within {grade['within_factor']:g}×" if row.table == "training_runs" else ""
        facts[:0] = [Fact(label="Confidence", text=WORDS["confidence"][grade["grade"]], note=within)]
    return Card(
        name="source",
        title=f"Source: {publisher}" if publisher else "Source",
        facts=tuple(facts),
        text=str(row.values.get("note", "")),
        links=tuple(
            CardLink(address=str(row.values[name]), text=row.heading(name))
            for name in sorted(LINK_COLUMNS & set(row.frame))
            if str(row.values[name]).startswith("http")
        ),
    )


def _corrections_card(row: TableRow) -> list[Card]:
    """Return a card with corrected values and the reasons. Empty if nothing was corrected."""
    lines = row.release.corrections
    lines = lines.loc[(lines["table"] == row.table) & (lines["row"] == row.values[row.key])]
    facts = [
        row.moved(field, float(was) if was and field in row.numbers else was, note=reason)
        for field, was, reason in zip(lines["field"], lines["was"], lines["reason"], strict=True)
    ]
    title = f"{wording.counted(len(facts), 'value')} corrected"
    return [Card(name="corrections", title=title, tone="part", facts=tuple(facts))] if facts else []


def _before_card(row: TableRow) -> list[Card]:
    """Return a card with the row's previous values. Empty if nothing changed."""
    earlier = before(row.release.stands_on)
    frame = getattr(load(earlier), row.table, None) if earlier else None
    if earlier and frame is None:
        with reading(earlier):
            frame = standing.table(row.table) if row.table in standing.names() else None
    if frame is None or row.key not in frame:
        return []
    rows = frame.loc[frame[row.key] == row.values[row.key]].to_dict("records")
    changed = [
        row.moved(name, value)
        for name, value in (rows[0] if rows else {}).items()
        if name in row.frame and row.reads(name, value) != row.reads(name)
    ]
    text = "" if changed else "Every value was the same." if rows else "The row did not exist."
    return [Card(name="before", title=f"In release {earlier}", facts=tuple(changed), text=text)]


def _pages_card(row: TableRow) -> list[Card]:
    """Return a card with links to the pages that use the table or the row's chip."""
    links = [CardLink(address=path, text=PAGES[path]["title"]) for path in WORDS["pages"].get(row.table, ())]
    chip = standing.rows("chip_links", "product").get(str(row.values.get("product")), {})
    trains = chip.get("kind") == "HBM" and slug(chip["product"])
    words = {"/training-run?accelerator": trains, "/latency-floor?chip": chip.get("word")}
    links += [CardLink(address=f"{to}={word}", text=WORDS["opens"][to]) for to, word in words.items() if word]
    return [Card(name="pages", title="Pages that use it", links=tuple(links))] if links else []


def _exhibit(row: TableRow, *, title: str, words: str) -> Exhibit:
    """Return an exhibit that compares the row's numbers with those of other rows."""
    bars = []
    for name in row.numbers:
        others = row.frame.loc[row.frame[row.key] != row.values[row.key], name].dropna()
        if len(others) >= FEWEST_ROWS and len(bars) < MOST_FACTS:
            below = float((others < row.values[name]).mean())
            text = f"{row.reads(name)}, above {wording.share(below)} of {len(others)}"
            bars.append(Bar(label=row.heading(name), value=below, text=text, role="context"))
    named = replace(COLUMNS[0], words={name: row.heading(name) for name in row.known})
    stored = {
        name: value if isinstance(value, float) else str(value).removesuffix(" 00:00:00")
        for name, value in row.values.items()
    }
    lines = [(name, text, stored[name], row.unit(name)) for name, text in row.known.items()]
    exhibit = bars_exhibit(
        tuple(bars),
        title=f"{bars[0].label} {bars[0].text} other rows" if bars else title,
        subtitle="Bars show the share of other rows with a lower value.",
        source=words,
        axis=share_axis("Rows with a lower value"),
        numbers=Table(columns=(named, *COLUMNS[1:]), rows=tuple(lines)),
    )
    return replace(exhibit, table_first=True)
