"""A soak of seconds: a replica dies, sessions go on at the other, and every file is as made alone."""

import math

import pytest

from benchmarks import soak
from benchmarks.soak import Seen, pool, slope_mb_per_h, sound
from views.registry import VIEWS
from views.view import read, split


def test_a_few_sessions_outlive_a_replica_and_get_every_file_as_made_alone(monkeypatch):
    links = [
        "/fleet.json?release=2026-07",
        "/fleet.csv?release=2026-07",
        "/fleet.panel.json",
        "/deck.pptx?view=/fleet",
    ]
    monkeypatch.setattr(soak, "pool", lambda: links)
    monkeypatch.setattr(soak, "EVERY_S", 0.5)
    monkeypatch.setattr(soak, "SAMPLE_S", 1.0)
    said: list[str] = []
    seen = soak.soak(minutes=0.4, sessions=4, say=said.append)
    assert not seen.wrong, said
    assert not seen.faults.keys() - {"busy (503)"}, said
    assert seen.moved >= 1
    assert seen.did["page opened"] >= 4
    assert len(seen.memory) >= 2  # the renewed one may come too late to be looked at
    assert sound(seen)
    assert said[0].startswith("4 sessions for 0.4 minutes on two replicas")


def test_every_view_is_in_the_pool_by_valid_pinned_links():
    links = pool()
    assert {view.name for view in VIEWS.values()} | {"deck"} == {link[1:].partition(".")[0] for link in links}
    by_name = {view.name: view for view in VIEWS.values()}
    for link in links[:-1]:
        path, query = split(link)
        settings, ignored = read(by_name[path[1:].partition(".")[0]], query)
        assert not ignored
        assert settings.release != "latest"


def test_memory_that_grows_steadily_has_its_slope():
    samples = [(60.0 * minute, 300_000_000 + 1_000_000 * minute) for minute in range(60)]
    assert slope_mb_per_h(samples) == pytest.approx(60)
    assert math.isnan(slope_mb_per_h(samples[:2]))


@pytest.mark.parametrize(
    ("seen", "is_sound"),
    [
        (Seen(memory={1: [(0.0, 10**8)]}), True),
        (Seen(memory={1: [(0.0, 10**8)]}, wrong=["/fleet.csv"]), False),
        (Seen(memory={1: [(0.0, 2 * 10**9)]}), False),
    ],
)
def test_a_wrong_file_or_too_much_memory_is_not_sound(seen, is_sound):
    assert sound(seen) is is_sound


def test_a_fault_is_not_sound_but_being_told_to_come_back_is():
    seen = Seen(memory={1: [(0.0, 10**8)]})
    seen.faults["busy (503)"] = 3
    assert sound(seen)
    seen.faults["upload 403"] = 1
    assert not sound(seen)
