import csv
import io
import json
import re
import zipfile
from itertools import chain

import pytest

from data import contract
from data.releases import DIRECTORY, TABLES, names
from tests.length import at_length


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
    cells = zip(chain.from_iterable(rows), chain.from_iterable(own), strict=True)
    assert all(got_cell in (cell, f"'{cell}") for got_cell, cell in cells)


@pytest.mark.parametrize("release", at_length(names(), few=[names()[0], names()[-1]]))
def test_a_whole_release_is_a_data_package_that_holds_to_its_own_contract(site, release):
    got = site.get(f"/data/{release}.zip")
    assert got.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(got.content)) as archive:
        folder = f"scaling-gap-{release}/"
        files = {name.removeprefix(folder): archive.read(name) for name in archive.namelist()}
    package = json.loads(files["datapackage.json"])
    assert package["profile"] == "tabular-data-package"
    assert package["version"] == release
    there = {one["path"] for one in package["resources"]}
    assert there | {"datapackage.json", "README.md", "LICENSE"} == set(files)
    assert b"credit Epoch AI" in files["LICENSE"]
    assert b"CC BY 4.0. Credit **Epoch AI**" in files["README.md"]
    sources = csv.DictReader(io.StringIO(files["sources.csv"].decode()))
    keys = {"sources": {row["source_id"] for row in sources}}
    for resource in package["resources"]:
        table = resource["path"].rpartition("/")[2].removesuffix(".csv")
        rows = list(csv.reader(io.StringIO(files[resource["path"]].decode(), newline="")))
        if tuple(rows[0]) == contract.columns(table):  # a column may be newer than the release
            assert contract.breaches(rows, table=table, keys=keys) == []
        assert [field["name"] for field in resource["schema"]["fields"]] == rows[0]
        for key in resource["schema"].get("foreignKeys", []):
            assert key["reference"]["resource"] in {one["name"] for one in package["resources"]}


@pytest.mark.parametrize(
    "path", ["/data/1999-01.zip", "/data/2026-07/sources.csv", "/data/../data.zip", "/data/2026-07/..csv"]
)
def test_a_file_there_is_not_is_404_and_says_which_there_are(site, path):
    got = site.get(path)
    assert got.status_code == 404
    assert got.headers["content-type"] == "application/problem+json"
    if path.startswith("/data/2026") or "1999" in path:
        assert f"Releases: {', '.join(names())}; tables: training_runs, accelerators, corr" in got.text


def test_a_release_is_described_for_loaders_where_the_head_of_a_page_says_so(site):
    head = site.get("/growth-gap").text
    address = re.search(r'rel="describedby"[^>]*href="[^"]*?(/data/[^"]*)"', head)
    assert address and address[1] == f"/data/{names()[-1]}/croissant.json"
    got = site.get(address[1])
    assert got.headers["content-type"] == "application/ld+json"
    whole = got.json()
    assert whole["version"] == names()[-1] and whole["distribution"][0]["contentUrl"].startswith("http")
    assert site.get("/data/1999-01/croissant.json").status_code == 404
