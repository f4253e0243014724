"""A release as files to take away: one table as CSV, or all of it as a Frictionless data package."""

import csv
import hashlib
import io
import json
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

from data import contract, releases, standing
from data.releases import TABLES, names
from data.spreadsheet_text import csv_text

_FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # the earliest a zip file can hold: no clock shows
_README = """# Scaling Gap, data release {name}

Training runs and accelerators as Scaling Gap curates them, and the corrections applied. `datapackage.json`
describes every column (Frictionless Data Package, Table Schema); numbers are in the unit of their column's
name.

Built from "Data on AI Models" and "Data on Machine Learning Hardware" by Epoch AI (https://epoch.ai/data),
used under CC BY 4.0. Credit **Epoch AI** when you use it. Values that differ from Epoch AI's export are
listed, with reason and source, in `corrections.csv`; `sources.csv` resolves every `source_id`.
"""


class NoSuchFile(LookupError):  # noqa: N818 - the reader's word for it
    """There is no such release or table; the text names those there are."""


def check(release: str, *, table: str | None = None) -> None:
    """Return when there are such a release and such a table of it.

    Raises
    ------
    NoSuchFile
        A release or a table that does not exist; the message names those that do.
    """
    if release not in names():
        raise NoSuchFile(f"there is no release {release!r}; there are {', '.join(names())}.")
    if table is not None and table not in TABLES:
        raise NoSuchFile(f"no table of a release is called {table!r}; there are {', '.join(TABLES)}.")


def table_csv(release: str, *, table: str) -> bytes:
    """Return a table of a release as CSV, header first; text that would run as a formula is disarmed.

    Raises
    ------
    NoSuchFile
        A release or a table that does not exist; the message names those that do.
    """
    check(release, table=table)
    return _harmless(f"releases/{release}/{table}.csv")


def archive(release: str) -> bytes:
    """Return a release as a zip file: its tables, the sources, their description, README and LICENSE.

    The same release gives the same bytes.

    Raises
    ------
    NoSuchFile
        A release that does not exist; the message names those that do.
    """
    check(release)
    files = {
        "datapackage.json": json.dumps(descriptor(release), ensure_ascii=False, indent=1).encode(),
        "README.md": _README.format(name=release).encode(),
        "LICENSE": (contract.DIRECTORY / "LICENSE").read_bytes(),
        "sources.csv": _harmless("sources.csv"),
        **{f"{table}.csv": table_csv(release, table=table) for table in TABLES},
    }
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as file:
        for name, content in files.items():
            entry = zipfile.ZipInfo(f"scaling-gap-{release}/{name}", date_time=_FIRST_DAY)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            file.writestr(entry, content)
    return written.getvalue()


def descriptor(release: str) -> dict[str, Any]:
    """Return the Frictionless descriptor of one release: only what its archive holds, schemas inside."""
    whole = contract.package()
    resources = []
    others = (one for one in whole["resources"] if one["path"] == "sources.csv")
    for resource in (*others, *described(release)):
        path = resource["path"]
        table = path.rpartition("/")[2].removesuffix(".csv")
        resources.append(
            {**resource, "name": table.replace("_", "-"), "path": f"{table}.csv", "schema": _schema(table)}
        )
    title = f"{whole['title']}, release {release}"
    return {**whole, "name": f"scaling-gap-{release}", "title": title, "version": release} | {
        "resources": resources
    }


def described(release: str) -> list[dict[str, str]]:
    """Return a release's tables as datapackage.json describes them."""
    titles = {
        "training_runs": "Training runs",
        "accelerators": "Accelerators",
        "corrections": "Corrections applied",
    }
    return [
        {
            "name": f"{table.replace('_', '-')}-{release}",
            "path": f"releases/{release}/{table}.csv",
            "profile": "tabular-data-resource",
            "format": "csv",
            "mediatype": "text/csv",
            "encoding": "utf-8",
            "description": f"{title}, release {release}.",
            "schema": f"schemas/{table}.json",
        }
        for table, title in titles.items()
    ]


@cache
def fingerprint() -> str:
    """Return a short text that changes when any number of any table does; read once for the releases there are.

    A view may compare its release with another one, so every release counts.
    """
    digest = hashlib.sha256()
    frozen = [f"releases/{name}/{table}.csv" for name in names() for table in TABLES]
    for path in ("sources.csv", *frozen, *(f"standing/{name}.csv" for name in standing.names())):
        digest.update(path.encode())
        digest.update(_file(path).read_bytes())
    return digest.hexdigest()[:16]


def _file(path: str) -> Path:
    inside = path.removeprefix("releases/")
    return contract.DIRECTORY / path if inside == path else releases.DIRECTORY / inside


def _harmless(path: str) -> bytes:
    with _file(path).open(encoding="utf-8", newline="") as file:
        return csv_text(csv.reader(file, strict=True), end="\n").encode()


def _schema(table: str) -> dict[str, Any]:
    """Return a table's schema without the keys into tables the archive does not hold."""
    schema = dict(contract.schema(table))
    inside = {"sources", *(name.replace("_", "-") for name in TABLES)}
    foreign = [key for key in schema.get("foreignKeys", []) if key["reference"]["resource"] in inside]
    schema.pop("foreignKeys", None)
    return schema | ({"foreignKeys": foreign} if foreign else {})
