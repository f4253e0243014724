import json
import re
from email import message_from_string
from pathlib import Path

import pytest

from scripts import sbom


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("sbom") / "sbom.cdx.json"
    assert sbom.main([str(file)]) == 0
    return file


def test_the_document_is_valid_by_the_schema(written):
    # Its grammars take seconds to load: not in every process that collects the tests.
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(written.read_text(encoding="utf-8")) is None


def test_every_package_of_the_lock_and_every_script_we_ship_is_in_it_with_its_hash(written):
    whole = json.loads(written.read_text(encoding="utf-8"))
    lock = (sbom.HERE / "requirements.txt").read_text(encoding="utf-8")
    locked = set(re.findall(r"^([a-z0-9._-]+)==([^ ;]+)", lock, re.M))
    named = {(one["name"].lower(), one["version"]) for one in whole["components"]}
    assert locked <= named
    (plotly,) = [one for one in whole["components"] if one["name"] == "plotly.js-cartesian-dist-min"]
    assert len(plotly["hashes"][0]["content"]) == 64
    assert "description" not in plotly


def test_every_component_has_the_licence_that_it_declares(written):
    components = json.loads(written.read_text(encoding="utf-8"))["components"]
    licences = {one["name"].lower(): one.get("licenses") for one in components}
    assert all(licences.values()), licences
    assert licences["attrs"] == [{"expression": "MIT"}]  # License-Expression
    assert licences["jinja2"] == [{"license": {"name": "BSD License"}}]  # a classifier
    assert licences["protobuf"] == [{"license": {"name": "3-Clause BSD License"}}]  # the field of old
    assert licences["plotly.js-cartesian-dist-min"] == [{"license": {"id": "MIT"}}]


@pytest.mark.parametrize(
    "text", ["Classifier: License :: OSI Approved", "License: All of it:\n        line two"]
)
def test_a_component_without_a_known_licence_is_listed_at_the_end(*, text, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sbom, "metadata", lambda name: message_from_string(f"{text}\n"))
    parts = [{"name": "no-such", "version": "1.0"}, {"name": "other", "version": "2"}]
    monkeypatch.setattr(sbom, "packages", lambda: {"specVersion": "1.6", "components": parts})
    assert sbom.main([str(tmp_path / "sbom.cdx.json")]) == 0
    *_, last = capsys.readouterr().out.splitlines()
    assert "No licence is known of no-such 1.0, other 2: install it" in last
