"""The same numbers for good: a later release changes nothing of what a link says that names an earlier one."""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from data import releases, seal, standing
from tests.data.cutting import later
from tests.length import at_length
from tests.web.served import client
from views.claims.expressions import measured
from views.deck import moves, parse_deck, renewed_words, shown
from views.moved import moved
from views.registry import VIEWS
from views.resolve import resolve
from views.result import as_json
from views.story.settings import STEPS
from views.story.view import settings_of
from views.view import SHORT, View, answer, link, read, short

COMPOSED = ("/story", "/claims")
"""Made of the answers of the others."""
DEAR = ("/placement", "/training-run", "/cost-of-tokens")
"""Fitted anew for each folder of releases, which takes as long as all others together."""
ASKED = [view for path, view in VIEWS.items() if path not in at_length(COMPOSED, few=COMPOSED + DEAR)]
FROZEN, NEW = "2026-07", "2030-01"


def half(table: bytes) -> bytes:
    """Return a table with half of its rows."""
    head, *rows = table.splitlines(keepends=True)
    return b"".join((head, *rows[: max(len(rows) // 2, 1)]))


def said(view: View, release: str) -> Mapping[str, Any]:
    """Return what a view says by default of a release, apart from what the newest release is called."""
    result = answer(view, read(view, {"release": [release]})[0])
    return {name: part for name, part in as_json(result).items() if name != "printed_link"}


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of our releases into which one has come with half of every table, its own and the standing ones."""
    folder = tmp_path_factory.mktemp("frozen") / "releases"
    shutil.copytree(releases.DIRECTORY, folder)
    later(
        folder,
        NEW,
        tables={name: half((folder / FROZEN / name).read_bytes()).decode() for name in seal.TABLES},
        working={name: half(content) for name, content in standing.working().items() if name != "sources"},
    )
    return folder


@pytest.fixture
def arrived(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have that release come."""
    monkeypatch.setattr(releases, "DIRECTORY", folder)
    assert releases.latest() == NEW


@pytest.fixture
def gone(arrived: None) -> str:
    """Return a model that the frozen release has and the newest has not."""
    return next(word for word in _models(FROZEN) if word not in _models(NEW))


@pytest.mark.parametrize("view", ASKED, ids=lambda view: view.name)
def test_a_link_to_a_frozen_release_says_the_same_after_others_came(
    *, view: View, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    before = said(view, FROZEN)
    monkeypatch.setattr(releases, "DIRECTORY", folder)
    assert said(view, FROZEN) == before


@pytest.mark.usefixtures("arrived")
def test_the_release_that_came_would_say_something_else():
    view = VIEWS["/growth-gap"]
    assert said(view, NEW)["headline"] != said(view, FROZEN)["headline"]


@pytest.mark.usefixtures("arrived")
def test_what_can_be_chosen_is_what_the_release_of_the_link_has():
    view = VIEWS["/latency-floor"]
    gone = view.settings().described()["model"]
    assert gone in _models(FROZEN) and gone not in _models(NEW)
    settings, ignored = read(view, {"release": [FROZEN], "model": [gone]})
    assert not ignored and answer(view, settings).settings["model"] == gone
    assert resolve(short(view, settings).removeprefix(SHORT)) == (view, settings)
    settings, ignored = read(view, {"release": [NEW], "model": [gone]})
    assert [one.setting for one in ignored] == ["model"]
    assert answer(view, settings).settings["model"] == next(iter(_models(NEW)))


def test_what_a_release_does_not_have_is_read_from_the_release_that_has_it(gone):
    view = VIEWS["/latency-floor"]
    requested = link(view, read(view, {"release": [FROZEN], "model": [gone]})[0])
    result, _ = parse_deck({"view": [requested], "release": [NEW]})
    assert [one.settings.release for one in shown(result)] == [FROZEN] and moves(result) == ()
    site = "https://gap.example.org"
    words = renewed_words(f"{site}{requested}", exhibit=1, origin=site, release=NEW)
    assert words is not None and "release=2026-07" in words.link
    assert NEW not in {one.after.release for one in moved(view, read(view, requested.partition("?")[2])[0])}


def test_a_statement_is_tested_with_the_choices_that_its_release_has(gone):
    view = VIEWS["/latency-floor"]
    at = f"{view.path}?model={gone}"
    figure = answer(view, read(view, {"release": [FROZEN], "model": [gone]})[0]).figures[0]
    assert measured(figure.name, at=at, release=releases.load(FROZEN)).value == figure.value
    step = replace(STEPS[0], path=view.path, choices=f"model={gone}")
    assert settings_of(step, release=FROZEN).described()["model"] == gone


def test_a_feed_is_refused_the_choice_that_the_newest_release_has_not(gone):
    with client() as reader:
        assert reader.get(f"/training-run.atom?release={FROZEN}&model={gone}").status_code == 422


def test_no_table_is_read_when_a_module_is_imported():
    """What a module read then would be of the newest release, in answers from every release."""
    program = (
        "from data import releases\n"
        "def tables(): raise AssertionError('a module reads a table when it is imported')\n"
        "releases.tables = tables\n"
        "import panel.answer, views.registry, web.routes"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr[-600:]


def _models(release: str) -> Mapping[str, str]:
    from views.models import names

    with releases.reading(release):
        return names()
