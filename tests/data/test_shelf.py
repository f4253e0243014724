from data import seal, shelf, standing
from tests.data.cutting import BESIDE, NAMES, NEXT, later

TABLE = "networks"


def shorter(table: str = TABLE) -> dict[str, bytes]:
    """Return a working table that has lost its last row."""
    return {table: b"".join(standing.working()[table].splitlines(keepends=True)[:-1])}


def test_releases_sealed_with_the_same_tables_beside_the_same_releases_share_what_is_read():
    held = shelf.opened(seal.FOLDER)
    assert held.table_sets["2025-11"] is held.table_sets["2026-07"]
    assert held.table_sets["2025-11"].reference == "2026-07"


def test_a_later_release_is_read_with_its_own_tables_and_changes_nothing_of_the_others(folder):
    before = shelf.opened(folder)
    path = later(folder, "2030-01", working=shorter())
    after = before.with_release(path)
    assert after.names == (*before.names, "2030-01")
    assert after.table_sets["2026-07"] is before.table_sets["2026-07"]
    assert after.releases["2026-07"] is before.releases["2026-07"]
    own, others = after.table_sets["2030-01"], after.table_sets["2026-07"]
    assert own.standing[TABLE].whole() == shorter()[TABLE] != others.standing[TABLE].whole()
    assert own.standing["sources"] is before.table_sets[before.names[-1]].standing["sources"]
    assert (own.beside, others.beside) == ((*BESIDE, "2030-01"), ("2025-11", "2026-07"))
    assert len({before.fingerprint, after.fingerprint, shelf.opened(folder).fingerprint}) == 2


def test_a_correction_is_read_beside_every_release_but_the_one_it_corrects(folder):
    held = shelf.opened(folder).with_release(later(folder, NEXT))
    assert held.names == (*NAMES, NEXT)
    assert held.table_sets[NEXT].beside == (BESIDE[0], NEXT)
    assert held.table_sets["2026-07"].beside == ("2025-11", "2026-07")


def test_a_table_that_came_later_is_read_by_older_releases_as_it_was_first_sealed(folder):
    later(folder, "2030-01", working={"phones": b"name\none\n"})
    later(folder, "2030-02", working={"phones": b"name\ntwo\n"})
    held = shelf.opened(folder)
    phones = [held.table_sets[name].standing["phones"].whole()[5:8] for name in held.names]
    assert phones == [*[b"one"] * (len(NAMES) + 1), b"two"]
