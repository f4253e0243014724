"""Which rows, from where, and what was corrected?"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from charts.chart import Bar
from data import contract, sources, standing
from data.by_release import ByRelease
from data.changes import cell_changes
from data.release_name import corrected, order
from data.releases import Release, beside, load, names, reference
from views import wording, written
from views.exhibits import ValueAxis, bars_exhibit, count_figure
from views.kept import kept
from views.result import Cell, Column, Figure, Table
from views.settings import choice, text
from views.view import Finding, ReleaseSettings, View

PREVIOUS = "previous"
MOST_BARS = 14
MOST_SUBTITLE = 38
MOST_QUOTED = 6
"""Words of a reader's search that a headline repeats."""
LINK_COLUMNS = frozenset({"link", "datasheet_link", "price_link", "url"})
WORDS = written.toml(__file__, name="words.toml")
SETTING_WORDS = written.settings(__file__)
TABLES: Mapping[str, str] = WORDS["tables"]
"""What a row of each table of a release is, by its word in a link."""
COUNTED_BY = {"corrections": "field", "changes": "field", "exclusions": "table", "sources": "publisher"}
"""The column whose values are counted in tables without a schema."""
STANDING = ByRelease(lambda: {name.replace("_", "-"): name for name in standing.names()})
"""Tables that belong to no release, by their word in a link."""
HEADINGS: Mapping[str, str] = WORDS["headings"]
"""Headings of columns whose name does not say plainly what they hold."""
TITLES: Mapping[str, str] = WORDS["titles"]
"""Titles of tables whose word in a link does not say plainly what they hold."""


def _label(word: str) -> str:
    """Return the title of a table as a reader picks it: KV cache by model."""
    return TITLES.get(word) or wording.sentence_case(word.replace("-", " "))


@dataclass(frozen=True, kw_only=True)
class DataSettings(ReleaseSettings):
    """Which table, which rows of it, and what to compare it with."""

    table: str = choice(
        "training-runs",
        computed=ByRelease(
            lambda: {
                **{word: (_label(word), meaning) for word, meaning in TABLES.items()},
                **{word: (_label(word), standing.description(name)) for word, name in STANDING.items()},
            }
        ),
        **SETTING_WORDS["table"],
    )
    find: str = text(**SETTING_WORDS["find"])
    against: str = choice(
        PREVIOUS,
        computed=lambda: {name: (wording.release_words(name), f"the release of {name}") for name in names()},
        **SETTING_WORDS["against"],
    )

    def applies(self, name: str) -> bool:
        """Return whether a setting can change the result: what is compared with only in the table of changes."""
        return super().applies(name) and (name != "against" or self.table == "changes")


def _earlier(release: Release, settings: DataSettings) -> Release:
    if settings.against != PREVIOUS:
        return load(settings.against)
    if release.origin == "curated" and corrected(release.name):
        return load(corrected(release.name))
    older = [name for name in beside() if order(name) < order(release.stands_on)]
    return load(older[-1] if older and release.origin == "curated" else reference())


@dataclass(frozen=True, kw_only=True, eq=False)
class SearchableRows:
    """A table, and for each of its rows the text that is searched, case folded."""

    frame: pd.DataFrame
    searched: tuple[str, ...]


def _rows(release: Release, settings: DataSettings) -> SearchableRows:
    if settings.table == "changes":
        return searchable(cell_changes(before=_earlier(release, settings), after=release))
    return _searchable(release, settings.table)


@kept
def _searchable(release: Release, table: str) -> SearchableRows:
    return searchable(_frame(release, table))


def _frame(release: Release, table: str) -> pd.DataFrame:
    if table == "training-runs":
        return _newest_first(release.training_runs, "published_on")
    if table == "accelerators":
        return _newest_first(release.accelerators, "released_on")
    if table == "sources":
        return sources.table()
    rows = {"corrections": release.corrections, "exclusions": release.exclusions}.get(table)
    if rows is None:
        rows = standing.table(STANDING[table])
    if "source_id" not in rows:
        return rows
    return rows.merge(sources.table().loc[:, ["source_id", "url"]], on="source_id", how="left")


def _newest_first(frame: pd.DataFrame, date: str) -> pd.DataFrame:
    return frame.sort_values([date, "name"], ascending=[False, True], kind="stable", ignore_index=True)


def searchable(frame: pd.DataFrame) -> SearchableRows:
    """Return the rows with the text of each: every cell that is no number, a line each, case folded."""
    columns = (values for _, values in frame.items() if values.dtype.kind not in "biuf")
    texts = [values.astype(str).fillna("").tolist() for values in columns]
    lines = map("\n".join, zip(*texts, strict=True)) if texts else [""] * len(frame)
    return SearchableRows(frame=frame, searched=tuple(line.casefold() for line in lines))


def found_rows(rows: SearchableRows, words: str) -> pd.DataFrame:
    """Return the rows that hold every one of the words somewhere, in any case."""
    wanted = words.casefold().split()
    if not wanted:
        return rows.frame
    return rows.frame.loc[[all(word in text for word in wanted) for text in rows.searched]]


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


def _heading(name: str, *, unit: str) -> str:
    """Return a column's name in words, without the unit that is shown beside it."""
    if name in HEADINGS:
        return HEADINGS[name]
    words = name.replace("_", " ")
    suffix = unit.replace("/", " per ").casefold()
    return wording.sentence_case(words.removesuffix(f" {suffix}") if suffix else words)


def _sources_first(columns: dict[str, pd.Series]) -> dict[str, pd.Series]:
    """Return the columns with the link to each row's source beside its name: a reader need not scroll for it."""
    name, *_ = columns
    order = dict.fromkeys([name, *(link for link in ("link", "url") if link in columns), *columns])
    return {name: columns[name] for name in order}


def as_table(frame: pd.DataFrame, *, units: dict[str, str]) -> Table:
    """Return a data frame as a table, units by column name.

    A number without a unit is a share where none is above 1, and a count or a factor else, which has no percentages.
    """
    shown = _sources_first({str(name): values for name, values in frame.items()})
    kinds = {name: _kind(values) for name, values in shown.items()}
    counts = {
        name
        for name, values in shown.items()
        if units.get(name) == "1" and values.dtype.kind in "iuf" and np.any(values.to_numpy() > 1)
    }
    columns = tuple(
        Column(
            name=name,
            label=_heading(name, unit=units.get(name, "")),
            unit="" if name in counts else units.get(name, ""),
            kind=kind,
        )
        for name, kind in kinds.items()
    )
    cells = [_cells(values, kinds[name]) for name, values in shown.items()]
    return Table(columns=columns, rows=tuple(zip(*cells, strict=True)))


def _complete(frame: pd.DataFrame, units: Mapping[str, str]) -> list[tuple[str, int]]:
    """Return the numeric columns in words, and how many rows have each, the fullest first."""
    known = frame.select_dtypes("float").notna().sum().sort_values(ascending=False, kind="stable")
    return [
        (_heading(str(name), unit=units.get(str(name), "")), int(count))
        for name, count in known.head(MOST_BARS).items()
    ]


def _headline(settings: DataSettings, frame: pd.DataFrame, *, release: Release, earlier: str) -> str:
    rows = len(frame)
    if settings.table in STANDING:
        return f"{_label(settings.table)}: {wording.counted(rows, 'row')}"
    changed = wording.counted(rows, "value differs", plural="values differ")
    return {
        "training-runs": f"{wording.counted(rows, 'training run')} in {release.words}",
        "accelerators": f"{wording.counted(rows, 'accelerator listing')} in {release.words}",
        "corrections": f"{wording.counted(rows, 'value')} of the export corrected in {release.words}",
        "exclusions": f"{wording.counted(rows, 'row')} kept out of the trends in {release.words}",
        "changes": f"{changed} between {earlier} and {release.name}",
        "sources": f"{wording.counted(rows, 'source')} behind the rows",
    }[settings.table]


def _subtitle(settings: DataSettings, *, earlier: str, release: Release) -> str:
    """Return what a row of the table is, as a sentence."""
    if settings.table == "changes":
        return f"Every value that differs between release {earlier} and {release.name}."
    meaning = (
        standing.description(STANDING[settings.table])
        if settings.table in STANDING
        else TABLES[settings.table]
    )
    words = meaning.split()
    cut = meaning if len(words) <= MOST_SUBTITLE else f"{' '.join(words[:MOST_SUBTITLE])} …"
    return f"{wording.sentence_case(cut).rstrip('.')}."


def _figure(name: str, label: str, *, count: int, note: str) -> Figure:
    return count_figure(name, count, label=label, text=f"{count:,}", interval_text=note, n=count, key=True)


def build(settings: DataSettings, release: Release) -> Finding:
    """Return the chosen table, and how complete it is."""
    rows = _rows(release, settings)
    everything, frame = rows.frame, found_rows(rows, settings.find)
    earlier = _earlier(release, settings).name if settings.table == "changes" else ""
    headline = _headline(settings, everything, release=release, earlier=earlier)
    if settings.find:
        quoted = settings.find.split()
        find = " ".join([*quoted[:MOST_QUOTED], "…"] if len(quoted) > MOST_QUOTED else quoted)
        headline = f"{len(frame):,} of {wording.counted(len(everything), 'row')} match “{find}”"
    words = f"Table “{_label(settings.table)}”. Data: Epoch AI (CC BY 4.0), curated, {release.words}."
    if settings.table in STANDING:
        words = (
            f"Table “{_label(settings.table)}”: our own, with a source in every row, beside {release.words}."
        )
    units: dict[str, str] = {}
    if settings.table in ("training-runs", "accelerators", *STANDING):
        schema = settings.table.replace("-", "_")
        units = {name: contract.unit(schema, column=name) for name in contract.columns(schema)}
        counts, subtitle = _complete(frame, units), "How many of the rows have each value."
    else:
        by = COUNTED_BY[settings.table]
        counts = Counter(frame[by].astype(str)).most_common(MOST_BARS)
        subtitle = f"Rows by {by}."
    changed = release.corrections["row"]
    of = len(frame)
    exhibit = bars_exhibit(
        tuple(
            Bar(
                label=name.replace("_", " "),
                value=float(count),
                text=f"{count:,}" + (f" ({100 * count / of:.0f} %)" if of else ""),
                role="context",
                emphasised=True,
            )
            for name, count in counts
        ),
        title=headline,
        subtitle=subtitle,
        alt=f"{headline}. " + "; ".join(f"{name}: {count}" for name, count in counts[:5]),
        source=words,
        axis=ValueAxis(title="Rows", word=lambda value: f"{value:,.0f}", span=(0.0, float(of))),
        numbers=as_table(frame, units=units),
    )
    return Finding(
        headline=headline,
        figures=(
            _figure("n_rows", "Rows shown", count=len(frame), note=f"of {len(everything):,}"),
            _figure(
                "n_corrections",
                "Values corrected",
                count=len(changed),
                note=f"in {wording.counted(len(set(changed)), 'row')}",
            ),
            _figure("n_releases", "Releases", count=len(beside()), note=f"{beside()[0]} to {beside()[-1]}"),
        ),
        exhibits=(replace(exhibit, table_first=True),),
        settings_line=words,
        subtitle=_subtitle(settings, earlier=earlier, release=release),
        notes=() if len(frame) else ("No row holds these words; shorten them, or choose another table.",),
        sure=(
            "Only facts are taken over from Epoch AI; every value we changed is in the table of corrections, with "
            "reason and source.",
        ),
    )


VIEW = View(settings=DataSettings, build=build, **written.page(__file__, path="/data"))
