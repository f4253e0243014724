"""A release is described as Croissant 1.0 requires: by hand, as mlcroissant is not in the lock."""

import csv
import hashlib
import io
import re
import zipfile

from data.croissant import croissant
from data.package import archive
from data.releases import latest

SITE = "https://gap.example"
REQUIRED = {
    *("@context", "@type", "conformsTo", "description", "license", "name", "url", "creator"),
    *("datePublished", "distribution"),
}
"""Of a data set; the specification's sections "Required" and "Modified and Added Properties"."""
OF_FILE = {"@type", "@id", "name", "contentUrl", "contentSize", "encodingFormat", "sha256"}
OF_FIELD = {"@type", "@id", "name", "description", "dataType", "source"}


def test_a_release_has_what_the_specification_requires_and_every_reference_leads_somewhere():
    whole = croissant(latest(), site=SITE)
    assert whole.keys() >= REQUIRED and all(whole[name] for name in REQUIRED)
    assert (whole["@type"], whole["conformsTo"]) == ("sc:Dataset", "http://mlcommons.org/croissant/1.0")
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", whole["datePublished"])
    files = {one["@id"] for one in whole["distribution"]}
    fields = {field["@id"]: field for one in whole["recordSet"] for field in one["field"]}
    assert len(files) == len(whole["distribution"])
    assert len(fields) == sum(len(one["field"]) for one in whole["recordSet"])
    assert all(one.keys() >= OF_FILE and one["@type"] == "cr:FileObject" for one in whole["distribution"])
    assert all(one["containedIn"]["@id"] in files for one in whole["distribution"][1:])
    for field in fields.values():
        assert field.keys() == OF_FIELD and field["@type"] == "cr:Field"
        assert field["dataType"] in ("sc:Text", "sc:Float", "sc:Boolean", "sc:Date")
        assert field["source"]["fileObject"]["@id"] in files
    for one in whole["recordSet"]:
        assert one["@type"] == "cr:RecordSet" and all(key["@id"] in fields for key in one.get("key", []))
    assert {"recordSet", "field", "source", "extract", "column", "fileObject", "dataType"} <= whole[
        "@context"
    ].keys()


def test_the_files_it_names_are_those_of_the_archive_byte_for_byte_and_have_its_columns():
    whole, file = croissant(latest(), site=SITE), archive(latest())
    first, *tables = whole["distribution"]
    assert first["contentUrl"] == f"{SITE}/data/{latest()}.zip"
    assert first["sha256"] == hashlib.sha256(file).hexdigest()
    with zipfile.ZipFile(io.BytesIO(file)) as inside:
        contents = {one["@id"]: inside.read(one["contentUrl"]) for one in tables}
    assert {one["@id"]: one["sha256"] for one in tables} == {
        name: hashlib.sha256(content).hexdigest() for name, content in contents.items()
    }
    for records in whole["recordSet"]:
        (path,) = {field["source"]["fileObject"]["@id"] for field in records["field"]}
        header = next(csv.reader(io.StringIO(contents[path].decode("utf-8-sig"))))
        assert [field["source"]["extract"]["column"] for field in records["field"]] == header
