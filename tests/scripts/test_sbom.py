"""What the app is made of, as CycloneDX."""

import json
import re
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from scripts import sbom


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("sbom") / "sbom.cdx.json"
    assert sbom.main([str(file)]) == 0
    return file


def test_the_document_is_valid_by_the_schema(written: Path):
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(written.read_text(encoding="utf-8")) is None


def test_every_package_of_the_lock_and_every_script_we_ship_is_in_it_with_its_hash(written: Path):
    whole = json.loads(written.read_text(encoding="utf-8"))
    lock = (sbom.HERE / "requirements.txt").read_text(encoding="utf-8")
    locked = set(re.findall(r"^([a-z0-9._-]+)==([^ ;]+)", lock, re.M))
    named = {(one["name"].lower(), one["version"]) for one in whole["components"]}
    assert locked <= named
    (plotly,) = [one for one in whole["components"] if one["name"] == "plotly-cartesian"]
    assert len(plotly["hashes"][0]["content"]) == 64
    assert "description" not in plotly


def test_the_same_sources_give_the_same_document(written: Path):
    assert json.loads(written.read_text(encoding="utf-8")) == sbom.document()


def test_a_script_that_does_not_say_what_it_is_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "thing.js").write_text("1")
    monkeypatch.setattr(sbom, "VENDOR", tmp_path)
    with pytest.raises(ValueError, match=r"thing\.js does not say what it is and which version"):
        sbom.shipped()
