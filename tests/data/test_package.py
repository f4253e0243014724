"""A release to take away; tests/web/test_release_files.py holds what is inside."""

import io
import zipfile

from data import releases, standing
from data.package import archive, descriptor


def test_the_same_release_gives_the_same_bytes():
    assert archive("2026-07") == archive("2026-07") != archive("2025-11")
    with zipfile.ZipFile(io.BytesIO(archive("2026-07"))) as file:
        assert {entry.date_time[0] for entry in file.infolist()} == {1980}
        assert file.testzip() is None


def test_the_description_names_the_tables_of_the_release_and_those_it_is_read_with():
    names = [one["name"] for one in descriptor(releases.latest())["resources"]]
    assert names[:4] == ["sources", "training-runs", "accelerators", "corrections"]
    assert set(names[4:]) == {f"standing-{name.replace('_', '-')}" for name in standing.names()}
