"""A damaged release ends with one line, in whatever way it was damaged."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from data import releases, seal, standing
from tests.data.cutting import later

NEWEST = releases.latest()
ROOT = Path(__file__).parents[2]


def cut_short(release: Path) -> None:
    table = release / "training_runs.csv"
    table.write_bytes(table.read_bytes()[:-5000])


def lost_row(release: Path) -> None:
    table = release / "training_runs.csv"
    lines = table.read_bytes().splitlines(keepends=True)
    table.write_bytes(b"".join(lines[:500] + lines[501:]))


def changed_exponent(release: Path) -> None:
    table = release / "training_runs.csv"
    content = table.read_bytes()
    assert b"e+25" in content
    table.write_bytes(content.replace(b"e+25", b"e+26", 1))


def other_line_ends(release: Path) -> None:
    table = release / "corrections.csv"
    table.write_bytes(table.read_bytes().replace(b"\n", b"\r\n"))


def missing(release: Path) -> None:
    (release / "accelerators.csv").unlink()


def empty(release: Path) -> None:
    (release / "accelerators.csv").write_bytes(b"")


def unreadable(release: Path) -> None:
    (release / "accelerators.csv").unlink()
    (release / "accelerators.csv").mkdir()


def empty_folder(release: Path) -> None:
    shutil.rmtree(release)
    release.mkdir()


def record_cut_short(release: Path) -> None:
    record = release / "release.json"
    record.write_bytes(record.read_bytes()[:100])


def record_without_hashes(release: Path) -> None:
    record = json.loads((release / "release.json").read_text(encoding="utf-8"))
    del record["files"]
    (release / "release.json").write_text(json.dumps(record), encoding="utf-8")


def record_of_another(release: Path) -> None:
    shutil.copy(release.parent / releases.names()[0] / "release.json", release)


def recorded(release: Path, **parts: Any) -> None:
    """Write parts of the record anew."""
    record = json.loads((release / "release.json").read_text(encoding="utf-8"))
    (release / "release.json").write_text(json.dumps(record | parts), encoding="utf-8")


def no_standing_tables(release: Path) -> None:
    recorded(release, standing=["networks"])


def standing_elsewhere(release: Path) -> None:
    recorded(release, standing={"../networks": "0" * 64})


def no_day(release: Path) -> None:
    recorded(release, sealed="lately")


def alone(release: Path) -> None:
    recorded(release, beside=["2025-11"])


def beside_no_release(release: Path) -> None:
    recorded(release, beside=[release.name, "../2025-11"])


def beside_a_missing_one(release: Path) -> None:
    recorded(release, beside=[release.name, "2024-01"])


def copy_of(table: str, release: Path) -> Path:
    (copy,) = (release.parent / seal.COPIES).glob(f"{table}-*.csv")
    return copy


def copy_cut_short(release: Path) -> None:
    copy = copy_of("networks", release)
    copy.write_bytes(copy.read_bytes()[:-20])


def copy_missing(release: Path) -> None:
    copy_of("sources", release).unlink()


FAULTS: dict[Callable[[Path], None], str] = {
    cut_short: "training_runs.csv is not the file this release was cut with",
    lost_row: "training_runs.csv is not the file this release was cut with",
    changed_exponent: "training_runs.csv is not the file this release was cut with",
    other_line_ends: "corrections.csv is not the file this release was cut with",
    missing: "accelerators.csv is missing",
    empty: "accelerators.csv is empty",
    unreadable: "accelerators.csv cannot be read (Is a directory)",
    empty_folder: "release.json is missing",
    record_cut_short: "release.json is not JSON",
    record_without_hashes: "release.json does not say the SHA-256 of its tables",
    no_standing_tables: "release.json does not say the SHA-256 of the standing tables that it is read with",
    standing_elsewhere: "release.json does not say the SHA-256 of the standing tables that it is read with",
    no_day: "release.json does not say the day on which it was sealed",
    alone: "release.json does not say which releases it is read beside, itself among them",
    beside_no_release: "release.json names something among the releases it is read beside that is no release",
    beside_a_missing_one: "release.json is read beside 2024-01, which is missing",
    copy_cut_short: ".csv is not the file this release was cut with",
    copy_missing: ".csv is missing",
    record_of_another: f"release.json is not the record of release {NEWEST}",
}


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    shutil.copytree(seal.FOLDER, tmp_path / "releases")
    return tmp_path / "releases"


def test_the_releases_of_the_project_are_whole():
    seal.read_all()
    assert set(seal.read(seal.FOLDER / NEWEST).files) == set(seal.TABLES)


@pytest.mark.parametrize("damage", FAULTS, ids=lambda damage: damage.__name__)
def test_a_damaged_release_is_told_in_one_line_with_its_file_and_what_to_do(
    *, copied: Path, damage: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
):
    damage(copied / NEWEST)
    with pytest.raises(seal.DamagedError) as told:
        seal.read_all(copied)
    text = str(told.value)
    where = copied / seal.COPIES if damage.__name__.startswith("copy") else copied / NEWEST
    assert f"{where}" in text and FAULTS[damage] in text and "\n" not in text
    assert "restore it from the repository" in text
    monkeypatch.setattr(releases, "DIRECTORY", copied)
    with pytest.raises(seal.DamagedError):
        releases.load(NEWEST)


def test_a_release_is_cut_once_with_the_copies_that_are_missing_and_read_back_as_it_was(copied: Path):
    copies = copied / seal.COPIES
    before = {copy.name for copy in copies.iterdir()}
    changed = standing.working()["networks"].rpartition(b"\n")[0] + b"\n"
    release = later(copied, "2030-01", working={"networks": changed[: changed[:-1].rfind(b"\n") + 1]})
    (new,) = {copy.name for copy in copies.iterdir()} - before
    whole = seal.read(release)
    assert new == f"networks-{whole.record.standing['networks'][:12]}.csv"
    assert whole.standing["networks"].whole() == (copies / new).read_bytes()
    assert (whole.record.sealed, whole.record.beside) == ("2030-01-15", ("2025-11", "2026-07", "2030-01"))
    with pytest.raises(seal.SealedError, match=r"2030-01 is sealed and is not written again.*, 2030-01\.1\."):
        later(copied, "2030-01")


def test_no_release_is_sealed_with_a_damaged_copy(copied: Path):
    copy_cut_short(copied / NEWEST)
    with pytest.raises(seal.DamagedError, match=r"networks-[0-9a-f]{12}\.csv is not the file"):
        later(copied, "2030-01")
    assert not (copied / "2030-01").exists()


def test_no_release_at_all_is_told(tmp_path: Path):
    with pytest.raises(seal.DamagedError, match="holds no release: restore it"):
        seal.read_all(tmp_path)
    with pytest.raises(seal.DamagedError, match=r"cannot be read \(No such file or directory\): restore it"):
        seal.read_all(tmp_path / "nowhere")


def test_the_app_does_not_start_on_a_damaged_release_and_says_so_in_one_line(tmp_path: Path):
    shutil.copytree(ROOT / "data", tmp_path / "data", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "app.py", tmp_path)
    changed_exponent(tmp_path / "data" / "releases" / NEWEST)
    ended = subprocess.run(
        [sys.executable, "app.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 1
    (line,) = ended.stderr.splitlines()
    assert "training_runs.csv is not the file this release was cut with" in line
