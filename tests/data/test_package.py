import io
import zipfile

import pytest

from data import standing
from data.package import NoSuchFile, archive, check, descriptor, fingerprint, table_csv
from data.releases import names


def test_the_same_release_gives_the_same_bytes():
    assert archive("2026-07") == archive("2026-07")
    with zipfile.ZipFile(io.BytesIO(archive("2026-07"))) as file:
        assert {entry.date_time[0] for entry in file.infolist()} == {1980}
        assert file.testzip() is None


def test_releases_differ():
    assert archive(names()[0]) != archive(names()[-1])
    assert len(fingerprint()) == 16


def test_a_release_or_table_there_is_not_is_named_with_those_there_are():
    for ask in (archive, check, lambda name: table_csv(name, table="accelerators")):
        with pytest.raises(NoSuchFile) as refused:
            ask("../2026-07")
        assert str(refused.value) == "there is no release '../2026-07'; there are 2025-11, 2026-07."
    with pytest.raises(NoSuchFile) as refused:
        table_csv("2026-07", table="sources")
    assert (
        str(refused.value)
        == "no table of a release is called 'sources'; there are training_runs, accelerators, corrections."
    )


def test_the_description_holds_only_what_is_inside():
    package = descriptor("2025-11")
    names = [one["name"] for one in package["resources"]]
    assert names[:4] == ["sources", "training-runs", "accelerators", "corrections"]
    assert set(names[4:]) == {f"standing-{name.replace('_', '-')}" for name in standing.names()}
    assert all(isinstance(one["schema"], dict) for one in package["resources"])
