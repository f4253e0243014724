"""Every attack is held by our server and succeeds where the guard against it is off; `make attack` does all of it."""

import subprocess
import sys
from contextlib import nullcontext
from dataclasses import replace

import pytest

from benchmarks import attack, target
from benchmarks.attack import attacked, controlled, main
from benchmarks.target import FRESH_S, LEAST, Row, ordinary
from views.registry import VIEWS
from views.view import read, split


def test_every_part_that_a_control_replaces_is_there():
    code = "from benchmarks.unguarded import OFF; [take_off() for take_off in OFF.values()]"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_server_that_refuses_everything_is_not_held():
    bombs, hostile, *_ = attacked(["bombs", "hostile"], without=("files", "sessions"), share=0.01)
    assert "an ordinary reader's session: InvalidStatus" in " ".join(bombs.faults)
    assert "/training-compute.csv?since=2018 is answered 404" in hostile.faults
    assert "an ordinary reader's /growth-gap.json: 404" in " ".join(hostile.faults)


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
    row = Row(load="", waits_s=waits_s, alone_s=alone_s)
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
    words = r"^Only a server on this machine is attacked; got http://192\.0\.2\.1:80\.$"
    with pytest.raises(ValueError, match=words):
        next(attacked(["hostile"], share=0.01))


HELD = Row(load="1", test="bombs")


@pytest.mark.parametrize(
    ("row", "status", "line", "without_guard"),
    [
        (HELD, 0, "1 held; fell: none; inconclusive: none\n", "fell"),
        (replace(HELD, faults=["204"]), 1, "0 held; fell: bombs; inconclusive: none\n", "held"),
        (replace(HELD, waits_s=[1.0]), 2, "0 held; fell: none; inconclusive: bombs\n", "inconclusive"),
    ],
)
def test_how_it_ended_is_named_and_the_status_and_an_attack_that_fails_without_the_guard_is_a_fault(
    *, monkeypatch, capsys, row, status, line, without_guard
):
    monkeypatch.setattr(attack, "attacked", lambda names, **_circumstances: [row])
    assert main(["--only", "bombs"]) == status
    assert capsys.readouterr().out == f"{row}\n{line}"
    assert [row.verdict for row in controlled(["bombs"])] == [without_guard]
