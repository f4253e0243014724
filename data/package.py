"""Downloads of a release: a table as CSV, or all tables as a Frictionless data package."""

import csv
import io
import json
import zipfile
from typing import Any

from data import contract, releases
from data.releases import TABLES
from data.seal import Content
from data.spreadsheet_text import csv_text

_FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # earliest date of a zip file, for reproducible output


def table_csv(release: str, *, table: str) -> bytes:
    """Return a table of a release as CSV, header first. Text that would run as a formula is escaped."""
    return _harmless(releases.sealed(release).files[f"{table}.csv"])


def archive(release: str) -> bytes:
    """Return a release as a zip file with its tables, their description, README and LICENSE.

    The same release gives the same bytes.
    """
    files = {
        "datapackage.json": json.dumps(descriptor(release), ensure_ascii=False, indent=1).encode(),
        "README.md": (contract.DIRECTORY / "archive.md").read_text("utf-8").format(name=release).encode(),
        "LICENSE": (contract.DIRECTORY / "LICENSE").read_bytes(),
        **harmless_tables(release),
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
    """Return the Frictionless descriptor of a release's archive, with schemas included."""
    whole = contract.package()
    resources = {resource["path"]: resource for resource in whole["resources"]}
    for resource in described(release):
        resources[resource["path"].rpartition("/")[2]] = resource
    contents = _contents(release)
    inside = {_resource_name(path) for path in contents}
    listed = [
        {
            **resources.get(path, {"description": "A standing table.", "profile": "tabular-data-resource"}),
            "name": _resource_name(path),
            "path": path,
            "schema": _schema(path.rpartition("/")[2].removesuffix(".csv"), content=content, inside=inside),
        }
        for path, content in contents.items()
    ]
    title = f"{whole['title']}, release {release}"
    return {**whole, "name": f"scaling-gap-{release}", "title": title, "version": release} | {
        "resources": listed
    }


def harmless_tables(release: str) -> dict[str, bytes]:
    """Return the tables in a release's archive, safe for spreadsheets and keyed by path."""
    return {path: _harmless(content) for path, content in _contents(release).items()}


def _contents(release: str) -> dict[str, Content]:
    """Return the tables of a release and its sealed standing tables, keyed by archive path."""
    sealed = releases.sealed(release)
    standing = dict(sealed.standing)
    sources = {"sources.csv": standing.pop("sources")}
    return sources | dict(sealed.files) | {f"standing/{name}.csv": one for name, one in standing.items()}


def _resource_name(path: str) -> str:
    return path.removesuffix(".csv").replace("_", "-").replace("/", "-")


def described(release: str) -> list[dict[str, str]]:
    """Return the descriptions of a release's tables, as in datapackage.json."""
    titles = dict(zip(TABLES, ("Training runs", "Accelerators", "Corrections applied"), strict=True))
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


def fingerprint() -> str:
    """Return a digest of every number in every table.

    A view may compare its release with another, so all releases are included.
    """
    return releases.shelf().fingerprint


def _harmless(content: Content) -> bytes:
    rows = csv.reader(io.StringIO(content.whole().decode(), newline=""), strict=True)
    return csv_text(rows, end="\n").encode()


def _schema(table: str, *, content: Content, inside: set[str]) -> dict[str, Any]:
    """Return the schema of a table, with only existing columns and foreign keys inside the archive."""
    schema = dict(contract.schema(table))
    columns = content.whole().decode().partition("\n")[0].strip().split(",")
    then = {
        field["name"] if field["name"] in columns else field.get("was"): field for field in schema["fields"]
    }
    fields = [then[name] | {"name": name} for name in columns]
    foreign = [key for key in schema.pop("foreignKeys", []) if key["reference"]["resource"] in inside]
    return schema | {"fields": fields} | ({"foreignKeys": foreign} if foreign else {})
