import math

import pytest

from benchmarks import soak
from benchmarks.soak import BUSY, Seen, pool, slope_mb_per_h
from views.registry import VIEWS
from views.view import read, split


def test_a_few_sessions_outlive_a_replica_and_get_every_file_as_made_alone(monkeypatch):
    links = [f"/fleet.{form}?release=2026-07" for form in ("json", "csv")]
    links += ["/fleet.panel.json", "/deck.pptx?view=/fleet"]
    monkeypatch.setattr(soak, "pool", lambda: links)
    monkeypatch.setattr(soak, "EVERY_S", 0.5)
    monkeypatch.setattr(soak, "SAMPLE_S", 1.0)
    seen = soak.soak(minutes=0.2, sessions=4)
    assert not seen.wrong
    assert not seen.faults.keys() - {BUSY}
    assert seen.moved >= 1
    assert seen.did["page opened"] >= 4
    assert len(seen.memory) >= 2  # the renewed one may come too late to be looked at


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
    samples = [300_000_000 + 100_000 * number for number in range(700)]
    assert slope_mb_per_h(samples) == pytest.approx(72)
    assert math.isnan(slope_mb_per_h(samples[:200]))


def sound_seen() -> Seen:
    """Return what a good hour was like, with one answer in a hundred that came later."""
    seen = Seen(waits_s=[0.1] * 100, memory=[[300_000_000] * 700])
    seen.did["csv"] = 100
    seen.faults[BUSY] = 1
    return seen


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda seen: seen.wrong.append("/fleet.csv"), "1 wrong files"),
        (lambda seen: seen.faults.update({"own data not read": 1}), "faults: own data not read"),
        (lambda seen: seen.faults.update({BUSY: 1}), "2 of 100 answers 503"),
        (lambda seen: seen.waits_s.extend([1.2] * 10), "95 of 100 waits up to 1.20 s"),
        (
            lambda seen: seen.memory.append([10**8 + 50_000 * number for number in range(700)]),
            "memory grows by 36 MB/h",
        ),
    ],
)
def test_one_fault_of_any_kind_is_named(*, change, fault, monkeypatch, capsys):
    seen = sound_seen()
    monkeypatch.setattr(soak, "soak", lambda **_load: seen)
    assert soak.main(["--minutes", "5"]) == 0
    first, *_, memory, last = capsys.readouterr().out.splitlines()
    assert first.startswith("50 sessions for 5 minutes on two replicas") and last == "sound"
    assert memory.startswith("  replica 1  0.30 of 1 GB at most, 3495 s, ")
    change(seen)
    assert soak.main([]) == 1
    assert capsys.readouterr().out.endswith(f"not sound: {fault}\n")
