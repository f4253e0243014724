"""Whatever the search finds leads to where it says, and everything there is can be found."""

from urllib.parse import urlsplit

import pytest

from views.methods import text as methods
from views.registry import VIEWS
from views.settings import definitions
from views.view import read
from web.paths import PAGES
from web.search_index import SETTING, index


def of(kind):
    return [entry for entry in index()["entries"] if entry[0] == kind]


def test_every_page_and_every_setting_is_found_once():
    assert [entry[3] for entry in of("Page")] == ["/", *(f"/{page}" for page in PAGES)]
    links = {f"{view.path}{SETTING}{name}" for view in VIEWS.values() for name in definitions(view.settings)}
    links_there = [entry[3] for entry in of("Setting")]
    assert len(links_there) == len(set(links_there)) and set(links_there) <= links
    labels = {
        (item.label, view.title) for view in VIEWS.values() for item in definitions(view.settings).values()
    }
    assert {(entry[1], entry[2]) for entry in of("Setting")} == labels


@pytest.mark.parametrize("kind", ["Model", "Chip", "Device", "Technique", "Claim"])
def test_what_a_setting_offers_leads_to_a_page_that_takes_it(kind):
    assert len(of(kind)) > 10
    for _, title, _, link in of(kind):
        parts = urlsplit(link)
        settings, ignored = read(VIEWS[parts.path], parts.query)
        assert not ignored, (title, ignored)
        assert settings != read(VIEWS[parts.path], "")[0] or kind != "Claim"


def test_terms_and_sections_lead_to_the_methods():
    anchors = {section.anchor for section in methods.NUMBERS}
    for _, title, meaning, link in (*of("Term"), *of("Method")):
        path, _, anchor = link.partition("#")
        assert path == methods.PATH and anchor in anchors
        assert title and meaning and "**" not in title + meaning
