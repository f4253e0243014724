"""A release from what is published now: whole and in order, or refused with nothing written."""

import csv
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from data import contract, curate, refresh, releases, seal
from tests.data import exports
from tests.data.misbehaving import serving

DAY = "2030-01-15"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder data/ with our releases, which the command may write into."""
    shutil.copytree(releases.DIRECTORY, tmp_path / "releases")
    shutil.copytree(contract.DIRECTORY / "inputs", tmp_path / "inputs")
    shutil.copy(contract.DIRECTORY / "datapackage.json", tmp_path)
    monkeypatch.setattr(releases, "DIRECTORY", tmp_path / "releases")
    monkeypatch.setattr(refresh, "_descriptor", lambda: tmp_path / "datapackage.json")
    return tmp_path


def changed(content: bytes, change: Callable[[list[list[str]]], list[list[str]]]) -> bytes:
    text = io.StringIO()
    rows = list(csv.reader(io.StringIO(content.decode(), newline="")))
    csv.writer(text, lineterminator="\n").writerows([rows[0], *change(rows[1:])])
    return text.getvalue().encode()


def with_one_more(rows: list[list[str]]) -> list[list[str]]:
    return [*rows, ["Another chip", *rows[0][1:]]]


def run(folder: Path, *, how: str = "", accept: bool = False, **files: bytes) -> int:
    models, hardware = exports.whole(releases.load("2026-07"))
    given = {"models": models, "hardware": hardware} | files
    with serving(given) as site:
        way = f"{site}/{how}" if how else site
        (folder / "exports.toml").write_text(f'models = "{way}/models"\nhardware = "{site}/hardware"\n')
        at = ["--release", DAY, "--addresses", str(folder / "exports.toml")]
        return refresh.main([*at, *(["--accept"] if accept else [])])


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "releases").iterdir() if path.name != seal.COPIES)


def test_what_is_new_becomes_a_release_named_by_its_day_with_a_change_report(
    *, folder: Path, capsys: pytest.CaptureFixture[str]
):
    hardware = changed(exports.whole(releases.load("2026-07"))[1], with_one_more)
    assert run(folder, hardware=hardware) == 0
    said = capsys.readouterr().out
    assert f"Changes from 2026-07 to {DAY}" in said
    assert "added   Another chip" in said
    assert f"Release {DAY} is written." in said
    assert left(folder) == ["2025-11", "2026-07", DAY]
    assert releases.latest() == DAY
    assert len(releases.load(DAY).accelerators) == len(releases.load("2026-07").accelerators) + 1
    listed = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))["resources"]
    assert f"accelerators-{DAY}" in {one["name"] for one in listed}


def test_the_same_exports_again_make_no_release(*, folder: Path, capsys: pytest.CaptureFixture[str]):
    hardware = changed(exports.whole(releases.load("2026-07"))[1], with_one_more)
    assert run(folder, hardware=hardware) == 0
    capsys.readouterr()
    models = exports.whole(releases.load("2026-07"))[0]
    with serving({"models": models, "hardware": hardware}) as site:
        (folder / "exports.toml").write_text(f'models = "{site}/models"\nhardware = "{site}/hardware"\n')
        outcome = refresh.refresh(name="2030-02-15", file=folder / "exports.toml")
    assert outcome.lines == (f"Nothing is new: the exports are those that {DAY} was cut from.",)
    assert left(folder) == ["2025-11", "2026-07", DAY]


def test_what_a_killed_run_left_is_made_good_by_the_next_one(folder: Path):
    hardware = changed(exports.whole(releases.load("2026-07"))[1], with_one_more)
    before = (folder / "datapackage.json").read_text(encoding="utf-8")
    assert run(folder, hardware=hardware) == 0
    (folder / "datapackage.json").write_text(before, encoding="utf-8")  # killed before it was named there
    killed = folder / "releases" / ".2030-02-15-killed"
    killed.mkdir()
    (killed / "accelerators.csv").write_text("half", encoding="utf-8")
    more = changed(hardware, lambda rows: [*rows, ["One more chip", *rows[0][1:]]])
    models = exports.whole(releases.load("2026-07"))[0]
    with serving({"models": models, "hardware": more}) as site:
        (folder / "exports.toml").write_text(f'models = "{site}/models"\nhardware = "{site}/hardware"\n')
        assert refresh.main(["--release", "2030-02-15", "--addresses", str(folder / "exports.toml")]) == 0
    assert left(folder) == ["2025-11", "2026-07", DAY, "2030-02-15"]
    listed = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))["resources"]
    assert {f"accelerators-{DAY}", "accelerators-2030-02-15"} <= {one["name"] for one in listed}


def test_a_release_is_frozen_so_a_second_one_of_a_day_is_refused(
    *, folder: Path, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(ValueError, match="releases are frozen; 2026-07 is not after it"):
        refresh.refresh(name="2026-07")


@pytest.mark.parametrize("how", ["page", "short", "failing", "elsewhere", "empty"])
def test_a_server_that_misbehaves_leaves_the_releases_as_they_were(
    *, folder: Path, how: str, capsys: pytest.CaptureFixture[str]
):
    assert run(folder, how=how) == 1
    error = capsys.readouterr().err
    assert error.startswith("refused, nothing was written:\nhttp://127.0.0.1:")
    assert "Traceback" not in error
    assert left(folder) == ["2025-11", "2026-07"]


def test_a_part_of_an_export_is_refused(*, folder: Path, capsys: pytest.CaptureFixture[str]):
    models = changed(exports.whole(releases.load("2026-07"))[0], lambda rows: rows[:300])
    assert run(folder, models=models) == 1
    assert "is this the whole export?" in capsys.readouterr().err
    assert left(folder) == ["2025-11", "2026-07"]


def test_many_rows_gone_are_refused_until_somebody_accepts_them(
    *, folder: Path, capsys: pytest.CaptureFixture[str]
):
    models = changed(exports.whole(releases.load("2026-07"))[0], lambda rows: rows[:-80])
    assert run(folder, models=models) == 1
    assert "training_runs: 80 of the 1,036 rows of 2026-07 are gone" in capsys.readouterr().err
    assert left(folder) == ["2025-11", "2026-07"]
    assert run(folder, models=models, accept=True) == 0
    assert "accepted: training_runs: 80 of the 1,036 rows" in capsys.readouterr().out
    assert left(folder) == ["2025-11", "2026-07", DAY]


def compute_of_the_newest(rows: list[list[str]], *, header: list[str], text: str) -> list[list[str]]:
    place = header.index("Training compute (FLOP)")
    newest = sorted(rows, key=lambda row: row[header.index("Publication date")])[-40:]
    for row in newest:
        row[place] = text
    return rows


@pytest.mark.parametrize("text", ["1e309", "1e35", "\x1b[2J1e25"])
def test_rows_that_cannot_be_believed_are_named_and_refused_until_somebody_accepts_them(
    *, folder: Path, text: str, capsys: pytest.CaptureFixture[str]
):
    models = exports.whole(releases.load("2026-07"))[0]
    header = next(csv.reader(io.StringIO(models.decode(), newline="")))
    models = changed(models, lambda rows: compute_of_the_newest(rows, header=header, text=text))
    assert run(folder, models=models) == 1
    error = capsys.readouterr().err
    refused = error.partition("refused, nothing was written:\n")[2]
    assert refused.count("row left out: ") == 40 and "('Gemini 3" in refused
    assert "a finite number is needed; got" in refused or "at most 1e+29 FLOP is plausible" in refused
    assert "\x1b" not in error and "--accept" in error
    assert left(folder) == ["2025-11", "2026-07"]
    assert run(folder, models=models, accept=True) == 0
    assert capsys.readouterr().out.count("accepted: row left out: ") == 40
    assert len(releases.load(DAY).training_runs) == len(releases.load("2026-07").training_runs) - 40


@pytest.mark.parametrize("mark", ["\x1b[31m", "\x7f", "\u202e", "\u200b"])
def test_a_name_with_a_character_that_cannot_be_seen_is_refused_and_printed_as_an_escape(
    *, folder: Path, mark: str, capsys: pytest.CaptureFixture[str]
):
    name = f"Another{mark} chip"
    more = changed(exports.whole(releases.load("2026-07"))[1], lambda rows: [*rows, [name, *rows[0][1:]]])
    assert run(folder, hardware=more) == 1
    error = capsys.readouterr().err
    assert f"text without control characters is needed; got {name!r}" in error
    assert mark not in error
    assert left(folder) == ["2025-11", "2026-07"]
    assert run(folder, hardware=more, accept=True) == 0
    files = (folder / "releases" / DAY).iterdir()
    assert not any(mark in file.read_text(encoding="utf-8") for file in files)


def test_a_rate_that_jumps_beyond_its_interval_is_refused_with_both(
    *, folder: Path, capsys: pytest.CaptureFixture[str]
):
    models = exports.whole(releases.load("2026-07"))[0]
    header = next(csv.reader(io.StringIO(models.decode(), newline="")))
    compute, day = (header.index(name) for name in ("Training compute (FLOP)", "Publication date"))

    def slip(rows: list[list[str]]) -> list[list[str]]:
        for row in rows:
            if row[compute] and row[day] >= "2024":
                row[compute] = repr(float(row[compute]) / 1e3)
        return rows

    assert run(folder, models=changed(models, slip)) == 1
    error = capsys.readouterr().err
    assert "all notable, since 2010: " in error
    assert "x a year lies outside the 90 % interval of 2026-07, " in error
    assert "--accept" in error
    assert left(folder) == ["2025-11", "2026-07"]


def test_the_interval_of_a_headline_holds_its_rate():
    for headline in curate.changes.headlines(releases.load("2026-07")):
        low, high = curate.analysed_interval(headline)
        assert low < curate.analysed_rate(headline) < high


def test_the_addresses_are_those_of_epoch_ai():
    assert refresh.addresses() == {
        "models": "https://epoch.ai/data/notable_ai_models.csv",
        "hardware": "https://epoch.ai/data/ml_hardware.csv",
    }


@pytest.mark.parametrize(("text", "words"), [("models = 1", "names the addresses of"), ("models", "as TOML")])
def test_a_file_of_addresses_names_both(*, tmp_path: Path, text: str, words: str):
    (tmp_path / "a.toml").write_text(text)
    with pytest.raises(ValueError, match=words):
        refresh.addresses(tmp_path / "a.toml")


def test_a_name_that_is_no_date_is_told(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        refresh.main(["--release", "soon"])
    assert (
        "--release is a month such as 2026-07 or a day such as 2026-07-18; got 'soon'."
        in capsys.readouterr().err
    )
