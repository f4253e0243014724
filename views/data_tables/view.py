"""Which rows, from where, and what was corrected?"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from charts.chart import Bar, BarChart
from data import contract, sources, standing
from data.by_release import ByRelease
from data.changes import cell_changes
from data.release_name import corrected, order
from data.releases import Release, beside, load, names, reference
from views import wording, written
from views.axes import linear_axis
from views.kept import kept
from views.result import Cell, Column, Exhibit, Figure, Table
from views.settings import choice, text
from views.view import Finding, ReleaseSettings, View

PREVIOUS = "previous"
MOST_BARS = 14
MOST_SUBTITLE = 38
MOST_QUOTED = 6
"""Words of a reader's search that a headline repeats."""
LINK_COLUMNS = frozenset({"link", "datasheet_link", "price_link", "url"})
TABLES = {
    "training-runs": "one row per model: compute, parameters, data, hardware, cost, source",
    "accelerators": "one row per listed chip: memory, throughput, links, power, price, source",
    "corrections": "every value we changed in the export, with reason and source",
    "exclusions": "rows kept out of the trends, with the reason",
    "changes": "every value that differs from the release compared with",
    "sources": "what the rows were taken from",
}
STANDING = ByRelease(lambda: {name.replace("_", "-"): name for name in standing.names()})
"""Tables that belong to no release, by their word in a link."""
HEADINGS = {
    "n_parameters": "Parameters",
    "n_active_parameters": "Active parameters",
    "n_layers": "Layers",
    "mfu": "MFU",
    "hfu": "HFU",
    "hardware": "Chip",
    "hardware_quantity": "Number of chips",
    "training_cost_usd_2023": "Training cost",
    "finetune_compute_flop": "Fine-tuning compute",
    "published_on": "Published",
    "released_on": "Released",
    "organisation": "Organization",
    "quantisation": "Quantization",
    "source_id": "Source",
    "url": "Address",
    "frontier_flag": "Frontier by Epoch AI",
}
"""Headings of columns whose name does not say plainly what they hold."""
TITLES = {
    "architectures": "Model architectures",
    "blind-tests": "Blind tests of predictions",
    "chip-links": "Links between chips",
    "claim-contradictions": "Contradictions between claims",
    "claim-tests": "How claims are tested",
    "cloud-prices": "Cloud prices",
    "edge-devices": "Edge devices",
    "electricity": "Electricity prices",
    "landmarks": "Well-known runs and chips",
    "measured-decode": "Measured speed of one user",
    "measured-fine-tuning": "Measured speed of fine-tuning",
    "measured-serving": "Measured speed of serving",
    "measured-serving-points": "Measured times of serving",
    "memory-generations": "Memory generations",
    "model-names": "Names of models of the same shape",
    "published": "Published figures",
    "published-kv-cache": "KV cache by model",
    "published-llama-interruptions": "Interruptions of training Llama 3",
    "published-llama-training": "Training speed of Llama 3",
    "published-matmul": "Matrix-multiply rates by chip",
    "published-megatron": "Training speed of Megatron-LM",
    "published-speeds": "Published speed of one request",
    "published-training-rates": "Published training speeds",
    "published-zero": "Memory with ZeRO, by stage",
    "quantisation": "Quantization formats",
    "reference-places": "Options of edge or cloud",
    "same-die": "Chips with the same matrix units",
    "serving-tasks": "Prompts of MLPerf tasks",
    "training-kinds": "Kinds of training chips",
    "training-tokens": "Training tokens by model",
    "usual-devices": "Devices behind short names",
}
"""Titles of tables whose word in a link does not say plainly what they hold."""


def _label(word: str) -> str:
    """Return the title of a table as a reader picks it: KV cache by model."""
    return TITLES.get(word) or wording.sentence_case(word.replace("-", " "))


@dataclass(frozen=True, kw_only=True)
class DataSettings(ReleaseSettings):
    """Which table, which rows of it, and what to compare it with."""

    table: str = choice(
        "training-runs",
        ByRelease(
            lambda: {
                **{word: (_label(word), meaning) for word, meaning in TABLES.items()},
                **{word: (_label(word), standing.description(name)) for word, name in STANDING.items()},
            }
        ),
        label="Table",
        help="Which table is shown; the first five come with the release, the others are the same in all of them.",
        first_row=True,
    )
    find: str = text(
        label="Find",
        help="Shows only rows that contain these words, in capitals or small letters.",
        first_row=True,
    )
    against: str = choice(
        PREVIOUS,
        lambda: {
            PREVIOUS: ("Previous release", "the release before this one"),
            **{name: (wording.release_words(name), f"the release of {name}") for name in names()},
        },
        label="Compare with",
        help="The release that the table of changes compares with.",
        group="Data",
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


def _completeness(
    frame: pd.DataFrame, *, units: dict[str, str], source: str, title: str, subtitle: str
) -> BarChart:
    """Return how many rows have each value of the table."""
    numeric = frame.select_dtypes("float")
    counted = np.count_nonzero(~np.isnan(numeric.to_numpy()), axis=0).tolist()
    known = sorted(zip(map(str, numeric.columns), counted, strict=True), key=lambda item: -item[1])
    named = [(_heading(name, unit=units.get(name, "")), count) for name, count in known[:MOST_BARS]]
    return _counts(named, of=len(frame), source=source, title=title, subtitle=subtitle)


def _counts(
    counted: Sequence[tuple[str, int]], *, of: int, source: str, title: str, subtitle: str
) -> BarChart:
    return BarChart(
        title=title,
        subtitle=subtitle,
        alt=f"{title}. " + "; ".join(f"{name}: {count}" for name, count in counted[:5]),
        source=source,
        x=linear_axis(
            "Rows",
            [0.0, *(float(count) for _, count in counted), float(of)],
            word=lambda value: f"{value:,.0f}",
        ),
        base=0.0,
        bars=tuple(
            Bar(
                label=name.replace("_", " "),
                value=float(count),
                text=f"{count:,}" + (f" ({100 * count / of:.0f} %)" if of else ""),
                role="context",
                emphasised=True,
            )
            for name, count in counted
        ),
    )


def _headline(settings: DataSettings, frame: pd.DataFrame, *, release: Release, earlier: str) -> str:
    rows = len(frame)
    if settings.table in STANDING:
        return f"{_label(settings.table)}: {wording.counted(rows, 'row')}"
    changed = wording.counted(rows, "value differs", plural="values differ")
    return {
        "training-runs": f"{wording.counted(rows, 'training run')} in release {release.name}",
        "accelerators": f"{wording.counted(rows, 'accelerator listing')} in release {release.name}",
        "corrections": f"{wording.counted(rows, 'value')} of the export corrected in release {release.name}",
        "exclusions": f"{wording.counted(rows, 'row')} kept out of the trends in release {release.name}",
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
    words = f"Table “{_label(settings.table)}”. Data: Epoch AI (CC BY 4.0), curated, release {release.name}."
    if settings.table in STANDING:
        words = f"Table “{_label(settings.table)}”: our own, with a source in every row, beside release {release.name}."
    schema = settings.table.replace("-", "_")
    units: dict[str, str] = {}
    if settings.table in ("training-runs", "accelerators", *STANDING):
        units = {name: contract.unit(schema, column=name) for name in contract.columns(schema)}
        chart = _completeness(
            frame, units=units, source=words, title=headline, subtitle="How many of the rows have each value."
        )
    else:
        key = {"corrections": "field", "changes": "field", "exclusions": "table", "sources": "publisher"}
        by = key[settings.table]
        chart = _counts(
            Counter(frame[by].astype(str)).most_common(MOST_BARS),
            of=len(frame),
            source=words,
            title=headline,
            subtitle=f"Rows by {by}.",
        )
    return Finding(
        headline=headline,
        figures=(
            Figure(
                name="n_rows",
                label="Rows shown",
                value=float(len(frame)),
                unit="",
                text=f"{len(frame):,}",
                interval_text=f"of {len(everything):,}",
                n=len(frame),
            ),
            Figure(
                name="n_corrections",
                label="Values corrected",
                value=float(len(release.corrections)),
                unit="",
                text=f"{len(release.corrections):,}",
                interval_text=f"in {wording.counted(len(set(release.corrections['row'])), 'row')}",
                n=len(release.corrections),
            ),
            Figure(
                name="n_releases",
                label="Releases",
                value=float(len(beside())),
                unit="",
                text=f"{len(beside())}",
                interval_text=f"{beside()[0]} to {beside()[-1]}",
                n=len(beside()),
            ),
        ),
        exhibits=(Exhibit(chart=chart, table=as_table(frame, units=units), table_first=True),),
        settings_line=words,
        subtitle=_subtitle(settings, earlier=earlier, release=release),
        notes=() if len(frame) else ("No row holds these words; shorten them, or choose another table.",),
        sure=(
            "Only facts are taken over from Epoch AI; every value we changed is in the table of corrections, with "
            "reason and source.",
        ),
    )


VIEW = View(
    path="/data",
    title="Data",
    question="Which rows, from where, and what did we correct?",
    settings=DataSettings,
    build=build,
    method=written.method(__file__),
)
