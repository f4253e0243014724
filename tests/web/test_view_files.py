import re

import pytest
from starlette.testclient import TestClient

from panel.answer import PanelSettings
from tests.cases import cases
from tests.charts.powerpoint_examples import parts
from tests.web.served import DAY, EVERY_FORM, EVERY_FORM_IDS, HOST, client, files_only
from views.citation import bibtex
from views.registry import VIEWS
from views.settings import FOREIGN, defaults, definitions
from views.view import View, answer, link
from web.forms import FORMS, Form
from web.panels import BY

MAGIC = {"png": b"\x89PNG\r\n\x1a\n", "svg": b"<?xml", "pdf": b"%PDF-", "pptx": b"PK\x03\x04"}
MAGIC |= {"json": b"{", "bib": b"@misc{"}
SHOWN = ("png", "svg", "pdf", "json")


def result_of(view: View):
    return answer(view, view.settings())


@pytest.mark.parametrize(("view", "form"), EVERY_FORM, ids=EVERY_FORM_IDS)
def test_every_view_has_every_form(*, site, view: View, form: Form):
    got = site.get(f"/{view.name}.{form.extension}")
    assert got.status_code == 200, got.text
    assert got.headers["content-type"] == form.media_type
    assert got.content.startswith(MAGIC.get(form.extension, b""))
    how = "inline" if form.extension in SHOWN else "attachment"
    name = f"scaling-gap-{view.name}-{result_of(view).release}.{form.extension}"
    assert got.headers["content-disposition"] == f'{how}; filename="{name}"'
    assert got.headers["access-control-allow-origin"] == "*"
    assert got.headers["x-content-type-options"] == "nosniff"
    assert "frame-ancestors" in got.headers["content-security-policy"] or form.extension == "svg"


@pytest.mark.parametrize("form", FORMS.values(), ids=lambda form: form.extension)
def test_an_unpinned_link_has_the_bytes_of_the_pinned_one_and_names_it(site, form: Form):
    view = VIEWS["/training-compute"]
    pinned_query = link(view, view.settings()).partition("?")[2]
    address = f"/{view.name}.{form.extension}"
    plain, pinned_one = (site.get(f"{address}{query}") for query in ("", f"?{pinned_query}"))
    partial = site.get(f"/{view.name}.{form.extension}?release=latest&rule=frontier")
    assert plain.content == pinned_one.content == partial.content
    assert plain.headers["etag"] == pinned_one.headers["etag"] == partial.headers["etag"]
    for one in (plain, pinned_one, partial):
        assert one.headers["link"] == f'<{HOST}{view.path}?{pinned_query}>; rel="canonical"'
    assert plain.headers["cache-control"] == partial.headers["cache-control"] == "public, max-age=300"
    kept = "public, max-age=300" if form.extension == "bib" else "public, max-age=31536000, immutable"
    assert pinned_one.headers["cache-control"] == kept


def test_naming_the_release_as_latest_is_not_pinned_though_every_setting_is_there(site):
    view = VIEWS["/training-compute"]
    query = "&".join(f"{name}={value}" for name, value in defaults(view.settings).items())
    for asked in (query, f"{query.replace('=latest', '=2026-07')}&vs=domain%3Dlanguage"):
        assert site.get(f"/{view.name}.csv?{asked}").headers["cache-control"] == "public, max-age=300"


REFUSED = cases(__file__)["refused"]


@pytest.mark.parametrize("address", REFUSED)
def test_a_setting_that_cannot_be_used_is_refused_by_field_value_and_what_is_allowed(site, address):
    got = site.get(f"/{address}")
    assert (got.status_code, got.headers["content-type"]) == (422, "application/problem+json")
    assert got.headers["cache-control"] == "no-store"
    problem = got.json()
    assert (problem["type"], problem["title"], problem["status"]) == ("about:blank", "Unusable Setting", 422)
    assert all(name in problem["detail"] for name in REFUSED[address])
    errors = {error["field"]: error for error in problem["errors"]}
    got_values = {name: error["value"] for name, error in errors.items()}
    assert got_values == {name: value for name, (value, _) in REFUSED[address].items()}
    assert all(errors[name]["allowed"].startswith(words) for name, (_, words) in REFUSED[address].items())


@pytest.mark.parametrize("stem", ["", "training", "deck", "methods"])
@pytest.mark.parametrize("extension", ["svg", "exe", "panel.json"])
def test_a_form_or_view_there_is_not_is_404(*, site, stem, extension):
    got = site.get(f"/{stem}.{extension}")
    assert (got.status_code, got.json()["title"]) == (404, "Not Found")


def test_no_view_has_a_setting_that_a_form_or_a_page_would_take_for_its_own():
    taken = {name for form in FORMS.values() for name in definitions(form.options)}
    taken |= {*definitions(PanelSettings), *FOREIGN, BY}
    for view in VIEWS.values():
        assert not taken & set(definitions(view.settings)), view.name


FELL = (
    "/training-compute?until=2014&rule=records",
    "/training-compute?since=2029",
    "/compute-to-memory?vendor=amd&since=2024&rule=all",
    "/accelerators?until=2024&estimator=theil-sen&to=2050&memory=sram",
)
"""Ordinary links that had no answer: bands wider than any rule for ticks, too few chips left for a second trend."""


@pytest.mark.parametrize("address", FELL)
def test_an_ordinary_link_with_hardly_any_rows_has_every_form(site, address):
    path, _, query = address.partition("?")
    for extension in FORMS:
        assert site.get(f"{path}.{extension}?{query}").status_code == 200, extension


def test_the_citation_names_the_day_it_was_fetched_and_is_made_anew_the_next():
    view = VIEWS["/training-compute"]
    with TestClient(files_only(), base_url=HOST) as opened:
        got = opened.get(f"/{view.name}.bib")
    assert got.text == bibtex(result_of(view), accessed=DAY, origin=HOST)
    assert "urldate = {2026-08-03}" in got.text


def test_public_url_decides_the_addresses_in_files():
    with client(PUBLIC_URL="https://gap.example.org") as opened:
        got = opened.get("/training-compute.bib")
        assert "url = {https://gap.example.org/v/" in got.text
        assert got.headers["link"].startswith("<https://gap.example.org/training-compute?")
        slide = opened.get("/training-compute.pptx").content
    assert any(b"https://gap.example.org/training-compute?" in part for part in parts(slide).values())


def test_an_svg_may_run_and_load_nothing(site):
    got = site.get("/training-compute.svg")
    assert got.headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'"
    assert not re.search(rb"<script|javascript:|\son\w+=|<foreignObject", got.content)


@pytest.mark.parametrize("address", ["/training-compute.svg", "/training-compute.pdf?since=2018"])
def test_a_drawing_leads_back_to_its_view(site, address):
    assert b"http://127.0.0.1:8501/training-compute?release=" in site.get(address).content


def test_a_picture_off_the_defaults_prints_the_short_link(monkeypatch):
    printed = []

    def drawn(*_, footer, **__):
        printed.append(footer)
        return b""

    monkeypatch.setattr("charts.picture.render", drawn)
    with client(PUBLIC_URL="https://gap.example.org") as opened:
        for query in ("", "?since=2018", "?release=2025-11"):
            opened.get(f"/training-compute.png{query}")
        short = opened.get("/training-compute.json?since=2018").json()["short_link"]
    assert printed[:2] == ["gap.example.org/training-compute", f"gap.example.org{short}"]
    assert printed[2].startswith("gap.example.org/v/") and printed[2] != printed[1]
