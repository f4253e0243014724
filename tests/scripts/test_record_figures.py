"""What every view answers by default is on record, and what moved is logged with its reason."""

from dataclasses import replace
from datetime import date

import pytest

from data import records
from data.records import RecordedFigure
from data.releases import names
from scripts import record_figures
from scripts.record_figures import COMMAND, figures_now, main, moved
from views.registry import VIEWS


@pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
def test_every_default_figure_is_the_one_on_record(view):
    on_record = {key: row for key, row in records.figures().items() if key[0] == view.name}
    now = {row.key: row for row in figures_now([view])}
    log = moved(now.values(), before=on_record, reason="")
    words = [f"{move.figure} of {move.release} was {move.was}, is {move.now}" for move in log]
    words += [f"{' '.join(key)} is new" for key in now.keys() - on_record.keys()]
    words += [f"{' '.join(key)} is gone" for key in on_record.keys() - now.keys()]
    words += [
        f"{' '.join(key)} reads “{row.text}” “{row.interval}”"
        for key, row in now.items()
        if on_record.get(key, row).words != row.words
    ]
    assert not words, f"{'; '.join(words)}. If that is meant, run `{COMMAND}` and commit data/derived."


OLD, NEW = names()
EARLIER = RecordedFigure(
    view="hello",
    release=OLD,
    figure="most",
    value=3.0,
    low=None,
    high=None,
    unit="1",
    text="3 chips",
    interval="",
)
LATER = replace(EARLIER, release=NEW, value=5.0, text="5 chips")


@pytest.fixture
def record(monkeypatch: pytest.MonkeyPatch, tmp_path):
    """Return what sets the figures of now; the record and the log are of this test and hold two figures."""
    monkeypatch.setattr(records, "FIGURES", tmp_path / "figures.csv")
    monkeypatch.setattr(records, "MOVED", tmp_path / "moved.csv")
    monkeypatch.setattr(records, "moves", records.moves.__wrapped__)
    records.FIGURES.write_text(records.figures_text([EARLIER, LATER]), encoding="utf-8")
    records.MOVED.write_text(records.moved_text([]), encoding="utf-8")
    return lambda *rows: monkeypatch.setattr(record_figures, "figures_now", lambda: list(rows))


def test_nothing_moved_and_nothing_is_written(record, capsys):
    record(EARLIER, replace(LATER, value=5.0 * (1 + 1e-9)))
    before = records.FIGURES.read_bytes()
    assert main([]) == main(["--check"]) == 0
    assert capsys.readouterr().out == "figures: on record\n" * 2
    assert records.FIGURES.read_bytes() == before


def test_a_figure_of_a_sealed_release_that_moves_needs_a_reason_and_is_logged_as_method(record, capsys):
    record(EARLIER, replace(LATER, value=6.0, text="6 chips"))
    before = records.FIGURES.read_bytes()
    assert main([]) == 1
    said = capsys.readouterr()
    assert f"hello, release {NEW}, most: 5 chips became 6 chips (method)" in said.out
    assert said.err == f"nothing was written: say why these figures moved: {COMMAND}\n"
    assert (records.FIGURES.read_bytes(), records.moves()) == (before, ())
    assert main(["--check", "--why", "A reason."]) == 1
    assert records.FIGURES.read_bytes() == before
    assert main(["--why", "Ties\ncount once."]) == 0
    (move,) = records.moves()
    assert (move.day, move.release, move.figure) == (date.today().isoformat(), NEW, "most")
    assert (move.was, move.now, move.kind, move.reason) == (
        "5 chips",
        "6 chips",
        "method",
        "Ties count once.",
    )
    assert records.figures()[LATER.key].value == 6.0
    assert main(["--why", "again"]) == 0
    assert len(records.moves()) == 1


def test_a_release_that_is_not_on_record_is_compared_with_the_one_before_it(record, monkeypatch):
    for release, kind in ((f"{NEW}.1", "correction"), ("2030-01", "rows")):
        monkeypatch.setattr(record_figures, "names", lambda release=release: (OLD, NEW, release))
        other = replace(LATER, release=release, value=7.0, text="7 chips")
        before = {row.key: row for row in (EARLIER, LATER)}
        (move,) = moved([EARLIER, LATER, other], before=before, reason="why")
        assert (move.release, move.was, move.now, move.kind) == (release, "5 chips", "7 chips", kind)
        same = replace(LATER, release=release)
        assert moved([EARLIER, LATER, same], before=before, reason="") == []


def test_an_interval_is_logged_where_it_alone_moved(record):
    row = replace(LATER, low=4.0, high=6.0, interval="4–6")
    (move,) = moved([replace(row, high=7.0, interval="4–7")], before={row.key: row}, reason="why")
    assert (move.was, move.now) == ("5 chips (4–6)", "5 chips (4–7)")


def test_a_new_view_and_a_new_figure_have_not_moved(record, capsys):
    record(EARLIER, LATER, replace(LATER, view="other"), replace(LATER, figure="least"))
    assert main([]) == 0
    assert "figures: 0 moved, 2 new, 0 gone" in capsys.readouterr().out
    assert len(records.figures()) == 4


def test_other_words_for_the_same_number_are_recorded_without_a_reason(record):
    reworded = replace(LATER, value=5.0 * (1 + 1e-9), text="five chips")
    record(EARLIER, reworded)
    assert main([]) == 0
    assert records.moves() == () and records.figures()[LATER.key].text == "five chips"


def test_a_reason_is_short_enough_for_a_slide(record, capsys):
    record(EARLIER, LATER)
    with pytest.raises(SystemExit):
        main(["--why", "a" * 161])
    assert "--why is at most 160 characters, as slides show it; got 161." in capsys.readouterr().err
