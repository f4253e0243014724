import json
import re
from urllib.parse import urlencode

import pytest

from data.releases import names
from panel.assets import TAPPED, text_of
from panel.menu import PAGES
from panel.page import FIRST_ROWS, MOST_FIGURES, MOST_NOTES, table_rows
from tests.views.links import corpus
from tests.web.document import Document, inside, words
from tests.web.served import EVERY_VIEW
from views.registry import MENU, VIEWS
from views.settings import definitions
from views.view import answer, read
from web import pages
from web.code_version import program

READ = ("headline", "subtitle", "cards", "figures", "notes", "sure", "changes", "method")
CHANGING = (*READ, "chips", "adjusted", "changed", "source", "status")
HOSTILE = (
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]>",
    '"><img src=x onerror=alert(1)>',
    "\u2028\u2029",
    "&lt;b&gt;&quot;",
    "\\u003c/script>",
    "{{7*7}}{% raw %}",
)


def plain(text):
    return " ".join(text.split())


@EVERY_VIEW
def test_a_reader_has_the_whole_finding_and_its_table_before_any_script(site, view):
    page = Document(site.get(view.path).text)
    result = answer(view, view.settings())
    chart = result.exhibits[0].chart
    assert page.one("//article").get("data-path") == view.path
    assert page.words("//article//p[@class='question']") == view.question
    keys = [figure for figure in result.figures if figure.key][:MOST_FIGURES]
    cards = page.root.xpath("//dl/div[@class='figure']")
    shown = [(words(one.find("dt")), words(one.find("dd/b"))) for one in cards]
    assert shown == [(plain(figure.label), plain(figure.text)) for figure in keys]
    drawing = page.one("//article//svg[@role='img']")
    assert plain(drawing.get("aria-label")) == plain(chart.alt)
    assert len(drawing)
    notes = [words(note) for note in page.root.xpath("//ul[@data-part='notes']/li")]
    assert notes == [plain(note) for note in result.notes[:MOST_NOTES]]
    for paragraph in result.method:
        assert plain(paragraph) in page.words("//*[@data-part='method']")
    for source in result.sources:
        assert source.url in page.root.xpath("//*[@data-part='method']//a/@href")
    assert not page.foreign()
    table = result.exhibits[0].table
    shown_rows = table_rows(table)
    columns = [plain(column["label"]) for column in shown_rows["columns"] if not column["more"]]
    assert [words(cell) for cell in page.root.xpath("//details[@id='table']//th")] == columns
    rows = page.root.xpath("//details[@id='table']//tbody/tr")
    expected = [row[: len(columns)] for row in shown_rows["rows"][:FIRST_ROWS]]
    first = [[plain(cell["text"]) for cell in row] for row in expected]
    assert [[words(cell) for cell in row] for row in rows] == first
    rest = page.root.xpath("//details[@id='table']//p/a/@href")
    assert len(rest) == (len(table.rows) > FIRST_ROWS)
    for address in rest:
        assert len(site.get(address).text.splitlines()) > FIRST_ROWS


@pytest.mark.parametrize("path", ["/", "/placement"])
def test_the_menu_leads_to_every_page_and_marks_this_one(site, path):
    page = Document(site.get(path).text)
    links = page.root.xpath("//nav[@aria-label='Pages']//a")
    assert [(link.text, link.get("href")) for link in links] == [
        one if len(pages) > 1 else (entry, one[1]) for entry, pages in MENU.items() for one in pages.items()
    ]
    assert len(links) == len(PAGES)  # with the start page, without the deck
    assert [link.get("href") for link in links if link.get("aria-current") == "page"] == [path]
    entries = page.root.xpath(
        "//nav[@aria-label='Pages']/*/descendant-or-self::*[self::summary or parent::nav]"
    )
    assert [words(entry) for entry in entries if entry.tag != "details"] == list(MENU)
    beside = page.root.xpath("//nav[@class='siblings']/a/@href")
    assert beside == ([] if path == "/" else list(MENU["Plan"].values()))


@EVERY_VIEW
@pytest.mark.parametrize("number", range(4))
def test_without_scripts_the_form_asks_for_what_it_shows(*, site, view, number):
    query = corpus(view)[number]
    page = Document(site.get(f"{view.path}?{urlencode(query, doseq=True)}").text)
    (form,) = page.root.forms
    assert (form.method, form.get("action")) == ("GET", view.path)
    beside = page.root.xpath("//*[@form='controls'][@name]")
    held = dict(form.form_values()) | {one.get("name"): one.value for one in beside}
    assert held.pop("vs", None) == ("" if view.comparable else None)
    assert held.keys() == definitions(view.settings).keys()
    chosen, ignored = read(view, urlencode(held))
    assert not ignored
    assert chosen == read(view, query)[0]
    assert form.xpath(".//button[@type='submit']")


@EVERY_VIEW
@pytest.mark.parametrize("query", ["", "release=2025-11&nope=1"])
def test_the_document_says_what_the_answers_say(*, site, view, query):
    page = Document(site.get(f"{view.path}?{query}").text)
    body = site.get(f"/{view.name}.panel.json?{query}").json()
    assert body.pop("program") == program()
    parts = body.pop("parts")
    assert page.answer == body
    for name in parts:
        (shown, *others) = page.root.xpath(f"//article//*[@data-part='{name}']")
        assert not others or name in ("adjusted", "changed", "headline")
        assert {words(one) for one in others} <= {words(shown)}
        assert words(shown) == words(inside(parts[name])), name
    words_around = {f"{side}-{name}" for name in definitions(view.settings) for side in ("before", "after")}
    assert set(parts) - words_around - {"pin", "doors", "pills", "ways", "steps"} == {*CHANGING, "warnings"}
    assert ("doors" in parts) == bool(view.doors)
    assert (words(inside(parts["warnings"])) != "") == bool(query)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_of_a_link_ends_the_data_it_stands_in(site, text):
    query = urlencode({"find": text, "nope": text})
    html = site.get(f"/data?{query}").text
    inside_script = re.search(r'<script type="application/json" id="first-answer">(.*?)</script', html, re.S)
    assert inside_script is not None
    data = inside_script[1]
    assert not set(data) & set("<>&")
    body = site.get(f"/data.panel.json?{query}").json()
    del body["parts"], body["program"]
    assert json.loads(data) == body
    page = Document(html)
    assert page.one("//input[@name='find']").get("value") == body["controls"]["find"][0]
    assert not page.foreign()
    assert len(page.scripts) == len(Document(site.get("/data").text).scripts)
    assert not page.root.xpath("//article//img") and "49{%" not in html


def test_the_same_document_is_made_once_however_often_it_is_asked_for(site, monkeypatch):
    made = []
    first_paint = pages.first_paint
    monkeypatch.setattr(pages, "first_paint", lambda *of, **how: made.append(1) or first_paint(*of, **how))
    address = "/growth-accounting?level=81"
    got = [site.get(address, headers={"Accept-Encoding": coding}) for coding in ("gzip", "identity") * 3]
    assert len({one.text for one in got}) == len(made) == 1
    assert site.get(f"{address}&embed=true").text != got[0].text
    assert len(made) == 2


@EVERY_VIEW
def test_in_a_frame_stand_headline_chart_and_source_and_no_more(site, view):
    page = Document(site.get(f"{view.path}?embed=true").text)
    result = answer(view, view.settings())
    assert page.words("//h1") == plain(result.headline)
    assert page.one("//svg[@role='img']") is not None
    assert plain(result.settings_line) in page.words("//p[@class='source']")
    assert page.root.xpath("//p[@class='source']/a/@href") == [result.link]
    assert page.streamlit is None
    assert "/static/js/" not in page.html
    for absent in ("//nav", "//form", "//button", "//details", "//noscript"):
        assert not page.root.xpath(absent), absent
    assert page.answer["chart"] == Document(site.get(view.path).text).answer["chart"]


@pytest.mark.parametrize(
    ("query", "embedded"),
    [("embed=TRUE", True), ("embed=1", False), ("embed=false", False), ("embed=", False)],
)
def test_a_frame_is_asked_for_as_streamlit_has_it(*, site, query, embedded):
    page = Document(site.get(f"/training-compute?{query}").text)
    assert (page.streamlit is None) == embedded
    assert page.answer["ignored"] == {}


@EVERY_VIEW
def test_a_view_fills_the_screen_without_streamlit_or_anything_to_choose(site, view):
    page = Document(site.get(f"{view.path}?present=1").text)
    result = answer(view, view.settings())
    chart = result.exhibits[0].chart
    assert page.streamlit is None
    assert page.one("//script[@data-boot]").get("src").endswith("/present.js")
    assert not page.root.xpath("//nav | //form | //article")
    assert page.words("//h1") == plain(result.headline)
    assert page.words("//p[@class='subtitle']") == plain(result.subtitle or chart.subtitle)
    assert page.words("//p[@class='source']") == plain(result.settings_line)
    assert plain(page.one("//main//svg[@role='img']").get("aria-label")) == plain(chart.alt)
    (body,) = page.answer["slides"]
    assert read(view, body["query"])[0] == read(view, result.link.partition("?")[2])[0]
    assert "present" not in page.answer["leave"]
    assert page.links["canonical"][0].endswith(result.link)
    assert not page.foreign()


def test_a_deck_fills_the_screen_slide_by_slide_from_the_release_it_asks_for(site):
    old = names()[0]
    views = [("view", "/growth-gap?since=2016"), ("view", "/placement"), ("view", "/data?find=</script>")]
    query = urlencode([*views, ("title", "For the <board>"), ("release", old), ("present", "1")])
    page = Document(site.get(f"/deck?{query}").text)
    assert page.titles == ["For the <board> – Scaling Gap"]
    assert [one["view"] for one in page.answer["slides"]] == ["growth-gap", "placement", "data"]
    assert all(f"release={old}" in one["query"] for one in page.answer["slides"])
    assert page.words("//p[@class='number']") == "1 / 3"
    first = answer(VIEWS["/growth-gap"], read(VIEWS["/growth-gap"], f"since=2016&release={old}")[0])
    assert page.words("//h1") == plain(first.headline)
    for one in page.answer["slides"]:
        assert site.get(f"/{one['view']}.panel.json?{one['query']}").json()["link"].endswith(one["query"])
    assert page.answer["leave"].startswith("/deck?") and "present" not in page.answer["leave"]
    assert site.get(page.answer["leave"]).status_code == 200
    framed = Document(site.get("/growth-gap?embed=true").text)
    own = [script for script in framed.scripts if script.text == text_of(TAPPED)]
    assert len(page.scripts) == len(framed.scripts) - len(own) and not page.foreign()
