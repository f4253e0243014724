import csv
import io
import json
import shutil
import zipfile

import pytest

from data import contract, releases
from data.releases import DIRECTORY, TABLES, names
from tests.web.served import client


@pytest.mark.parametrize("release", names())
@pytest.mark.parametrize("table", TABLES)
def test_every_table_of_every_release_can_be_taken_away(*, site, release, table):
    got = site.get(f"/data/{release}/{table}.csv")
    assert got.status_code == 200
    assert got.headers["content-type"].startswith("text/csv")
    assert got.headers["content-disposition"] == f'attachment; filename="scaling-gap-{release}-{table}.csv"'
    assert got.headers["cache-control"].endswith("immutable")
    with (DIRECTORY / release / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        own = list(csv.reader(file))
    rows = list(csv.reader(io.StringIO(got.content.decode(), newline="")))
    assert len(rows) == len(own)
    assert all(
        got_cell in (cell, f"'{cell}")
        for got_row, row in zip(rows, own, strict=True)
        for got_cell, cell in zip(got_row, row, strict=True)
    )


@pytest.mark.parametrize("release", names())
def test_a_whole_release_is_a_data_package_that_holds_to_its_own_contract(site, release):
    got = site.get(f"/data/{release}.zip")
    assert got.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(got.content)) as archive:
        folder = f"scaling-gap-{release}/"
        files = {name.removeprefix(folder): archive.read(name) for name in archive.namelist()}
    package = json.loads(files["datapackage.json"])
    assert package["profile"] == "tabular-data-package"
    assert package["version"] == release
    assert {one["path"] for one in package["resources"]} | {
        "datapackage.json",
        "README.md",
        "LICENSE",
    } == set(files)
    assert b"credit Epoch AI" in files["LICENSE"]
    assert b"CC BY 4.0. Credit **Epoch AI**" in files["README.md"]
    keys = {
        "sources": {row["source_id"] for row in csv.DictReader(io.StringIO(files["sources.csv"].decode()))}
    }
    for resource in package["resources"]:
        table = resource["path"].rpartition("/")[2].removesuffix(".csv")
        rows = list(csv.reader(io.StringIO(files[resource["path"]].decode(), newline="")))
        assert contract.breaches(rows, table=table, keys=keys) == []
        assert [field["name"] for field in resource["schema"]["fields"]] == rows[0]
        for key in resource["schema"].get("foreignKeys", []):
            assert key["reference"]["resource"] in {one["name"] for one in package["resources"]}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder of our releases, held as they are now."""
    shutil.copytree(DIRECTORY, tmp_path / "releases")
    monkeypatch.setattr(releases, "DIRECTORY", tmp_path / "releases")
    releases.shelf()
    return tmp_path / "releases"


def test_a_file_that_is_halved_or_gone_on_disk_is_served_whole_as_it_was_verified(*, site, folder):
    addresses = ("/data/2026-07/accelerators.csv", "/data/2026-07.zip")
    before = [site.get(address).content for address in addresses]
    table = folder / "2026-07" / "accelerators.csv"
    table.write_bytes(table.read_bytes()[: table.stat().st_size // 2])
    shutil.rmtree(folder / "standing")
    with client() as another:
        assert [another.get(address).content for address in addresses] == before


@pytest.mark.parametrize(
    "path", ["/data/1999-01.zip", "/data/2026-07/sources.csv", "/data/../data.zip", "/data/2026-07/..csv"]
)
def test_a_file_there_is_not_is_404_and_says_which_there_are(site, path):
    got = site.get(path)
    assert got.status_code == 404
    assert got.headers["content-type"] == "application/problem+json"
    if path.startswith("/data/2026") or "1999" in path:
        assert "Releases: 2025-11, 2026-07; tables: training_runs, accelerators, corrections." in got.text
