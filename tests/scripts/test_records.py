import json
from dataclasses import replace
from datetime import date
from itertools import product
from typing import Any

import pytest

from data import contract, records
from data.records import RecordedFigure
from data.releases import names
from scripts import records as command
from scripts.records import COMMAND, changed, claim_tests_now, figures_now, main, moved, pages_now
from tests.length import at_length
from views.claims import expressions as claims
from views.registry import VIEWS
from views.short_link import recorded
from views.short_link.recorded import Recorded

RELEASES = at_length(names(), few=[names()[0], names()[-1]])
"""Those whose numbers are computed again."""

WORDS = {"since": (), "who": ("all", "none")}
PAGE = Recorded(path="/hello", defaults={"since": "2020", "who": "all"}, words=WORDS)


def test_the_defaults_of_every_page_are_on_record():
    new = [words for page in pages_now() if (words := changed(page))]
    assert not new, (
        f"{'; '.join(new)}. Short links already given away must keep their meaning: "
        "run `python -m scripts.records defaults` and commit views/short_link/recorded.json."
    )


def test_what_changed_is_said_and_added_at_the_end(*, monkeypatch, tmp_path, capsys):
    file = tmp_path / "recorded.json"
    file.write_text(recorded.as_text([PAGE]), encoding="utf-8")
    now = Recorded(path="/hello", defaults={"since": "", "level": "90"}, words={"since": (), "level": ()})
    monkeypatch.setattr(command, "FILE", file)
    for module in (recorded, command):
        monkeypatch.setattr(module, "pages", lambda: (PAGE,))
    monkeypatch.setattr(command, "pages_now", lambda: [now])
    assert main(["defaults"]) == 0
    assert capsys.readouterr().out == (
        "/hello: since is empty, was 2020, who is gone, was all, level is 90, was unknown\n"
        "pages recorded in recorded.json: 1\n"
    )
    assert [recorded.from_json(item) for item in json.loads(file.read_text(encoding="utf-8"))] == [PAGE, now]
    assert changed(replace(PAGE, words={"since": (), "who": ("all", "none", "some")})) == ""
    assert changed(Recorded(path="/new", defaults={}, words={})) == "/new is new"


@pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
def test_every_default_figure_is_the_one_on_record(view):
    pages = set(product([view.name], RELEASES))
    on_record = {key: row for key, row in records.figures().items() if key[:2] in pages}
    now = {row.key: row for row in figures_now([view], RELEASES)}
    log = moved(now.values(), before=on_record, reason="")
    words = [f"{move.figure} of {move.release} was {move.was}, is {move.now}" for move in log]
    words += [f"{' '.join(key)} is new" for key in now.keys() - on_record.keys()]
    words += [f"{' '.join(key)} is gone" for key in on_record.keys() - now.keys()]
    changed = {key: row for key, row in now.items() if on_record.get(key, row).words != row.words}
    words += [f"{' '.join(key)} reads “{row.text}” “{row.interval}”" for key, row in changed.items()]
    assert not words, f"{'; '.join(words)}. If that is meant, run `{COMMAND}` and commit data/derived."


def test_what_every_test_of_a_statement_measures_is_on_record_and_read_from_there():
    now, on_record = claim_tests_now(RELEASES), claims.on_record()
    assert now.keys() == {key for key in on_record if key[0] in RELEASES}
    moved = [key for key, ours in now.items() if not ours.is_close(on_record[key], within=records.TOLERANCE)]
    assert not moved, f"{moved} moved. If that is meant, run `{COMMAND}` and commit data/derived."
    assert claims.FILE.read_text(encoding="utf-8") == claims.as_text(on_record.items())


def test_a_number_that_has_not_moved_keeps_its_line(*, monkeypatch, tmp_path, capsys):
    """Another machine's last digits are no change; a number that moved, and one that is new, are written."""
    (key, ours), (other, theirs), *_ = claims.on_record().items()
    monkeypatch.setattr(claims, "FILE", tmp_path / "claim_tests.csv")
    claims.FILE.write_text(claims.as_text([(key, ours)]), encoding="utf-8")
    claims.on_record.cache_clear()
    for factor, counted in ((1 + 1e-9, 1), (1.01, 1)):
        near = replace(ours, value=ours.value * factor)
        monkeypatch.setattr(command, "claim_tests_now", lambda near=near: {key: near, other: theirs})
        assert main(["claims"]) == 0
        assert f"tests of claims: {counted} moved or new" in capsys.readouterr().out
        assert claims.on_record() == {key: ours if factor < 1.001 else near, other: theirs}
    monkeypatch.undo()
    claims.on_record.cache_clear()


OLD, NEW = "2025-11", "2026-07"
ROW: Any = {"view": "hello", "figure": "most", "value": 3.0, "low": None, "high": None, "unit": "1"}
EARLIER = RecordedFigure(**ROW, release=OLD, text="3 chips", interval="")
LATER = replace(EARLIER, release=NEW, value=5.0, text="5 chips")


@pytest.fixture
def record(monkeypatch: pytest.MonkeyPatch, tmp_path):
    """Return what sets the figures of now; the record and the log are of this test and hold two figures."""
    monkeypatch.setattr(records, "FIGURES", tmp_path / "figures.csv")
    monkeypatch.setattr(records, "MOVED", tmp_path / "moved.csv")
    for name in ("moves", "figures"):
        monkeypatch.setattr(records, name, getattr(records, name).__wrapped__)
    records.FIGURES.write_text(records.figures_text([EARLIER, LATER]), encoding="utf-8")
    records.MOVED.write_text(records.moved_text([]), encoding="utf-8")
    return lambda *rows: monkeypatch.setattr(command, "figures_now", lambda: list(rows))


def test_a_figure_of_a_sealed_release_that_moves_needs_a_reason_and_is_logged_as_method(record, capsys):
    record(EARLIER, replace(LATER, value=6.0, text="6 chips"))
    before = records.FIGURES.read_bytes()
    assert main(["figures"]) == 1
    printed = capsys.readouterr()
    assert f"hello, release {NEW}, most: 5 chips became 6 chips (method)" in printed.out
    assert printed.err == f"nothing was written. Give the reason why these figures moved: {COMMAND}\n"
    assert (records.FIGURES.read_bytes(), records.moves()) == (before, ())
    assert main(["figures", "--why", "Ties\ncount once."]) == 0
    (move,) = records.moves()
    assert (move.day, move.release, move.figure) == (date.today().isoformat(), NEW, "most")
    assert (move.was, move.now, move.kind) == ("5 chips", "6 chips", "method")
    assert move.reason == "Ties count once."
    assert records.figures()[LATER.key].value == 6.0
    assert main(["figures", "--why", "again"]) == 0
    assert len(records.moves()) == 1


def test_a_release_that_is_not_on_record_is_compared_with_the_one_before_it(record, monkeypatch):
    for release, kind in ((f"{NEW}.1", "correction"), ("2030-01", "rows")):
        monkeypatch.setattr(command, "names", lambda release=release: (OLD, NEW, release))
        other = replace(LATER, release=release, value=7.0, text="7 chips")
        before = {row.key: row for row in (EARLIER, LATER)}
        (move,) = moved([EARLIER, LATER, other], before=before, reason="why")
        assert (move.release, move.was, move.now, move.kind) == (release, "5 chips", "7 chips", kind)
        assert moved([EARLIER, LATER, replace(LATER, release=release)], before=before, reason="") == []


def test_an_interval_is_logged_where_it_alone_moved(record):
    row = replace(LATER, low=4.0, high=6.0, interval="4–6")
    (move,) = moved([replace(row, high=7.0, interval="4–7")], before={row.key: row}, reason="why")
    assert (move.was, move.now) == ("5 chips (4–6)", "5 chips (4–7)")


def test_other_words_for_the_same_number_are_recorded_without_a_reason(record):
    reworded = replace(LATER, value=5.0 * (1 + 1e-9), text="five chips")
    record(EARLIER, reworded)
    assert main(["figures"]) == 0
    assert records.moves() == () and records.figures()[LATER.key].text == "five chips"


def test_a_reason_is_short_enough_for_a_slide(record, capsys):
    record(EARLIER, LATER)
    with pytest.raises(SystemExit):
        main(["figures", "--why", "a" * 161])
    assert "--why is at most 160 characters, as slides show it; got 161." in capsys.readouterr().err


def test_tables_of_a_release_are_entered_into_the_descriptor_once(*, tmp_path, monkeypatch, capsys):
    whole = dict(contract.package())
    fewer = [one for one in whole["resources"] if not one["path"].startswith("releases/")]
    (tmp_path / "datapackage.json").write_text(json.dumps(whole | {"resources": fewer}), encoding="utf-8")
    monkeypatch.setattr(contract, "DIRECTORY", tmp_path)
    for count in (3 * len(names()), 0):
        assert main(["descriptor"]) == 0
        assert capsys.readouterr().out == f"tables of releases entered into datapackage.json: {count}\n"
    package = json.loads((tmp_path / "datapackage.json").read_text(encoding="utf-8"))
    assert all(one in package["resources"] for one in whole["resources"])
