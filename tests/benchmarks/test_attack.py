"""Every attack is held by our server and succeeds where the guard against it is off; `make attack` does all of it."""

import subprocess
import sys
from contextlib import nullcontext
from dataclasses import replace

import pytest

from benchmarks import attack, attack_requests, target
from benchmarks.attack import ATTACKS, attacked, controlled, main
from benchmarks.attack_requests import abandoned_links, expensive_links, forged_addresses
from benchmarks.attack_sessions import own_data, rows_over_the_bound
from benchmarks.target import FRESH_S, LEAST, Row, Target, ordinary, too_late
from tests.length import LONG
from views.registry import VIEWS
from views.view import read, split

SHARE = 0.005
UNTIMED = ["hostile", "bombs", "uploads", "held", "half-open", "slow"]


at_length = pytest.mark.skipif(not LONG, reason="takes minutes and a quiet machine; make test-long runs it")


def quiet(_row):
    """Say nothing."""


def test_every_part_that_a_control_replaces_is_there():
    code = "from benchmarks.unguarded import OFF; [take_off() for take_off in OFF.values()]"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_attacks_of_each_kind_are_held():
    rows = attacked(UNTIMED, without=("patience",), share=SHARE, stretch=10, say=quiet)
    assert [str(row) for row in rows if row.verdict != "held"] == []
    assert rows[-1].test == "afterwards"


@at_length
def test_without_its_guard_each_attack_succeeds_by_what_it_does():
    names = [name for name in UNTIMED if name != "held"]
    off = [guard for name in names for guard in ATTACKS[name].guards]
    rows = attacked(names, without=off, share=SHARE, stretch=10, patience_s=4, say=quiet)
    for row, fault in zip(
        rows,
        ("reflects markup", "a bomb's end", "files of 19 MB taken", "stay open", "are not let go"),
        strict=False,
    ):
        assert fault in " ".join(row.faults), str(row)


@at_length
def test_uploads_that_count_before_they_arrive_are_noticed():
    [row] = controlled(["held"], share=SHARE, say=quiet)
    assert row.verdict == "held"  # it fell, as it must


def test_a_server_that_refuses_everything_is_not_held():
    bombs, hostile, *_ = attacked(["bombs", "hostile"], without=("files", "sessions"), share=0.01, say=quiet)
    assert "an ordinary reader's session: InvalidStatus" in " ".join(bombs.faults)
    assert "/training-compute.csv?since=2018 is answered 404" in hostile.faults
    assert "an ordinary reader's /growth-gap.json: 404" in " ".join(hostile.faults)


@at_length
def test_readers_wait_beside_an_attack_only_where_turns_and_hang_ups_are_not_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(target, "LEAST", 5)
    monkeypatch.setattr(attack_requests, "LAST_S", 3.0)
    attacks = (expensive_links, abandoned_links, forged_addresses)
    with Target(folder=tmp_path / "ours", share=0.1, stretch=40).start() as ours:
        for run in attacks:
            waits_s = run(ours).waits_s or ()
            assert not too_late(waits_s, stretch=40), (run, waits_s)
    off = ("turns", "hang-ups", "addresses")
    with Target(folder=tmp_path / "broken", without=off).start() as broken:
        for run in attacks:
            row = run(replace(broken, share=0.4))
            assert too_late(row.waits_s or ()), str(row)


@at_length
def test_readers_of_their_own_data_and_too_many_rows_are_held():
    rows = attacked(["rows", "own-data"], share=0.02, stretch=20, say=quiet)
    assert [str(row) for row in rows if row.verdict == "fell"] == []


@at_length
def test_own_data_that_nobody_can_read_are_not_held(tmp_path, monkeypatch):
    monkeypatch.setattr(target, "LEAST", 1)
    with Target(folder=tmp_path, without=("sessions",), share=0.01, stretch=10).start() as broken:
        assert own_data(broken).faults == [
            "of the sessions: 1 × InvalidStatus server rejected WebSocket connection: HTTP 403, "
            "0 × waiting still"
        ]


@at_length
def test_an_export_of_too_many_rows_is_noticed_where_it_is_taken(tmp_path):
    with Target(folder=tmp_path, without=("rows",)).start() as broken:
        assert "an export of 19,000 rows: taken" in rows_over_the_bound(broken).faults


@pytest.mark.parametrize(
    ("waits_s", "alone_s", "verdict"),
    [
        ([1.0] * LEAST, 0.5, "held"),
        ([1.0] * (LEAST - 1), 0.5, "inconclusive"),
        ([1.0] * LEAST, 0.6, "inconclusive"),
        ([1.0] * (LEAST - 1) + [FRESH_S + 0.1], 0.5, "held"),
        ([1.0] * (LEAST - 2) + [FRESH_S + 0.1] * 2, 0.5, "fell"),
        ([float("inf")] * 2, 0.5, "fell"),
        ([float("inf")] * 2, 0.6, "inconclusive"),
        (None, 5.0, "held"),
    ],
)
def test_a_verdict_needs_enough_waits_and_a_machine_that_has_time(*, waits_s, alone_s, verdict):
    row = Row(test="one", load="", result="", waits_s=waits_s, alone_s=alone_s)
    assert row.verdict == verdict
    assert replace(row, faults=["it is answered 500"]).verdict == "fell"


def test_the_links_that_readers_ask_beside_an_attack_are_sound_and_differ():
    links = [ordinary("/training-compute", number) for number in range(7280)]
    assert len(set(links)) == 7280
    assert not [link for link in links[::7] if read(VIEWS["/training-compute"], split(link)[1])[1]]


def test_the_expensive_links_are_valid_different_and_queue_apart():
    queries = [split(target.expensive(number))[1] for number in range(30)]
    view = VIEWS["/training-run"]
    assert len(set(queries)) == 30
    for query in queries:
        settings, ignored = read(view, query)
        assert not ignored
        assert view.expensive(settings)


def test_a_server_elsewhere_is_never_attacked(monkeypatch):
    elsewhere = nullcontext(("http://192.0.2.1:80", 1))
    monkeypatch.setattr(target, "started", lambda _name, **_circumstances: elsewhere)
    with pytest.raises(
        ValueError, match=r"^Only a server on this machine is attacked; got http://192\.0\.2\.1:80\.$"
    ):
        attacked(["hostile"], share=0.01)


@pytest.mark.parametrize(
    ("row", "status", "line"),
    [
        (Row(test="bombs", load="1", result="1"), 0, "1 held\n"),
        (Row(test="bombs", load="1", result="1", faults=["204"]), 1, "1 fell; fell: bombs\n"),
        (
            Row(test="bombs", load="1", result="1", waits_s=[1.0]),
            2,
            "1 inconclusive; inconclusive: bombs\n",
        ),
    ],
)
def test_how_it_ended_is_named_and_is_the_status(*, monkeypatch, capsys, row, status, line):
    monkeypatch.setattr(attack, "attacked", lambda names, **_circumstances: [row])
    assert main(["--only", "bombs"]) == status
    assert capsys.readouterr().out == line


def test_a_guard_without_which_an_attack_still_fails_is_a_fault(monkeypatch):
    held = Row(test="bombs", load="1", result="1")
    for row, verdict in (
        (held, "fell"),
        (replace(held, faults=["204"]), "held"),
        (replace(held, waits_s=[1.0]), "inconclusive"),
    ):
        monkeypatch.setattr(attack, "attacked", lambda _names, row=row, **_circumstances: [row])
        assert [row.verdict for row in controlled(["bombs"], say=quiet)] == [verdict]


def test_an_unknown_attack_is_refused(capsys):
    with pytest.raises(SystemExit):
        main(["--only", "nothing"])
    assert f"choose from {', '.join(ATTACKS)}" in capsys.readouterr().err.replace("'", "")
