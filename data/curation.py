"""Curation of an export by tables of corrections, exclusions, additions and products."""

import math
from collections.abc import Set
from dataclasses import dataclass, field

import pandas as pd

from data import contract, table_text
from data.curation_tables import HARDWARE, MODELS, Curation, Line
from data.epoch import read_date, significant

NUMBERS = frozenset(column.name for column in (*MODELS, *HARDWARE) if column.kind in {"number", "total"})
DATES = {"training_runs": "published_on", "accelerators": "released_on"}

MODEL_SOURCE = "epoch-notable-models"
HARDWARE_SOURCE = "epoch-ml-hardware"

APPLIED_COLUMNS = contract.columns("corrections")
PRODUCT_COLUMNS = contract.columns("products")[1:-2]


@dataclass(frozen=True, kw_only=True)
class Curated:
    """A table after curation, the corrections applied to it, and notes for the curator.

    ``refused`` are corrections that do not fit the export, ``settled`` those it no longer needs. ``unmatched`` are
    hardware names without an accelerator or alias (training runs), or listings without a product line (accelerators).
    """

    frame: pd.DataFrame
    corrections: pd.DataFrame
    refused: tuple[str, ...]
    settled: tuple[str, ...]
    unmatched: tuple[str, ...]


@dataclass
class _Ledger:
    applied: list[Line] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    settled: list[str] = field(default_factory=list)

    def frame(self) -> pd.DataFrame:
        lines = sorted(self.applied, key=lambda line: (line["table"], line["row"], line["field"]))
        return pd.DataFrame(lines, columns=list(APPLIED_COLUMNS), dtype=str)


def curate(
    export: pd.DataFrame, *, table: str, curation: Curation, part_names: Set[str] = frozenset()
) -> Curated:
    """Return a table of an export in its stored form. ``part_names`` are the known names of hardware.

    ``export`` comes from :mod:`data.epoch` and is not modified. A correction is applied only if the export still has
    its ``was``; otherwise it is reported in ``refused``.
    """
    ledger = _Ledger()
    names = newest_names(export, table=table, curation=curation)
    frame = export.assign(name=[names.get(name, name) for name in export["name"]])
    _correct(frame, table=table, curation=curation, ledger=ledger)
    if table == "training_runs":
        unmatched = _resolve_hardware(frame, names=part_names, curation=curation)
        _finish_runs(frame, curation=curation)
    else:
        _move_matrix_fp16(frame, curation=curation, ledger=ledger)
        frame, unmatched = _with_products(_with_additions(frame, curation=curation), curation=curation)
        _set_representatives(frame)
        _finish_parts(frame, ledger=ledger)
    for column, part in {"excluded": ("series", ";"), "exclusion_reason": ("reason", " ")}.items():
        cells: dict[str, list[str]] = {}
        for line in curation.exclusions:
            if line["table"] == table:
                cells.setdefault(line["row"], []).append(line[part[0]])
        frame[column] = [part[1].join(cells.get(name, [])) for name in frame["name"]]
    undated_last = frame.assign(_day=frame[DATES[table]].replace("", "9999"))
    order = undated_last.sort_values(["_day", "name"], kind="stable", ignore_index=True)
    return Curated(
        frame=order.drop(columns="_day"),
        corrections=ledger.frame(),
        refused=tuple(ledger.refused),
        settled=tuple(ledger.settled),
        unmatched=unmatched,
    )


def as_exported(accelerators: pd.DataFrame, *, corrections: pd.DataFrame) -> pd.DataFrame:
    """Return the accelerators as exported, without corrections or additions, one row per listing."""
    frame = accelerators.loc[accelerators["origin"] == "epoch"].copy()
    rows = {name: index for index, name in zip(frame.index, frame["name"], strict=True)}
    for line in corrections.loc[corrections["table"] == "accelerators"].to_dict(orient="records"):
        name, column, was = str(line["row"]), str(line["field"]), str(line["was"])
        if name in rows and column in frame.columns:
            frame.loc[rows[name], column] = _value(column, was, like=frame.loc[:, column])
    frame["excluded"] = ""
    frame["exclusion_reason"] = ""
    frame["representative"] = True
    return frame.reset_index(drop=True)


def newest_names(frame: pd.DataFrame, *, table: str, curation: Curation) -> dict[str, str]:
    """Return rows' current names, keyed by old name. Names that the export itself uses are omitted."""
    present = set(frame["name"])
    return {
        line["was"]: line["now"]
        for line in curation.renames
        if line["table"] == table and line["now"] not in present
    }


def _correct(frame: pd.DataFrame, *, table: str, curation: Curation, ledger: _Ledger) -> None:
    rows = {name: index for index, name in zip(frame.index, frame["name"], strict=True)}
    by_cell: dict[tuple[str, str], list[Line]] = {}
    for line in curation.corrections:
        if line["table"] == table:
            by_cell.setdefault((line["row"], line["field"]), []).append(line)
    for (row, column), lines in by_cell.items():
        if row not in rows:
            ledger.refused.append(f"{row}, {column}: not applied: the export has no such row")
            continue
        index = rows[row]
        held = _text(column, frame.at[index, column])
        fitting = [line for line in lines if _same(column, held, other=line["was"])]
        if fitting:
            line = fitting[0]
            frame.loc[index, column] = _value(column, line["now"], like=frame.loc[:, column])
            if column == DATES[table]:
                frame.loc[index, "date_precision"] = read_date(line["now"])[1]
            ledger.applied.append({name: line[name] for name in APPLIED_COLUMNS})
        elif any(_same(column, held, other=line["now"]) for line in lines):
            ledger.settled.append(f"{row}, {column}: the export already has {held or 'nothing'}")
        else:
            expected = " or ".join(line["was"] or "nothing" for line in lines)
            ledger.refused.append(
                f"{row}, {column}: not applied: expected {expected}, export has {held or 'nothing'}"
            )


def _move_matrix_fp16(frame: pd.DataFrame, *, curation: Curation, ledger: _Ledger) -> None:
    """Move the half-precision peak of matrix units into its column if it is listed in another."""
    shader, matrix = "peak_fp16_shader_dense_flop_per_s", "peak_fp16_dense_flop_per_s"
    lines = {line["name"]: line for line in curation.products if line["fp16_engine"] == "matrix"}
    for index, name in zip(frame.index, frame["name"], strict=True):
        value = frame.at[index, shader]
        if name not in lines or math.isnan(value):
            continue
        basis = {
            "table": "accelerators",
            "row": name,
            "source_id": lines[name]["source_id"],
            "locator": "",
            "confidence": "high",
            "reason": "The part's half-precision figure is its matrix engine's, not its vector units'.",
        }
        if math.isnan(frame.at[index, matrix]):
            ledger.applied.append({**basis, "field": matrix, "was": "", "now": _text(matrix, value)})
            frame.loc[index, matrix] = value
        ledger.applied.append({**basis, "field": shader, "was": _text(shader, value), "now": ""})
        frame.loc[index, shader] = math.nan


def _with_additions(frame: pd.DataFrame, *, curation: Curation) -> pd.DataFrame:
    frame["origin"] = "epoch"
    frame["source_id"] = HARDWARE_SOURCE
    present = set(frame["name"])
    lines = [line for line in curation.additions if line["name"] not in present]
    if not lines:
        return frame
    empty = dict.fromkeys([*frame.columns, "confidence"], "")
    added = pd.DataFrame([empty | line for line in lines], columns=list(empty))
    for column in NUMBERS.intersection(frame.columns):
        added[column] = pd.to_numeric(added[column])
    added["origin"] = "added"
    added["released_on"], added["date_precision"] = zip(*map(read_date, added["released_on"]), strict=True)
    return pd.concat([frame, added], ignore_index=True)


def _with_products(frame: pd.DataFrame, *, curation: Curation) -> tuple[pd.DataFrame, tuple[str, ...]]:
    lines = {line["name"]: line for line in curation.products}
    for column in PRODUCT_COLUMNS:
        known = [lines[name][column] if name in lines else "" for name in frame["name"]]
        if column == "vendor":
            frame[column] = [new or old for new, old in zip(known, frame[column], strict=True)]
        else:
            frame[column] = known
    unknown = ~frame["name"].isin(list(lines))
    frame.loc[unknown, "product"] = frame.loc[unknown, "name"]
    frame.loc[unknown, "status"] = frame.loc[unknown, "released_on"].map(
        lambda day: "shipped" if day else "announced"
    )
    frame["flagship"] = frame["flagship"] == "true"
    frame["representative"] = frame["representative"] == "true"
    return frame, tuple(frame.loc[unknown, "name"])


def _set_representatives(frame: pd.DataFrame) -> None:
    """Let the earliest listing represent a product whose chosen row is not in this export."""
    without = frame.loc[~frame.groupby("product")["representative"].transform("any")]
    by_day = without.assign(day=without["released_on"].replace("", "9999")).sort_values("day", kind="stable")
    frame.loc[by_day.drop_duplicates("product").index, "representative"] = True


def _resolve_hardware(frame: pd.DataFrame, *, names: Set[str], curation: Curation) -> tuple[str, ...]:
    aliases = {line["alias"]: line["name"] for line in curation.hardware_aliases}
    unresolved: set[str] = set()

    def resolved(cell: str) -> str:
        parts = [aliases.get(part) or part for part in cell.split(";") if part]
        unresolved.update(part for part in parts if part not in names and part not in aliases)
        return ";".join(dict.fromkeys(parts))

    frame["hardware"] = frame["hardware"].map(resolved)
    return tuple(sorted(unresolved))


def _finish_runs(frame: pd.DataFrame, *, curation: Curation) -> None:
    active = {line["name"]: float(line["n_active_parameters"]) for line in curation.active_parameters}
    frame["n_active_parameters"] = [active.get(name, math.nan) for name in frame["name"]]
    frame["confidence"] = frame["confidence"].replace("", "unknown")
    frame["training_compute_estimate"] = [
        "" if math.isnan(compute) else "derived" if confidence == "confident" else "estimated"
        for compute, confidence in zip(frame["training_compute_flop"], frame["confidence"], strict=True)
    ]
    frame["origin"] = "epoch"
    frame["source_id"] = MODEL_SOURCE


def _finish_parts(frame: pd.DataFrame, *, ledger: _Ledger) -> None:
    doubtful = {line["row"] for line in ledger.applied if line["confidence"] != "high"}
    stated = frame["confidence"] if "confidence" in frame else pd.Series("", index=frame.index)
    grades: list[str] = []
    for name, link, status, own in zip(
        frame["name"], frame["datasheet_link"], frame["status"], stated.fillna(""), strict=True
    ):
        sure = "speculative" if status == "announced" else "confident" if link else "likely"
        grades.append(own or ("likely" if sure == "confident" and name in doubtful else sure))
    frame["confidence"] = grades


def _text(column: str, value: object) -> str:
    if column in NUMBERS:
        return table_text.number(significant(float(value)))  # pyright: ignore[reportArgumentType]
    return str(value)


def _value(column: str, cell: str, *, like: pd.Series) -> object:
    if column in NUMBERS:
        return float(cell) if cell else math.nan
    if pd.api.types.is_datetime64_any_dtype(like):
        return pd.Timestamp(cell) if cell else pd.NaT
    return cell


def _same(column: str, held: str, *, other: str) -> bool:
    if column in NUMBERS and held and other:
        return math.isclose(float(held), float(other), rel_tol=1e-5)
    return held == other
