"""Every form of every view answers from one link, with the numbers of the result."""

import csv
import dataclasses
import io
import json
import re
import struct
from typing import Any

import pytest
from pptx import Presentation
from starlette.testclient import TestClient

from tests.charts.powerpoint_examples import parts
from tests.web.served import DAY, EVERY_FORM, EVERY_FORM_IDS, HOST, client, files_only
from views.citation import bibtex
from views.registry import VIEWS
from views.result import as_json
from views.settings import defaults, definitions
from views.view import View, answer, link, pinned
from web.forms import FORMS, Form
from web.renderings import Renderings
from web.view_files import ViewFiles

MAGIC = {
    "png": b"\x89PNG\r\n\x1a\n",
    "svg": b"<?xml",
    "pdf": b"%PDF-",
    "pptx": b"PK\x03\x04",
    "json": b"{",
    "bib": b"@misc{",
}
SHOWN = ("png", "svg", "pdf", "json")


@pytest.fixture(scope="module")
def site():
    with client() as opened:
        yield opened


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


@pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
def test_the_json_is_what_the_command_line_prints(site, view: View):
    assert site.get(f"/{view.name}.json").json() == json.loads(json.dumps(as_json(result_of(view))))


@pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
def test_the_csv_reads_back_as_the_tables_of_the_result(site, view: View):
    for number, exhibit in enumerate(result_of(view).exhibits, start=1):
        text = site.get(f"/{view.name}.csv?exhibit={number}").content.decode("utf-8")
        header, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
        assert text.count("\r\n") == len(exhibit.table.rows) + 1
        assert header == [
            f"{column.name} [{column.unit}]" if column.unit not in ("", "1") else column.name
            for column in exhibit.table.columns
        ]
        assert len(rows) == len(exhibit.table.rows)
        for got, cells in zip(rows, exhibit.table.rows, strict=True):
            for text_of_cell, cell in zip(got, cells, strict=True):
                if isinstance(cell, int | float) and not isinstance(cell, bool) and cell == cell:
                    assert float(text_of_cell) == cell
                elif isinstance(cell, str):
                    assert text_of_cell in (cell, f"'{cell}")


@pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
def test_the_slide_says_headline_figures_source_and_the_pinned_link(site, view: View):
    result = result_of(view)
    deck = Presentation(io.BytesIO(site.get(f"/{view.name}.pptx").content))
    assert len(deck.slides) == 1
    page = deck.slides[0]
    shapes: Any = page.shapes
    words = "\n".join(shape.text_frame.text for shape in shapes if shape.has_text_frame)
    words = words.replace("\N{NO-BREAK SPACE}", " ")
    assert result.headline in words
    assert result.release in words
    for figure in [figure for figure in result.figures if figure.key][:3]:
        assert figure.text in words
    addresses = [rel.target_ref for rel in page.part.rels.values() if rel.is_external]
    assert f"{HOST}{result.link}" in addresses
    notes = page.notes_slide.notes_text_frame
    assert notes is not None
    for paragraph in (*result.notes, *result.method):
        assert paragraph.split("\n")[0][:40] in notes.text.replace("\N{NO-BREAK SPACE}", " ")


def test_a_picture_has_the_size_and_ground_asked_for(site):
    for size, pixels in {"slide": (1920, 1080), "wide": (1200, 630), "square": (1080, 1080)}.items():
        png = site.get(f"/overview.png?size={size}").content
        assert struct.unpack(">II", png[16:24]) == pixels
    light, dark = (site.get(f"/overview.svg?theme={theme}").text for theme in ("light", "dark"))
    assert light != dark


def test_a_second_exhibit_can_be_had_and_one_too_many_is_refused(site):
    view = next(view for view in VIEWS.values() if len(result_of(view).exhibits) == 2)
    first, second = (site.get(f"/{view.name}.csv?exhibit={n}") for n in (1, 2))
    assert first.content != second.content
    for extension in ("png", "csv", "pptx"):
        refused = site.get(f"/{view.name}.{extension}?exhibit=3")
        assert refused.status_code == 422
        assert refused.json()["errors"] == [
            {"field": "exhibit", "value": "3", "allowed": "a whole number from 1 to 2"}
        ]


@pytest.mark.parametrize("form", FORMS.values(), ids=lambda form: form.extension)
def test_an_unpinned_link_has_the_bytes_of_the_pinned_one_and_names_it(site, form: Form):
    view = VIEWS["/training-compute"]
    pinned_query = link(view, view.settings()).partition("?")[2]
    plain, pinned_one = (
        site.get(f"/{view.name}.{form.extension}{query}") for query in ("", f"?{pinned_query}")
    )
    partial = site.get(f"/{view.name}.{form.extension}?release=latest&rule=frontier")
    assert plain.content == pinned_one.content == partial.content
    assert plain.headers["etag"] == pinned_one.headers["etag"] == partial.headers["etag"]
    for one in (plain, pinned_one, partial):
        assert one.headers["link"] == f'<{HOST}{view.path}?{pinned_query}>; rel="canonical"'
    assert plain.headers["cache-control"] == partial.headers["cache-control"] == "public, max-age=300"
    immutable = "public, max-age=31536000, immutable"
    assert pinned_one.headers["cache-control"] == (
        immutable if form.extension != "bib" else "public, max-age=300"
    )


def test_naming_the_release_as_latest_is_not_pinned_though_every_setting_is_there(site):
    view = VIEWS["/training-compute"]
    query = "&".join(f"{name}={value}" for name, value in defaults(view.settings).items())
    assert site.get(f"/{view.name}.csv?{query}").headers["cache-control"] == "public, max-age=300"


def test_a_setting_that_cannot_be_used_is_refused_by_field_value_and_what_is_allowed(site):
    got = site.get("/training-compute.png?since=1492&colour=red&size=huge&rule=frontier&top=%00")
    assert got.status_code == 422
    assert got.headers["content-type"] == "application/problem+json"
    assert got.headers["cache-control"] == "no-store"
    problem = got.json()
    assert (problem["type"], problem["title"], problem["status"]) == ("about:blank", "Unusable Setting", 422)
    assert "since" in problem["detail"]
    errors = {error["field"]: error for error in problem["errors"]}
    assert set(errors) == {"since", "colour", "size", "top"}
    assert errors["size"] == {"field": "size", "value": "huge", "allowed": "slide, wide, square, print"}
    assert errors["since"]["allowed"].startswith("a year or month from")


def test_a_setting_of_pictures_is_none_of_numbers(site):
    assert site.get("/overview.csv?size=wide").status_code == 422
    assert site.get("/overview.json?exhibit=1").status_code == 422


def test_a_setting_given_twice_differently_is_refused(site):
    assert site.get("/overview.png?size=wide&size=slide").json()["errors"][0]["field"] == "size"
    assert site.get("/training-compute.png?top=5&top=6").json()["errors"][0]["value"] == "5 and 6"


def test_another_method_is_405_and_says_which_there_are(site):
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        got = site.request(method, "/training-compute.png")
        assert (got.status_code, got.headers["allow"]) == (405, "GET, HEAD, OPTIONS")
        assert got.json()["detail"] == "This address answers GET, HEAD, OPTIONS."


@pytest.mark.parametrize(
    "path", ["/.png", "/training-compute.exe", "/training.png", "/deck.svg", "/methods.png"]
)
def test_a_form_or_view_there_is_not_is_404(site, path):
    got = site.get(path)
    assert got.status_code == 404
    assert got.json()["title"] == "Not Found"


def test_an_endless_query_is_414(site):
    got = site.get("/data.csv?find=" + "a" * 9000)
    assert got.status_code == 414
    assert got.json()["detail"] == "The query is too long: 9005 characters; at most 8192 are allowed."


def test_a_view_added_later_has_every_form_without_a_line_more(site):
    later = dataclasses.replace(VIEWS["/accelerators"], path="/later", title="Later")
    with TestClient(files_only(views={**VIEWS, later.path: later}), base_url=HOST) as opened:
        for extension in FORMS:
            assert opened.get(f"/later.{extension}").status_code == 200


def test_no_view_has_a_setting_that_a_form_would_take_for_its_own():
    taken = {name for form in FORMS.values() for name in definitions(form.options)}
    for view in VIEWS.values():
        assert not taken & set(definitions(view.settings)), view.name


def test_a_fault_of_ours_is_500_is_logged_and_shows_nothing(caplog):
    def broken(*_anything):
        raise RuntimeError("the secret of the house")

    view = dataclasses.replace(VIEWS["/accelerators"], build=broken)
    with TestClient(files_only(views={view.path: view}), base_url=HOST) as opened:
        got = opened.get("/accelerators.json")
    assert got.status_code == 500
    assert (
        got.json()["detail"]
        == "This file could not be created. The link is fine: the error is ours and is in our log."
    )
    assert "secret" not in got.text
    assert "the secret of the house" in caplog.text


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


def test_text_that_is_no_host_name_is_never_an_address():
    with client(HOST="0.0.0.0") as opened:
        for host in ('evil"><script>', "a b", "x/y", "[::1", "-a"):
            got = opened.get("/training-compute.bib", headers={"Host": host})
            assert "http://127.0.0.1:8501/v/" in got.text
        assert "http://box:80/v/" in opened.get("/training-compute.bib", headers={"Host": "box:80"}).text


def test_an_svg_may_run_and_load_nothing(site):
    got = site.get("/training-compute.svg")
    assert got.headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'"
    assert not re.search(rb"<script|javascript:|\son\w+=|<foreignObject", got.content)


def test_the_route_finds_the_start_page_by_its_name_only():
    route = ViewFiles(VIEWS, settings=None, renderings=Renderings())  # pyright: ignore[reportArgumentType]
    view, _ = route.by_path["/overview.png"]
    assert view.path == "/"
    assert not route.takes("/.png")
    assert pinned(view.settings()).release != "latest"


@pytest.mark.parametrize("address", ["/training-compute.svg", "/training-compute.pdf?since=2018"])
def test_a_drawing_leads_back_to_its_view(site, address):
    assert b"http://127.0.0.1:8501/training-compute?release=" in site.get(address).content


def test_a_picture_off_the_defaults_prints_the_short_link(monkeypatch):
    printed = []

    def drawn(*_, footer, **__):
        printed.append(footer)
        return b""

    monkeypatch.setattr("charts.matplotlib.render", drawn)
    with client(PUBLIC_URL="https://gap.example.org") as opened:
        for query in ("", "?since=2018", "?release=2025-11"):
            opened.get(f"/training-compute.png{query}")
        short = opened.get("/training-compute.json?since=2018").json()["short_link"]
    assert printed[:2] == ["gap.example.org/training-compute", f"gap.example.org{short}"]
    assert printed[2].startswith("gap.example.org/v/") and printed[2] != printed[1]
