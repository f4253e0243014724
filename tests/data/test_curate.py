import shutil
from datetime import date
from pathlib import Path

import pytest

from data import curate, drafts, releases, seal
from tests.data import exports

NAME = "2030-01"


def built(*, models: bytes | None = None, lines: list[str] | None = None, **choices: bool) -> None:
    printed = lines if lines is not None else []
    files = {"models": ("m.csv", models or exports.models()), "hardware": ("h.csv", exports.hardware())}
    draft = drafts.draft(files, release=NAME, say=printed.append, **{"subset": True, **choices})
    drafts.write(draft, sealed=date(2030, 1, 15))


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_the_same_export_gives_the_same_bytes_and_what_needs_a_look_is_said(folder):
    lines: list[str] = []
    contents = []
    for _ in range(2):
        built(models=exports.models({"hardware": "Mystery"}), lines=lines)
        contents.append(content(folder / NAME))
        shutil.rmtree(folder / NAME)
    assert lines[0] == "reading and curating m.csv and h.csv"
    assert "note: NVIDIA Test 100 has no line in products.csv" in lines
    assert any("training hardware Mystery is no accelerator" in line for line in lines)
    assert contents[0] == contents[1]
    assert set(contents[0]) == {"accelerators.csv", "corrections.csv", "release.json", "training_runs.csv"}


def test_a_damaged_release_is_told_and_does_not_keep_another_from_being_cut(tmp_path, monkeypatch):
    damaged = tmp_path / "releases" / "2029-01"
    damaged.mkdir(parents=True)
    monkeypatch.setattr(releases, "DIRECTORY", tmp_path / "releases")
    lines: list[str] = []
    built(lines=lines)
    assert any("2029-01/release.json is missing" in line for line in lines)
    assert set(seal.read(tmp_path / "releases" / NAME).files) == set(seal.TABLES)


def test_a_part_of_an_export_is_refused_until_somebody_says_it_is_meant(folder):
    with pytest.raises(ValueError, match=r"m\.csv: 1 of \d{3} rows: is this the whole export\?\n"):
        built(subset=False)
    assert not (folder / NAME).exists()
    lines: list[str] = []
    built(lines=lines)
    assert any(line.startswith("note: h.csv: 1 of ") for line in lines)


def command(tmp_path: Path, *, release: str = NAME, models: bytes | None = None) -> list[str]:
    (tmp_path / "m.csv").write_bytes(models or exports.models())
    (tmp_path / "h.csv").write_bytes(exports.hardware())
    files = ["--models", str(tmp_path / "m.csv"), "--hardware", str(tmp_path / "h.csv")]
    return [*files, "--subset", "--release", release]


@pytest.mark.usefixtures("folder")
def test_the_command_prints_the_change_report(*, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(curate, "rates", lambda release: {"bandwidth": (1.5, 1.4, 1.6)})
    newest = releases.latest()
    assert curate.main(command(tmp_path)) == 0
    text = capsys.readouterr().out
    assert f"Changes from {newest} to {NAME}" in text and releases.latest() == NAME
    assert "training_runs:" in text and "1 added" in text and "gone" in text
    assert "not applied: the export has no such row" in text
    assert "1.500x -> 1.500x a year" in text
    assert "note: row left out" not in text
    models = exports.models({}, {"name": "Beta", "mfu": "45"})
    assert curate.main(command(tmp_path, release="2030-02", models=models)) == 0
    assert "note: row left out: m.csv, row 3 ('Beta'), column 'mfu'" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("models", "words"),
    [
        (b"nothing", "refused, nothing was written:\nm.csv: the file has one row"),
        (None, "m.csv: No such file or directory"),
    ],
    ids=["no export", "missing"],
)
def test_a_refusal_of_the_command_says_why_and_writes_nothing(*, models, words, folder, tmp_path, capsys):
    arguments = command(tmp_path, models=models)
    if models is None:
        (tmp_path / "m.csv").unlink()
    assert curate.main(arguments) == 1
    error = capsys.readouterr().err
    assert words in error and (models or f"cannot read {tmp_path / 'm.csv'}: " in error)
    assert not (folder / NAME).exists()


def test_a_report_that_fails_is_one_line_after_a_release_is_there(*, folder, tmp_path, monkeypatch, capsys):
    def failing(release: object) -> None:
        raise ValueError("no growth in two points")

    monkeypatch.setattr(curate, "rates", failing)
    assert curate.main(command(tmp_path)) == 1
    words = "was written completely, but its change report failed: no growth in two points\n"
    assert capsys.readouterr().err == f"{folder / NAME} {words}"
    assert (folder / NAME / "release.json").exists()
