"""A release that arrives while the app runs: every form, page and list of it without a restart."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from data import releases
from tests.web.served import client
from views.training_compute import VIEW
from views.view import pinned

NEW = "2030-01-15"


@pytest.fixture
def arrived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have a release arrive after everything was imported: the newest one again, under another name."""
    folder = tmp_path / "releases"
    shutil.copytree(releases.DIRECTORY, folder)
    monkeypatch.setattr(releases, "DIRECTORY", folder)
    shutil.copytree(folder / releases.latest(), folder / NEW)
    record = json.loads((folder / NEW / "release.json").read_text(encoding="utf-8"))
    (folder / NEW / "release.json").write_text(json.dumps({**record, "name": NEW}), encoding="utf-8")
    assert releases.look() == (NEW,)
    yield
    monkeypatch.undo()
    releases._forget()


@pytest.mark.usefixtures("arrived")
def test_an_open_app_answers_from_a_release_that_has_arrived_and_says_which():
    with client() as reader:
        answer = reader.get("/training-compute.json?since=2020").json()
        assert answer["release"] == NEW
        named = reader.get(f"/training-compute.json?since=2020&release={NEW}")
        assert named.status_code == 200
        assert named.json()["figures"] == answer["figures"]
        before = reader.get("/training-compute.json?since=2020&release=2026-07").json()
        assert [one["value"] for one in before["figures"]] == [one["value"] for one in answer["figures"]]
        document = reader.get("/training-compute?since=2020").text
        assert f"release {NEW}" in document
        assert "15 Jan 2030" in document
        assert NEW in reader.get("/api/views").json()["releases"]
        assert NEW in reader.get("/api/openapi.json").text
        assert reader.get(f"/data/{NEW}.zip").status_code == 200
        slides = reader.get(f"/deck.pptx?view=%2Ftraining-compute%3Fsince%3D2020&release={NEW}")
        assert slides.status_code == 200


@pytest.mark.usefixtures("arrived")
def test_a_short_link_names_the_release_that_was_the_newest_when_it_was_made():
    settings = pinned(VIEW.settings())
    assert settings.release == NEW
    with client() as reader:
        short = reader.get("/training-compute.json").json()["short_link"]
        leads = reader.get(short, follow_redirects=False)
        assert f"release={NEW}" in leads.headers["location"]
