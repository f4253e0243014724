import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from data import releases, seal, standing
from tests.data.cutting import BESIDE, later

NEWEST = releases.latest()
ROOT = Path(__file__).parents[2]


def changed(file: str, *, old: bytes, new: bytes) -> Any:
    """Return what replaces the first of some bytes of a file of a release."""

    def damage(release: Path) -> None:
        content = (release / file).read_bytes()
        assert old in content
        (release / file).write_bytes(content.replace(old, new, 1))

    return damage


def cut_short(file: str, *, byte: int = 100) -> Any:
    """Return what leaves some bytes of a file of a release, or of its sealed copy of a standing table."""

    def damage(release: Path) -> None:
        (path,) = release.glob(file)
        path.write_bytes(path.read_bytes()[:byte])

    return damage


def gone(file: str) -> Any:
    """Return what deletes a file."""
    return lambda release: next(release.glob(file)).unlink()


def recorded(**parts: Any) -> Any:
    """Return what writes parts of the record anew."""

    def damage(release: Path) -> None:
        record = json.loads((release / seal.RECORD).read_text(encoding="utf-8"))
        (release / seal.RECORD).write_text(json.dumps(record | parts), encoding="utf-8")

    return damage


def a_folder_in_its_place(release: Path) -> None:
    (release / "accelerators.csv").unlink()
    (release / "accelerators.csv").mkdir()


def of_another(release: Path) -> None:
    shutil.copy(release.parent / releases.names()[0] / seal.RECORD, release)


NOT_THE_FILE = "is not the file this release was cut with"
UNSAID = "release.json does not say "
STANDING = f"{UNSAID}the SHA-256 of the standing tables that it is read with"
FAULTS = {
    "cut short": (cut_short("training_runs.csv"), f"training_runs.csv {NOT_THE_FILE}"),
    "an exponent": (
        changed("training_runs.csv", old=b"+25", new=b"+26"),
        f"training_runs.csv {NOT_THE_FILE}",
    ),
    "line ends": (changed("corrections.csv", old=b"\n", new=b"\r\n"), f"corrections.csv {NOT_THE_FILE}"),
    "a file gone": (gone("accelerators.csv"), "accelerators.csv is missing"),
    "an empty file": (cut_short("accelerators.csv", byte=0), "accelerators.csv is empty"),
    "a folder": (a_folder_in_its_place, "accelerators.csv cannot be read (Is a directory)"),
    "no record": (gone("release.json"), "release.json is missing"),
    "record cut short": (cut_short("release.json"), "release.json is not JSON"),
    "record of another": (of_another, f"release.json is not the record of release {NEWEST}"),
    "no files": (recorded(files={}), f"{UNSAID}the SHA-256 of its tables"),
    "no hashes": (recorded(files=None), f"{UNSAID}the SHA-256 of its tables"),
    "no standing tables": (recorded(standing=["networks"]), STANDING),
    "standing elsewhere": (recorded(standing={"../networks": "0" * 64}), STANDING),
    "no day": (recorded(sealed="lately"), f"{UNSAID}the day on which it was sealed"),
    "alone": (recorded(beside=["2025-11"]), f"{UNSAID}which releases it is read beside, itself among them"),
    "beside no release": (
        recorded(beside=[NEWEST, "../2025-11"]),
        "release.json names something among the releases it is read beside that is no release",
    ),
    "beside a missing one": (
        recorded(beside=[NEWEST, "2024-01"]),
        "json is read beside 2024-01, which is missing",
    ),
    "copy cut short": (cut_short("../standing/networks-*.csv"), f".csv {NOT_THE_FILE}"),
    "copy gone": (gone("../standing/sources-*.csv"), ".csv is missing"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_damaged_release_is_told_in_one_line_with_its_file_and_what_to_do(fault, folder):
    damage, words = FAULTS[fault]
    damage(folder / NEWEST)
    with pytest.raises(seal.DamagedError) as refused:
        seal.read_all(folder)
    text = str(refused.value)
    assert f"{folder / (seal.COPIES if fault.startswith('copy') else NEWEST)}" in text
    assert words in text and "\n" not in text
    assert "restore it from the repository" in text


def test_a_release_is_cut_once_with_the_copies_that_are_missing_and_read_back_as_it_was(folder):
    copies = folder / seal.COPIES
    before = {copy.name for copy in copies.iterdir()}
    rows = standing.working()["networks"].splitlines(keepends=True)
    release = later(folder, "2030-01", working={"networks": b"".join(rows[:-1])})
    (new,) = {copy.name for copy in copies.iterdir()} - before
    whole = seal.read(release)
    assert new == f"networks-{whole.record.standing['networks'][:12]}.csv"
    assert whole.standing["networks"].whole() == (copies / new).read_bytes()
    assert (whole.record.sealed, whole.record.beside) == ("2030-01-15", (*BESIDE, "2030-01"))
    with pytest.raises(FileExistsError, match=r"2030-01 is sealed and cannot be overwritten.*, 2030-01\.1\."):
        later(folder, "2030-01")


def test_no_release_is_sealed_with_a_damaged_copy(folder):
    FAULTS["copy cut short"][0](folder / NEWEST)
    with pytest.raises(seal.DamagedError, match=r"networks-[0-9a-f]{12}\.csv is not the file"):
        later(folder, "2030-01")
    assert not (folder / "2030-01").exists()


def test_no_release_at_all_is_told(tmp_path):
    with pytest.raises(seal.DamagedError, match="contains no release: restore it"):
        seal.read_all(tmp_path)
    with pytest.raises(seal.DamagedError, match=r"cannot be read \(No such file or directory\): restore it"):
        seal.read_all(tmp_path / "nowhere")


def test_the_app_does_not_start_on_a_damaged_release_and_says_so_in_one_line(tmp_path):
    shutil.copytree(ROOT / "data", tmp_path / "data", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "app.py", tmp_path)
    FAULTS["an exponent"][0](tmp_path / "data" / "releases" / NEWEST)
    text: Any = {"cwd": tmp_path, "capture_output": True, "text": True, "timeout": 60}
    ended = subprocess.run([sys.executable, "app.py"], **text, check=False)
    assert ended.returncode == 1
    (line,) = ended.stderr.splitlines()
    assert "training_runs.csv is not the file this release was cut with" in line
