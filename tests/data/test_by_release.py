import re
import threading
from dataclasses import replace
from inspect import unwrap
from pathlib import Path

from analysis.placement import tables as placement
from analysis.serving import tables as serving
from data import by_release, releases, standing
from data.by_release import ByRelease, kept_by_release
from tests.data.cutting import NEWEST, later

NEW = "2030-01-15"
ROOT = Path(__file__).parents[2]


def arrive(folder: Path) -> None:
    """Have a release come whose table of networks has one row less."""
    rows = standing.working()["networks"].splitlines(keepends=True)
    later(folder, NEW, working={"networks": b"".join(rows[:-1])})
    assert releases.look() == (NEW,)


def test_a_result_is_made_once_and_anew_for_a_release_with_other_tables(folder):
    made = []

    @kept_by_release()
    def rows(factor: int) -> int:
        """Count."""
        made.append(factor)
        return factor * len(standing.table("networks"))

    count = rows(1)
    assert rows(1) == count and rows(2) == 2 * count and made == [1, 2]
    assert rows.__doc__ == "Count."
    arrive(folder)
    assert rows(1) == count - 1
    with releases.reading(NEWEST):
        assert rows(1) == count
    assert made == [1, 2, 1]


def test_a_call_in_flight_while_a_release_arrives_leaves_nothing_old_for_its_readers(folder):
    begun, arrived = threading.Event(), threading.Event()

    @kept_by_release()
    def both() -> tuple[str, int]:
        first = releases.reference()
        begun.set()
        arrived.wait(30)
        return first, len(standing.table("networks"))

    seen: list[tuple[str, int]] = []
    thread = threading.Thread(target=lambda: seen.append(both()))
    thread.start()
    assert begun.wait(30)
    arrive(folder)
    arrived.set()
    thread.join(30)
    (old,) = seen
    assert old[0] == NEWEST, "the call in flight reads what it began with"
    assert both() == (NEW, old[1] - 1)


def test_a_mapping_of_a_module_is_that_of_the_release_in_hand(folder):
    networks = ByRelease(lambda: standing.rows("networks", "row_id"))
    before = dict(networks)
    arrive(folder)
    assert len(networks) == len(before) - 1
    last = standing.working()["networks"].decode().splitlines()[-1]
    assert set(before) - set(networks) == {last.split(",")[0]}
    with releases.reading(NEWEST):
        assert dict(networks) == before


def test_a_fit_that_releases_with_the_same_tables_share_reads_no_other(monkeypatch):
    shared, whole = serving.measured_points(), releases.tables()
    monkeypatch.setattr(placement, "fit_placement", lambda *tables, **further: None)
    of_devices = ("measured_decode", "architectures", "edge_devices")
    for make, reads in ((serving.measured_points, serving.READS), (placement.models, of_devices)):
        only = {name: whole.standing[name] for name in reads if name in whole.standing}
        with releases.reading(replace(whole, standing=only)):
            unwrap(make)()
    with releases.reading(replace(whole)):
        assert serving.measured_points() is shared


def test_only_so_many_sets_of_tables_keep_what_was_computed(folder):
    made = []

    @kept_by_release()
    def name() -> str:
        made.append(releases.reference())
        return made[-1]

    for day in range(1, by_release.MOST_TABLE_SETS + 2):
        later(folder, f"2030-02-{day:02d}")
    came = releases.look()
    assert len(came) == by_release.MOST_TABLE_SETS + 1
    for release in (*came, came[-1], came[0]):
        with releases.reading(release):
            assert name() == release
    assert made == [*came, came[0]]


PURE = {
    "analysis/hardware/names.py",
    "analysis/training_run/candidates.py",
    "analysis/training_run/plan_search.py",
    "analysis/trend/bootstrap.py",
    "data/contract.py",
    "data/records.py",
    "data/releases.py",
    "data/standing.py",
    "views/claims/expressions.py",
    "views/methods/text.py",
    "views/wording.py",
    "views/model_errors/settings.py",
    "views/settings.py",
    "views/short_link/recorded.py",
    "views/training_run/answer.py",
    "views/view.py",
    "views/what_changed/pairs.py",
}
"""Modules whose functools caches hold what depends on the arguments alone, or on files of the program."""


def test_no_other_module_caches_what_a_release_could_change():
    caching = {
        path.relative_to(ROOT).as_posix()
        for package in ("analysis", "data", "views")
        for path in (ROOT / package).rglob("*.py")
        if re.search(r"^@(functools\.)?(lru_)?cache\b", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    }
    assert caching - {"data/by_release.py"} == PURE, "data.by_release.kept_by_release is for tables"
