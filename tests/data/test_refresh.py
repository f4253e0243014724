import csv
import io
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from data import refresh, releases, seal
from tests.data import exports
from tests.data.cutting import NAMES, NEWEST
from tests.data.misbehaving import serving

DAY = "2030-01-15"
ROWS = len(releases.load(NEWEST).training_runs)
Rows = list[list[str]]
MODELS, HARDWARE = exports.whole(releases.load(NEWEST))
MODEL_COLUMNS = next(csv.reader(io.StringIO(MODELS.decode(), newline="")))
COMPUTE, PUBLISHED = (MODEL_COLUMNS.index(name) for name in ("Training compute (FLOP)", "Publication date"))


def changed(content: bytes, change: Callable[[Rows], Rows]) -> bytes:
    text = io.StringIO()
    rows = list(csv.reader(io.StringIO(content.decode(), newline="")))
    csv.writer(text, lineterminator="\n").writerows([rows[0], *change(rows[1:])])
    return text.getvalue().encode()


def with_one_more(content: bytes = HARDWARE, *, name: str = "Another chip") -> bytes:
    return changed(content, lambda rows: [*rows, [name, *rows[0][1:]]])


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Return the command, run on exports that a server gives; nothing is written where it is refused."""

    def command(models=MODELS, hardware=HARDWARE, *, how="", accept=False, day=DAY):
        before = set(folder.iterdir())
        with serving({"models": models, "hardware": hardware}) as site:
            way = f"{site}/{how}" if how else site
            addresses = folder.parent / "exports.toml"
            addresses.write_text(f'models = "{way}/models"\nhardware = "{site}/hardware"\n')
            monkeypatch.setattr(refresh, "ADDRESSES", addresses)
            monkeypatch.setattr(refresh, "today", lambda: date.fromisoformat(day))
            status = refresh.main(["--accept"] if accept else [])
        assert status == 0 or set(folder.iterdir()) == before
        return status

    return command


def test_what_is_new_becomes_a_release_named_by_its_day_with_a_change_report(*, folder, run, capsys):
    assert run(hardware=with_one_more()) == 0
    printed = capsys.readouterr().out
    assert f"Changes from {NEWEST} to {DAY}" in printed
    assert "added   Another chip" in printed
    assert f"Release {DAY} is written." in printed
    assert seal.names(folder) == (*NAMES, DAY)
    assert releases.latest() == DAY
    assert len(releases.load(DAY).accelerators) == len(releases.load(NEWEST).accelerators) + 1
    assert run(hardware=with_one_more(), day="2030-02-15") == 0
    assert capsys.readouterr().out == f"Nothing is new: the exports are those that {DAY} was cut from.\n"
    assert seal.names(folder) == (*NAMES, DAY)


def test_a_release_is_frozen_so_a_second_one_of_a_day_is_refused(run, capsys):
    assert run(day="2026-06-30") == 1
    assert "and 2026-06-30 is not later. Refresh on a later day." in capsys.readouterr().err


@pytest.mark.parametrize("how", ["page", "short"])
def test_a_server_that_misbehaves_leaves_the_releases_as_they_were(*, how, run, capsys):
    assert run(how=how) == 1
    error = capsys.readouterr().err
    assert error.startswith("refused, nothing was written:\nhttp://127.0.0.1:")
    assert "Traceback" not in error


def test_many_rows_gone_are_refused_until_somebody_accepts_them(*, folder, run, capsys):
    models = changed(MODELS, lambda rows: rows[:-80])
    assert run(models) == 1
    assert f"training_runs: 80 of the {ROWS:,} rows of {NEWEST} are gone" in capsys.readouterr().err
    assert run(models, accept=True) == 0
    assert f"accepted: training_runs: 80 of the {ROWS:,} rows" in capsys.readouterr().out
    assert seal.names(folder) == (*NAMES, DAY)


def compute_of_the_newest(rows: Rows, *, text: str) -> Rows:
    for row in sorted(rows, key=lambda row: row[PUBLISHED])[-40:]:
        row[COMPUTE] = text
    return rows


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1e35", "at most 1e+29 FLOP is plausible"),
        ("\x1b[2J1e25", r"a finite number is needed; got '\x1b[2J1e25'"),
    ],
)
def test_rows_that_cannot_be_believed_are_named_and_refused_until_accepted(*, text, words, run, capsys):
    models = changed(MODELS, lambda rows: compute_of_the_newest(rows, text=text))
    assert run(models) == 1
    error = capsys.readouterr().err
    refused = error.partition("refused, nothing was written:\n")[2]
    assert refused.count("row left out: ") == 40 and "('Gemini 3" in refused
    assert words in refused
    assert "\x1b" not in error and "--accept" in error
    assert run(models, accept=True) == 0
    assert capsys.readouterr().out.count("accepted: row left out: ") == 40
    assert len(releases.load(DAY).training_runs) == ROWS - 40


def test_a_rate_that_jumps_beyond_its_interval_is_refused_with_both(run, capsys):
    def slip(rows: Rows) -> Rows:
        for row in rows:
            if row[COMPUTE] and row[PUBLISHED] >= "2024":
                row[COMPUTE] = repr(float(row[COMPUTE]) / 1e3)
        return rows

    assert run(changed(MODELS, slip)) == 1
    error = capsys.readouterr().err
    assert "Training compute, all notable runs, since 2010: " in error
    assert f"x a year is outside the 90% interval of {NEWEST}, " in error
    assert "--accept" in error


def test_the_addresses_are_those_of_epoch_ai():
    assert all(address.startswith("https://epoch.ai/data/") for address in refresh.addresses().values())


@pytest.mark.parametrize(("text", "fault"), [("models = 1", "'hardware'"), ("models", "Expected '='")])
def test_a_file_of_addresses_names_both(*, tmp_path, monkeypatch, text, fault):
    monkeypatch.setattr(refresh, "ADDRESSES", tmp_path / "a.toml")
    refresh.ADDRESSES.write_text(text)
    with pytest.raises(ValueError, match=f"must name the addresses of models and hardware as TOML: {fault}"):
        refresh.addresses()
