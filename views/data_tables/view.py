"""Settings and finding of /data: the chosen table or row, and the table's completeness."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from charts.chart import Bar
from data import contract, sources, standing
from data.by_release import ByRelease
from data.changes import cell_changes
from data.release_name import corrected
from data.releases import Release, before, beside, load, names, reference
from views import wording, written
from views.data_tables.row import LINK_COLUMNS, heading, key_of, main_columns, row_finding, row_of
from views.exhibits import ValueAxis, bars_exhibit, count_figure
from views.kept import kept
from views.result import Cell, Column, Figure, Table
from views.settings import choice, text
from views.view import Finding, ReleaseSettings, View

PREVIOUS = "previous"
MOST_NAMES = 3
"""Maximum number of leading columns that identify a row, such as name, vendor and model."""
MOST_SUBTITLE = 38
MOST_QUOTED = 6
"""Maximum number of search words in a headline."""
WORDS = written.toml(__file__, name="words.toml")
SETTING_WORDS = written.settings(__file__)
TABLES: Mapping[str, str] = WORDS["tables"]
"""Descriptions of the rows of each table in a release, keyed by option."""
DATED = {"training-runs": "published_on", "accelerators": "released_on"}
"""Column by which a table's rows are sorted, newest first, keyed by option."""
STANDING = ByRelease(lambda: {name.replace("_", "-"): name for name in standing.names()})
"""Names of the tables outside the releases, keyed by option."""
TITLES: Mapping[str, str] = WORDS["titles"]
"""Titles of tables whose option is unclear, keyed by option."""


def _label(word: str) -> str:
    """Return a table's displayed title: KV cache by model."""
    return TITLES.get(word) or wording.sentence_case(word.replace("-", " "))


def _meaning(word: str) -> str:
    return TABLES[word] if word in TABLES else standing.description(STANDING[word])


def _tables() -> list[str]:
    """Return the options of all tables, most used first."""
    every = [*TABLES, *STANDING]
    first = [word for word in WORDS["first"] if word in every]
    return [*first, *(word for word in every if word not in first)]


@dataclass(frozen=True, kw_only=True)
class DataSettings(ReleaseSettings):
    """Settings of /data: the table, the selected rows, and the release to compare with."""

    table: str = choice(
        "training-runs",
        computed=ByRelease(lambda: {word: (_label(word), _meaning(word)) for word in _tables()}),
        **SETTING_WORDS["table"],
    )
    find: str = text(**SETTING_WORDS["find"])
    row: str = text(longest=120, **SETTING_WORDS["row"])
    against: str = choice(
        PREVIOUS,
        computed=lambda: {name: (wording.release_words(name), f"the release of {name}") for name in names()},
        **SETTING_WORDS["against"],
    )


def _earlier(release: Release, settings: DataSettings) -> Release:
    if settings.against != PREVIOUS:
        return load(settings.against)
    if release.origin == "curated" and corrected(release.name):
        return load(corrected(release.name))
    return load((before(release.stands_on) if release.origin == "curated" else "") or reference())


@dataclass(frozen=True, kw_only=True, eq=False)
class SearchableRows:
    """A table with searchable text for each row: its names, all its words, and all its words and links."""

    frame: pd.DataFrame
    searched: tuple[tuple[str, ...], ...]


def _rows(release: Release, settings: DataSettings) -> SearchableRows:
    if settings.table == "changes":
        return searchable(cell_changes(before=_earlier(release, settings), after=release))
    return _searchable(release, settings.table)


@kept
def _searchable(release: Release, table: str) -> SearchableRows:
    return searchable(_frame(release, table))


def _frame(release: Release, table: str) -> pd.DataFrame:
    if date := DATED.get(table):
        rows = getattr(release, table.replace("-", "_"))
        return rows.sort_values([date, "name"], ascending=[False, True], kind="stable", ignore_index=True)
    if table == "sources":
        return sources.table()
    rows = standing.table(STANDING[table]) if table in STANDING else getattr(release, table)
    if "source_id" not in rows:
        return rows
    return rows.merge(sources.table().loc[:, ["source_id", "url"]], on="source_id", how="left")


def searchable(frame: pd.DataFrame) -> SearchableRows:
    """Return each row with its searchable text: every cell except numbers, one per line, case-folded."""
    texts = {str(name): values for name, values in frame.items() if values.dtype.kind not in "biuf"}
    links = LINK_COLUMNS & set(texts)
    names = [name for name in texts if name not in links][:MOST_NAMES]
    parts = names, [name for name in texts if name not in links], list(texts)
    searched = []
    for columns in parts:
        cells = [texts[name].astype(str).fillna("").tolist() for name in columns]
        lines = map("\n".join, zip(*cells, strict=True)) if cells else [""] * len(frame)
        searched.append(tuple(line.casefold() for line in lines))
    return SearchableRows(frame=frame, searched=tuple(searched))


def matching_rows(rows: SearchableRows, words: str) -> pd.DataFrame:
    """Return the rows that contain all words. Matches in names come first, those in links last."""
    wanted = words.casefold().split()
    if not wanted:
        return rows.frame
    named, written_in, linked = (
        [all(word in text for word in wanted) for text in texts] for texts in rows.searched
    )
    hits = rows.frame.loc[written_in if any(written_in) else linked]
    by_name = pd.Series(named, index=rows.frame.index).loc[hits.index]
    return pd.concat([hits.loc[by_name], hits.loc[~by_name]])


def _kind(values: pd.Series) -> str:
    if values.name in LINK_COLUMNS:
        return "link"
    kind = values.dtype.kind
    if kind in "iuf":
        return "scientific" if np.any(values.to_numpy() >= 1e6) else "number"
    return "date" if kind == "M" else "text"


def _cells(values: pd.Series, kind: str) -> list[Cell]:
    if kind == "date":
        return values.dt.strftime("%Y-%m-%d").fillna("").tolist()
    if kind in ("number", "scientific"):
        return [None if number != number else number for number in values.astype("float64").tolist()]
    return [str(value).lower() if isinstance(value, bool) else str(value) for value in values.tolist()]


def as_table(frame: pd.DataFrame, *, units: dict[str, str], table: str = "") -> Table:
    """Return a data frame as a table, main columns first. ``units`` are keyed by column.

    The key of a ``table`` links to the page of each row. A column with unit 1 is a share if no value exceeds 1;
    otherwise it is a count or a factor, which is not formatted as a percentage.
    """
    main = main_columns(table, frame)
    key = key_of(table, frame)
    shown = frame.loc[:, [*main, *(name for name in frame if name not in main)]]
    kinds = {str(name): _kind(values) for name, values in shown.items()}
    counts = {
        name
        for name, values in shown.items()
        if units.get(str(name)) == "1" and values.dtype.kind in "iuf" and np.any(values.to_numpy() > 1)
    }
    columns = tuple(
        Column(
            name=name,
            label=heading(name, unit=units.get(name, "")),
            unit="" if name in counts else units.get(name, ""),
            kind=kind,
            rows=table.replace("_", "-") if name == key else "",
            more=name not in main,
        )
        for name, kind in kinds.items()
    )
    cells = [_cells(values, kinds[str(name)]) for name, values in shown.items()]
    return Table(columns=columns, rows=tuple(zip(*cells, strict=True)))


def _headline(settings: DataSettings, count: int, *, release: Release, earlier: str) -> str:
    """Return a headline on a table's size: 195 accelerators are listed in release 2026-07."""
    if settings.table in STANDING:
        return f"“{_label(settings.table)}” has {wording.counted(count, 'row')}"
    one, many, where = WORDS["headlines"][settings.table]
    named = where.format(release=release.words, earlier=earlier, name=release.name)
    return f"{wording.counted(count, one, plural=many)} {named}"


def _subtitle(settings: DataSettings, *, earlier: str, release: Release) -> str:
    """Return a sentence on what a row of the table stands for."""
    if settings.table == "changes":
        return f"The table lists every value that differs between release {earlier} and {release.name}."
    words = _meaning(settings.table).split()
    cut = " ".join(words if len(words) <= MOST_SUBTITLE else [*words[:MOST_SUBTITLE], "…"])
    return f"{wording.sentence_case(cut).rstrip('.')}."


def _figure(name: str, label: str, *, count: int, note: str) -> Figure:
    return count_figure(name, count, label=label, text=f"{count:,}", interval_text=note, n=count, key=True)


def build(settings: DataSettings, release: Release) -> Finding:
    """Return a finding with the chosen table and its completeness."""
    rows, schema = _rows(release, settings), settings.table.replace("-", "_")
    words = f"Table “{_label(settings.table)}”. Data: Epoch AI (CC BY 4.0), curated, {release.words}."
    if settings.table in STANDING:
        words = (
            f"Table “{_label(settings.table)}”: our own, with a source in every row, beside {release.words}."
        )
    if settings.row and not settings.find:
        if row := row_of(rows.frame, table=schema, name=settings.row, release=release):
            return row_finding(row, title=_label(settings.table), words=words)
        settings = replace(settings, find=settings.row)
    everything, frame = rows.frame, matching_rows(rows, settings.find)
    earlier = _earlier(release, settings).name
    headline = _headline(settings, len(everything), release=release, earlier=earlier)
    if settings.find:
        quoted = settings.find.split()
        find = " ".join([*quoted[:MOST_QUOTED], "…"] if len(quoted) > MOST_QUOTED else quoted)
        headline = f"{len(frame):,} of {wording.counted(len(everything), 'row')} match “{find}”"
    described = settings.table in (*DATED, *STANDING)
    units = (
        {name: contract.unit(schema, column=name) for name in contract.columns(schema)} if described else {}
    )
    main = frame[main_columns(schema, frame)]
    known = (main.notna() & main.ne("")).sum()
    of, changed = len(frame), release.corrections["row"]
    in_rows = wording.counted(len(set(changed)), "row")
    exhibit = bars_exhibit(
        tuple(
            Bar(
                label=heading(name, unit=units.get(name, "")),
                value=float(count),
                text=f"{count:,}" + (f" ({100 * count / of:.0f}%)" if of else ""),
                role="context",
                emphasised=True,
            )
            for name, count in zip(main, known.tolist(), strict=True)
        ),
        title=headline,
        subtitle="Bars show how many rows have each value.",
        source=words,
        axis=ValueAxis(title="Rows", word=lambda value: f"{value:,.0f}", span=(0.0, float(of))),
        numbers=as_table(frame, units=units, table=schema),
    )
    return Finding(
        headline=headline,
        figures=(
            _figure("n_rows", "Rows shown", count=len(frame), note=f"of {len(everything):,}"),
            _figure("n_corrections", "Values corrected", count=len(changed), note=f"in {in_rows}"),
            _figure("n_releases", "Releases", count=len(beside()), note=f"{beside()[0]} to {beside()[-1]}"),
        ),
        exhibits=(replace(exhibit, table_first=True),),
        settings_line=words,
        subtitle=_subtitle(settings, earlier=earlier, release=release),
        notes=() if len(frame) else ("No row contains these words. Shorten them, or choose another table.",),
        sure=(WORDS["sure"],),
    )


VIEW = View(settings=DataSettings, build=build, **written.page(__file__, path="/data"))
