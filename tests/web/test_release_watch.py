import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from data import releases, seal
from tests.data.cutting import later
from web import release_watch
from web.release_watch import ReleaseWatch

BAD, GOOD = "2030-01", "2030-02"
NEWEST = releases.latest()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of our releases that more may come into, as the app reads it."""
    shutil.copytree(seal.FOLDER, tmp_path / "releases")
    monkeypatch.setattr(releases, "DIRECTORY", tmp_path / "releases")
    # Claims ask nearly all views, for seconds.
    monkeypatch.setattr(release_watch, "CLAIMS", release_watch.GROWTH_GAP)
    assert releases.names()[0] == "2025-11"
    return tmp_path / "releases"


def unparsable(folder: Path) -> None:
    (later(folder, BAD) / "release.json").write_text("{", encoding="utf-8")


def unreadable_frames(folder: Path) -> None:
    later(folder, BAD, tables={"accelerators.csv": "no,such\ncolumns,here\n"})


FAULTS: dict[Any, str] = {unparsable: "release.json is not JSON", unreadable_frames: "KeyError"}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_bad_release_is_one_line_in_the_log_and_the_next_good_one_is_served(
    *, folder: Path, fault: Callable[[Path], None], caplog: pytest.LogCaptureFixture
):
    fault(folder)
    watch = ReleaseWatch()
    assert (watch.look(), watch.look()) == ((), ())
    (line,) = [record.getMessage() for record in caplog.records]
    assert line.startswith(f"Release {BAD} is not taken: ") and FAULTS[fault] in line and "\n" not in line
    assert releases.latest() == NEWEST
    shutil.rmtree(folder / BAD)
    later(folder, GOOD)
    assert watch.look() == (GOOD,)
    assert releases.latest() == GOOD
    assert f"Release {GOOD} has arrived and is served from now on." in caplog.text


def test_a_release_is_answered_from_before_anybody_else_reads_it(*, folder: Path, monkeypatch):
    tried = []

    def trial(name: str) -> None:
        tried.append((name, releases.latest()))
        thread = threading.Thread(target=lambda: tried.append(("others", releases.latest())))
        thread.start()
        thread.join(30)

    monkeypatch.setattr(release_watch, "answer_from", trial)
    later(folder, GOOD)
    watch = ReleaseWatch(clock=iter([1.0, 7.0]).__next__)
    assert watch.look() == (GOOD,)
    assert watch.looked_s == 7.0
    assert tried == [(GOOD, GOOD), ("others", NEWEST)]


def test_the_watch_goes_on_whatever_is_raised_until_it_is_over(*, monkeypatch, caplog):
    over, taken = threading.Event(), []
    faults = iter([PermissionError(13, "Permission denied"), RuntimeError("surprise")])

    def look(_trial: object) -> tuple[str, ...]:
        for fault in faults:
            raise fault
        over.set()
        return (GOOD,)

    monkeypatch.setattr(releases, "look", look)
    ReleaseWatch().run(over, taken=lambda: taken.append(True), every_s=0.001)
    assert taken == [True]
    assert "The releases could not be looked at: PermissionError: [Errno 13] Permission denied" in caplog.text
    assert "The releases could not be looked at: RuntimeError: surprise" in caplog.text
