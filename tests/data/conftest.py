"""A folder of our own data, which a test may change."""

import shutil
from pathlib import Path

import pytest

from data import contract, releases, standing


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the releases in a copy of the folder data/, which everything reads and writes instead of ours."""
    data = tmp_path / "data"
    for part in ("releases", "inputs", "schemas", "standing"):
        shutil.copytree(contract.DIRECTORY / part, data / part)
    for file in ("datapackage.json", "sources.csv"):
        shutil.copy(contract.DIRECTORY / file, data)
    monkeypatch.setattr(contract, "DIRECTORY", data)
    monkeypatch.setattr(standing, "DIRECTORY", data / "standing")
    monkeypatch.setattr(releases, "DIRECTORY", data / "releases")
    releases.names()  # taken before a test adds to them
    return data / "releases"
