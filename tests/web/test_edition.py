"""The edition: plain files that open from a folder without a server, and are the same whenever they are made."""

import hashlib
import json
from datetime import date

import pytest
from lxml import html

from data import records
from data.releases import latest
from views.registry import VIEWS
from views.view import answer, read
from web import edition
from web.edition import main, write

SITE = "https://gap.example.org"
COMPARED = "/training-compute?since=2018&vs=since%3D2012"
FEW = ("/", "/training-compute", "/placement")
DAY = date(2026, 11, 26)


def made(patch: pytest.MonkeyPatch) -> edition.Files:
    patch.setattr(records, "moves", tuple)  # as in each test: a number that moved is a note of its page
    patch.setattr(edition, "VIEWS", {path: VIEWS[path] for path in FEW})
    patch.setattr(edition, "EACH", ())
    return edition.edition(release=latest(), site=SITE, today=DAY, links=[COMPARED])


@pytest.fixture(scope="module")
def files():
    with pytest.MonkeyPatch.context() as patch:
        return made(patch)


@pytest.fixture(scope="module")
def folder(files, tmp_path_factory):
    folder = tmp_path_factory.mktemp("edition") / "copy"
    write(files, folder)
    return folder


def pages(files):
    return {name: html.fromstring(content) for name, content in files.items() if name.endswith(".html")}


def test_every_page_has_its_finding_its_files_and_its_further_exhibits(files):
    by_headline = {page.findtext(".//h1"): (name, page) for name, page in pages(files).items()}
    for path in FEW:
        result = answer(VIEWS[path], read(VIEWS[path], f"release={latest()}")[0])
        name, page = by_headline[result.headline]
        stem = name.removesuffix(".html")
        assert {f"{stem}.{one}" for one in edition.EXTENSIONS} <= files.keys()
        titles = {
            " ".join(one.split())
            for one in page.xpath("//*[@class='exhibit']//*[self::h2 or self::h3]/text()")
        }
        assert titles == {exhibit.chart.title for exhibit in result.exhibits[1:]}
        assert not page.xpath("//form") and page.xpath("//link[@rel='canonical']/@href") == [
            f"{SITE}{result.link}"
        ]
        assert json.loads(files[f"{stem}.json"])["headline"] == result.headline


def test_every_link_leads_to_a_file_of_the_edition_to_its_page_or_to_an_address_that_is_whole(files):
    for page in pages(files).values():
        for address in page.xpath("//a/@href"):
            assert address.startswith(("https://", "#")) or address.partition("#")[0] in files, address
    (compared,) = [name for name in files if name.startswith("training-compute-") and name.endswith(".html")]
    assert b"vs" in files[compared]


def test_the_manifest_has_the_digest_of_every_file_and_two_editions_are_the_same(
    *, files, folder, monkeypatch
):
    about = json.loads(files["manifest.json"])
    assert (about["release"], about["made_on"]) == (latest(), "2026-11-26")
    assert about["sha256"] == {
        name: hashlib.sha256(content).hexdigest()
        for name, content in files.items()
        if name != "manifest.json"
    }
    again = made(monkeypatch)
    assert [name for name in files if again[name] != files[name]] == []
    write(again, folder.with_name("again") / "copy")
    archives = [one.with_suffix(".zip").read_bytes() for one in (folder, folder.with_name("again") / "copy")]
    assert archives[0] == archives[1]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--release", "1999-01"], "There is no release '1999-01'"),
        (["--links", "links.txt"], "There is no view '/nowhere'"),
        (["--links", "none.txt"], "none.txt"),
    ],
)
def test_what_cannot_be_meant_is_said_and_nothing_is_written(
    *, arguments, problem, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "links.txt").write_text("/nowhere\n")
    assert main(["copy", *arguments]) == 2
    assert problem in capsys.readouterr().err and not (tmp_path / "copy").exists()


def test_a_folder_that_exists_is_left_as_it_is(tmp_path, capsys):
    assert main([str(tmp_path)]) == 2
    assert "Choose a new folder" in capsys.readouterr().err
