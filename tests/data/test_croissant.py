"""A release is described as Croissant 1.0 requires: by hand, and at length by mlcroissant.

That has an environment of its own: it brings stubs of pandas, which would change the types that `make check` checks.
"""

import csv
import hashlib
import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

from data.croissant import croissant
from data.package import archive, harmless_tables
from data.releases import latest

SITE = "https://gap.example"
REQUIRED = {
    *("@context", "@type", "conformsTo", "description", "license", "name", "url", "creator"),
    *("datePublished", "distribution"),
}
"""Of a data set; the specification's sections "Required" and "Modified and Added Properties"."""
OF_FILE = {"@type", "@id", "name", "contentUrl", "contentSize", "encodingFormat", "sha256"}
OF_FIELD = {"@type", "@id", "name", "description", "dataType", "source"}

READ = """import mlcroissant, sys
data = mlcroissant.Dataset(jsonld=sys.argv[1], mapping={sys.argv[2]: sys.argv[3]})
print(sum(1 for _ in data.records("accelerators")))"""


def test_a_release_has_what_the_specification_requires_and_every_reference_leads_somewhere():
    whole = croissant(latest(), site=SITE)
    assert whole.keys() >= REQUIRED and all(whole[name] for name in REQUIRED)
    assert (whole["@type"], whole["conformsTo"]) == ("sc:Dataset", "http://mlcommons.org/croissant/1.0")
    files = {one["@id"] for one in whole["distribution"]}
    fields = {field["@id"]: field for one in whole["recordSet"] for field in one["field"]}
    assert len(fields) == sum(len(one["field"]) for one in whole["recordSet"])
    assert all(one.keys() >= OF_FILE and one["@type"] == "cr:FileObject" for one in whole["distribution"])
    assert all(one["containedIn"]["@id"] in files for one in whole["distribution"][1:])
    for field in fields.values():
        assert field.keys() == OF_FIELD and field["@type"] == "cr:Field"
        assert field["dataType"] in ("sc:Text", "sc:Float", "sc:Boolean", "sc:Date")
        assert field["source"]["fileObject"]["@id"] in files
    for one in whole["recordSet"]:
        assert one["@type"] == "cr:RecordSet" and all(key["@id"] in fields for key in one.get("key", []))


def test_the_files_it_names_are_those_of_the_archive_byte_for_byte_and_have_its_columns():
    whole, file = croissant(latest(), site=SITE), archive(latest())
    first, *tables = whole["distribution"]
    assert first["contentUrl"] == f"{SITE}/data/{latest()}.zip"
    assert first["sha256"] == hashlib.sha256(file).hexdigest()
    with zipfile.ZipFile(io.BytesIO(file)) as inside:
        contents = {one["@id"]: inside.read(one["contentUrl"]) for one in tables}
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    assert {one["@id"]: one["sha256"] for one in tables} == digests
    for records in whole["recordSet"]:
        (path,) = {field["source"]["fileObject"]["@id"] for field in records["field"]}
        header = next(csv.reader(io.StringIO(contents[path].decode("utf-8-sig"))))
        assert [field["source"]["extract"]["column"] for field in records["field"]] == header


def test_mlcroissant_finds_no_fault_and_reads_every_row_of_a_table(tmp_path):
    root, whole = Path(__file__).parents[2], croissant(latest(), site=SITE)
    (described := tmp_path / "croissant.json").write_text(json.dumps(whole), encoding="utf-8")
    (stored := tmp_path / "release.zip").write_bytes(archive(latest()))
    prepare = ["scripts/prepare.py", "requirements-croissant.txt", "--venv", ".venv-croissant"]
    subprocess.run([sys.executable, *prepare], cwd=root, check=True)
    files = [described, whole["distribution"][0]["@id"], stored]
    command = [root / ".venv-croissant/bin/python", "-c", READ, *files]
    home = os.environ | {"HOME": str(tmp_path)}  # where it unpacks
    done = subprocess.run(command, env=home, capture_output=True, text=True, check=True)
    rows = harmless_tables(latest())["accelerators.csv"].decode("utf-8-sig")
    assert int(done.stdout) == len(list(csv.reader(io.StringIO(rows)))) - 1
    assert "not standard" not in done.stderr
