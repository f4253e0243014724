"""Description of a release in Croissant 1.0 (JSON-LD, MLCommons), for programs that load data sets."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from data.package import archive, descriptor, harmless_tables
from data.releases import sealed

STATED = Path(__file__).with_suffix(".json")
"""Parts that are the same for all releases: context, format version and creators."""
TYPES = {"string": "sc:Text", "number": "sc:Float", "boolean": "sc:Boolean", "date": "sc:Date"}
"""Croissant's types, keyed by Table Schema's types."""


def croissant(release: str, *, site: str) -> dict[str, Any]:
    """Return the description of a release's files, tables and columns. Its archive is at ``site``."""
    package, name = descriptor(release), f"scaling-gap-{release}"
    tables = harmless_tables(release)
    whole = _file(f"{name}.zip", archive(release), url=f"{site}/data/{release}.zip", kind="application/zip")
    files = [
        _file(path, content, url=f"{name}/{path}", kind="text/csv") | {"containedIn": {"@id": f"{name}.zip"}}
        for path, content in tables.items()
    ]
    return json.loads(STATED.read_text(encoding="utf-8")) | {
        "name": name,
        "description": f"{package['title']}. Every row names its source; numbers are in base units.",
        "url": f"{site}/data?release={release}",
        "license": package["licenses"][0]["path"],
        "version": release,
        "datePublished": sealed(release).record.sealed,
        "citeAs": f"Scaling Gap. Data release {release}, from Epoch AI, curated. {site}/data?release={release}",
        "distribution": [whole, *files],
        "recordSet": [_records(resource) for resource in package["resources"]],
    }


def _file(name: str, content: bytes, *, url: str, kind: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": url,
        "contentSize": f"{len(content)} B",
        "encodingFormat": kind,
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _records(resource: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table as a record set, with one field per column."""
    name, schema = resource["name"], resource["schema"]
    keys = schema.get("primaryKey", [])
    keys = [keys] if isinstance(keys, str) else keys
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"{name}/{field['name']}",
            "name": field["name"],
            "description": f"{field['description']} {field.get('unit', '')}".strip(),
            "dataType": TYPES[field["type"]],
            "source": {"fileObject": {"@id": resource["path"]}, "extract": {"column": field["name"]}},
        }
        for field in schema["fields"]
    ]
    key = {"key": [{"@id": f"{name}/{column}"} for column in keys]} if keys else {}
    described = {"@id": name, "name": name, "description": resource["description"]}
    return {"@type": "cr:RecordSet", **described, **key, "field": fields}
