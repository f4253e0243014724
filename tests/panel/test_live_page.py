"""The live page beside a server that answers when the test says: what comes late or not at all harms nothing."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect, sync_playwright

from panel.answer import PanelSettings, answer_of
from panel.assets import address, assets
from panel.document import first_paint
from panel.page import Shown
from scripts.prepare import find_chromium
from tests.browser.conftest import FLAGS
from tests.browser.reader import DEADLINE_S
from views.registry import VIEWS
from views.settings import definitions, parse
from views.view import View, answer, read
from web.panels import EXTENSION, as_bytes

SITE = "http://site.invalid"
RUNS, CLAIMS, DATA = VIEWS["/training-compute"], VIEWS["/claims"], VIEWS["/data"]
BROKE = "It broke. The previous choices are still shown."
ALONE = '<script type="module" data-boot data-program="{}" data-streamlit="null" src="{}"></script>'
MOUNT = Path(__file__).with_name("mount.js").read_text("utf-8")
"""Streamlit's part: a place by its name, its data, and the messages of the session."""


@pytest.fixture(scope="module")
def window() -> Iterator[BrowserContext]:
    """A window in which one page stays open: its process keeps the scripts that it has compiled."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        context.set_default_timeout(1000 * DEADLINE_S)
        expect.set_options(timeout=1000 * DEADLINE_S)
        stays = context.new_page()
        stays.route("**/*", lambda route: route.fulfill(body=""))
        stays.goto(SITE)
        yield context
        browser.close()


class Site:
    """Documents, modules and answers without a server.

    ``hold`` keeps the answers to some addresses back, ``late`` some of the files; files that are ``lost`` never come.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.hold = self.late = self.lost = ""
        self.held: list[Route] = []
        self.asked: list[str] = []
        self.opened = 0
        self.made_by = self.answers_by = "old"
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.route("**/*", self._answer)

    def open(self, view: View, query: str = "") -> None:
        """Open the page of a view, and wait until its chart is live."""
        self.page.goto(f"{SITE}{view.path}?{query}")
        self.page.locator(".plot .live.js-plotly-plot .main-svg").first.wait_for()

    def choose(self, name: str, value: str) -> None:
        self.page.locator(f".controls [name={name}]").evaluate(
            "(control, value) => { control.value = value;"
            " control.dispatchEvent(new Event('change', {bubbles: true})); }",
            value,
        )

    def hold_back(self, year: str) -> None:
        """Choose a year, and request its finding, which does not come."""
        self.hold = f"since={year}.*part=finding"
        self.choose("since", year)
        self.until_asked(self.hold)

    def breaks(self) -> None:
        """Answer what was held back with a fault, after which the page says that it shows what it had."""
        self.release(status=500, body=b'{"detail": "It broke."}')

    def says(self, words: str) -> None:
        """Wait until the page says this of what it waits for."""
        expect(self.page.locator('[data-part="waiting"]')).to_have_text(words)

    def until_asked(self, part: str, *, times: int = 1) -> None:
        """Wait until the page has asked for what matches, so often."""
        for _ in range(200):
            if sum(bool(re.search(part, one)) for one in self.asked) >= times:
                return
            self.page.wait_for_timeout(25)
        raise AssertionError((part, self.asked))

    def release(self, *, status: int = 200, body: bytes | None = None) -> None:
        """Answer what was held back."""
        self.hold = self.late = ""
        routes, self.held = self.held, []
        for route in routes:
            if file := assets().get(urlsplit(route.request.url).path):
                route.fulfill(path=file, content_type="text/javascript")
            else:
                route.fulfill(status=status, body=body or panel_answer(route.request.url))

    def query(self) -> str:
        return urlsplit(self.page.url).query

    def _answer(self, route: Route) -> None:
        url = urlsplit(route.request.url)
        if file := assets().get(url.path):
            if self.lost and self.lost in url.path:
                route.abort()
            elif self.late and self.late in url.path:
                self.held.append(route)
            else:
                route.fulfill(path=file, content_type="text/javascript")
        elif url.path in VIEWS:
            self.opened += 1
            html = document(VIEWS[url.path], url.query, made_by=self.made_by)
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
        elif not url.path.endswith(EXTENSION):
            route.fulfill(status=404)
        else:
            self.asked.append(f"{url.path}?{url.query}")
            if self.hold and re.search(self.hold, self.asked[-1]):
                self.held.append(route)
            else:
                route.fulfill(body=panel_answer(route.request.url, by=self.answers_by))


def document(view: View, query: str, *, made_by: str) -> str:
    settings, ignored = read(view, query)
    shown = Shown(view=view, settings=settings, result=answer(view, settings, ignored=ignored))
    boot = ALONE.format(made_by, address("boot.js"))
    return f"<!doctype html><head>{boot}</head><body>{first_paint(shown)}<div id=root></div></body>"


def panel_answer(url: str, *, by: str = "old") -> bytes:
    path, query = urlsplit(url).path, parse_qs(urlsplit(url).query, keep_blank_values=True)
    assert query.pop("by") == ["old"] or by != "old"
    view = next(view for view in VIEWS.values() if path == f"/{view.name}{EXTENSION}")
    return as_bytes({"program": by, **own_answer(view, query)})


def own_answer(view: View, query: dict[str, list[str]]) -> dict[str, Any]:
    own = definitions(PanelSettings)
    wanted, _ = parse(PanelSettings, {name: query[name] for name in query if name in own})
    settings, ignored = read(view, {name: query[name] for name in query if name not in own})
    return answer_of(view, settings, wanted=wanted, ignored=ignored)


@pytest.fixture
def site(window: BrowserContext) -> Iterator[Site]:
    page = window.new_page()
    made = Site(page)
    yield made
    page.close()
    assert not made.problems


def shown(site: Site, value: str) -> None:
    """Wait until the page shows the runs since a year, in finding, control and chart."""
    page = site.page.locator("article.panel")
    expect(page).to_have_attribute("data-query", f"since={value}" if value else "")


def test_going_back_to_the_choice_in_sight_gives_up_the_one_under_way(site):
    site.open(RUNS)
    first = site.page.input_value("[name=since]")
    before = site.page.inner_text("h1")
    site.hold_back("2018")
    site.choose("since", first)
    site.until_asked(r"\?part=finding")
    site.release()
    shown(site, "")
    site.page.wait_for_timeout(300)
    assert (site.page.inner_text("h1"), site.page.input_value("[name=since]")) == (before, first)
    assert site.query() == ""


def test_a_page_that_waits_for_an_answer_is_dimmed_until_it_comes(site):
    site.open(RUNS)
    site.hold = "since=2018.*part=finding"
    site.choose("since", "2018")
    dimmed = site.page.locator("article.panel.dim")
    dimmed.wait_for()
    site.release()
    shown(site, "2018")
    expect(dimmed).to_have_count(0)


def test_further_exhibits_of_an_earlier_choice_are_given_up(site):
    site.hold = r"json\?part=further"
    site.open(RUNS)
    site.until_asked(r"json\?part=further")
    with site.page.expect_event("requestfailed", lambda request: "part=further" in request.url):
        site.choose("since", "2018")
    expect(site.page.locator('[data-part="further"]')).to_have_attribute("data-query", "since=2018")


def test_a_table_that_cannot_be_had_says_why_and_is_asked_for_again(site):
    site.open(RUNS)
    site.hold = "part=table"
    site.page.evaluate("document.getElementById('table').open = true")
    site.until_asked("part=table")
    site.release(status=500, body=b'{"detail": "<b>broken</b>"}')
    expect(site.page.locator("#table .rows")).to_have_text("<b>broken</b>")
    for state in ("false", "true"):
        site.page.evaluate(f"document.getElementById('table').open = {state}")
        site.page.wait_for_timeout(50)
    expect(site.page.locator("#table .tools [role=status]")).to_contain_text("row")


def test_an_option_says_what_it_stands_for_after_each_change(site):
    site.open(VIEWS["/placement"])
    preset = site.page.locator("[name=model] option[value=usual]")
    before = preset.text_content()
    site.choose("work", "frontier")
    expect(preset).to_have_text("Preset: DeepSeek-V3")
    assert before != "Preset: DeepSeek-V3"


class Session:
    """Streamlit's part for a reader's own data: places that come and go, questions, and their answers."""

    def __init__(self, site: Site) -> None:
        self.page = site.page
        self.answered = 0

    def draw(self, view: View, *, place: str, which: int | None, said: Any = None) -> None:
        own = None if which is None else {"id": str(which), "answer": said}
        data = {"view": view.name, "path": view.path, "own": own}
        self.page.evaluate(MOUNT, [address("component.js"), place, data])

    def take_away(self, place: str) -> None:
        self.page.evaluate("name => { places[name].aborted.abort(); places[name].box.remove(); }", place)

    def questions(self) -> list[dict[str, Any]]:
        return self.page.evaluate("() => window.asked ?? []")

    def next_question(self) -> dict[str, Any]:
        for _ in range(200):
            if len(requested := self.questions()) > self.answered:
                self.answered += 1
                return requested[self.answered - 1]
            self.page.wait_for_timeout(25)
        raise AssertionError("Nothing was asked of the session.")

    def answer(self, view: View, question: dict[str, Any], *, which: int, headline: str = "Own") -> None:
        """Answer a question as the session would, under a headline that only it gives."""
        query = parse_qs(question["query"]) | {
            name: [str(question[name])] for name in ("part", "exhibit") if name in question
        }
        body = own_answer(view, query)
        if "parts" in body:
            body["parts"]["headline"] = headline
            body["link"] = ""
        said = {"id": question["id"], "body": body}
        self.draw(view, place=question["place"], which=which, said=said)


@pytest.fixture
def session(site: Site) -> Session:
    return Session(site)


def own_page(site: Site, session: Session) -> None:
    """A page of ours is open, and the reader's own data come in."""
    site.open(RUNS)
    site.until_asked("part=further")
    session.draw(RUNS, place="first", which=1)
    session.answer(RUNS, session.next_question(), which=1)
    expect(site.page.locator("h1")).to_have_text("Own")


def settled_page(site: Site, session: Session) -> None:
    """A page of the reader's own data is open, of which nothing is under way."""
    own_page(site, session)
    question = session.next_question()
    assert question["part"] == "further"
    session.answer(RUNS, question, which=1)


def test_a_page_of_own_data_takes_nothing_from_the_public_data(*, site, session):
    settled_page(site, session)
    session.take_away("first")
    site.asked.clear()
    session.draw(DATA, place="second", which=1)
    parts = []
    for _ in range(3):
        question = session.next_question()
        parts.append(question["part"])
        session.answer(DATA, question, which=1)
    assert sorted(parts) == ["further", "page", "table"]
    expect(site.page.locator("#table .tools [role=status]")).to_contain_text("rows")
    assert site.asked == []


def test_a_question_that_was_open_when_the_page_was_left_holds_up_no_other(*, site, session):
    settled_page(site, session)
    site.choose("since", "2018")
    assert session.next_question()["query"] == "since=2018"
    session.take_away("first")
    session.draw(CLAIMS, place="second", which=1)
    session.answer(CLAIMS, session.next_question(), which=1)
    expect(site.page.locator('article[data-view="claims"] h1')).not_to_be_empty()
    session.take_away("second")
    session.draw(RUNS, place="third", which=1)
    expect(site.page.locator("article h1")).to_have_text("Own")
    assert site.page.input_value("[name=since]") != "2018"
    site.choose("since", "2016")
    question = next(q for q in iter(session.next_question, None) if q["query"] == "since=2016")
    assert question["place"] == "third"


def test_a_choice_that_is_refused_leaves_controls_and_address_at_what_is_shown(site):
    site.open(RUNS)
    first = site.page.input_value("[name=since]")
    before = site.page.inner_text("h1")
    site.hold_back("2018")
    site.breaks()
    site.says(BROKE)
    assert (site.page.inner_text("h1"), site.page.input_value("[name=since]")) == (before, first)
    assert site.query() == ""
    site.choose("since", "2018")
    shown(site, "2018")
    site.hold = r"json\?part=finding"
    site.page.evaluate("history.back()")
    site.until_asked(r"json\?part=finding")
    site.breaks()
    site.page.wait_for_function("() => location.search === '?since=2018'")
    assert site.page.input_value("[name=since]") == "2018"


def test_where_a_chart_cannot_be_drawn_no_other_chart_stays(site):
    site.lost = "plotly"
    site.page.goto(f"{SITE}{RUNS.path}")
    site.says("The chart library could not be loaded.")
    box = site.page.locator('.plot[data-exhibit="1"]')
    expect(box.locator("svg").first).to_be_visible()  # it is of these choices
    site.choose("since", "2018")
    shown(site, "2018")
    expect(box).to_be_empty()
    site.says("The chart library could not be loaded.")
    site.lost = ""
    site.choose("since", "2016")
    expect(box.locator(".live .main-svg").first).to_be_visible()
    site.says("")


def test_a_choice_made_before_the_page_was_live_is_shown(site):
    site.late = "boot.js"
    site.page.goto(f"{SITE}{RUNS.path}?rule=records", wait_until="commit")
    site.page.locator("[name=since]").wait_for()
    site.choose("since", "2018")
    site.release()
    expect(site.page.locator("article.panel")).to_have_attribute("data-query", "rule=records&since=2018")
    assert site.query() == "rule=records&since=2018"


@pytest.mark.parametrize("query", ["", "domain=language"])
def test_a_choice_under_way_goes_on_when_the_session_joins(*, query, site, session):
    site.open(RUNS, query)
    site.hold_back("2018")
    session.draw(RUNS, place="first", which=None)
    expect(site.page.locator("#first")).to_have_count(0)
    site.release()
    expect(site.page.locator("article.panel")).to_have_attribute("data-query", re.compile("since=2018"))
    assert site.page.input_value("[name=since]") == "2018"
    assert "since=2018" in site.query()


def test_the_table_of_an_earlier_choice_is_never_opened(site):
    site.open(RUNS)
    assert site.page.locator("#table tbody tr").count() > 0
    site.choose("since", "2018")
    shown(site, "2018")
    site.hold = "part=table"
    site.page.evaluate("document.getElementById('table').open = true")
    site.until_asked("part=table")
    assert site.page.locator("#table tbody tr").count() == 0


def test_share_is_of_what_the_page_comes_to_show(site):
    site.open(RUNS)
    link = site.page.get_by_role("textbox", name="Full link")
    site.hold_back("2018")
    site.page.get_by_role("button", name="Share", exact=True).click()
    site.release()
    expect(link).to_have_value(re.compile("since=2018"))
    site.page.evaluate("history.back()")
    expect(link).to_have_value(re.compile("since=2012"))


def test_a_table_stays_sorted_and_searched_when_the_view_changes(site):
    site.open(RUNS)
    site.page.locator("#table > summary").click()
    site.page.locator("#table input").fill("a")
    site.page.locator("#table th button").first.click()
    site.choose("since", "2018")
    expect(site.page.locator("#table .rows")).not_to_have_class(re.compile("stale"))
    expect(site.page.locator("#table input")).to_have_value("a")
    expect(site.page.locator("#table th").first).to_have_attribute("aria-sort", "ascending")
    names = site.page.locator("#table td:first-child").all_inner_texts()
    assert names and names[0].casefold() < names[-1].casefold()


def test_a_question_that_is_never_answered_holds_up_no_choice(*, site, session):
    own_page(site, session)
    assert session.next_question()["part"] == "further"
    site.choose("since", "2018")
    question = session.next_question()
    assert (question["part"], question["query"]) == ("finding", "since=2018")
    session.answer(RUNS, question, which=1, headline="Newer")
    expect(site.page.locator("h1")).to_have_text("Newer")


def test_no_chart_of_the_public_data_stays_below_a_finding_of_own_data(*, site, session):
    site.open(RUNS)
    expect(site.page.locator("#exhibit-2 .title")).not_to_be_empty()
    session.draw(RUNS, place="first", which=1)
    session.answer(RUNS, session.next_question(), which=1)
    question = session.next_question()
    assert question["part"] == "further"
    answer = {"id": question["id"], "problem": "Too few rows."}
    session.draw(RUNS, place="first", which=1, said=answer)
    expect(site.page.locator("#exhibit-2")).to_have_count(0)


def test_own_data_that_are_gone_are_not_said_to_be_ours(*, site, session):
    settled_page(site, session)
    site.hold = "part=finding"
    session.draw(RUNS, place="first", which=None)
    site.until_asked("part=finding")
    site.breaks()
    site.says(BROKE)


def test_where_old_and_new_programs_answer_side_by_side_the_page_comes_anew_once(site):
    site.open(RUNS)
    site.until_asked("part=further")
    site.answers_by = "new"
    for year in ("2018", "2019", "2020"):
        site.choose("since", year)
        site.page.wait_for_function(
            "year => document.querySelector('[name=since]')?.value === year", arg=year
        )
        expect(site.page.locator('[data-part="source"]')).to_contain_text(year)
        site.page.locator(".plot .live.js-plotly-plot .main-svg").first.wait_for()
    assert site.opened == 2


def test_a_page_that_comes_when_the_address_is_another_one_s_leaves_it_alone(*, site, session):
    site.open(RUNS)
    site.choose("since", "2018")
    shown(site, "2018")
    site.page.evaluate("history.pushState(null, '', '/claims?value=1')")
    session.draw(RUNS, place="late", which=None)
    site.page.wait_for_timeout(300)
    assert site.page.url == f"{SITE}/claims?value=1"
    assert site.page.input_value("[name=since]") == "2018"


def test_the_menu_s_entry_of_the_page_one_is_on_holds_up_no_question(*, site, session):
    settled_page(site, session)
    site.page.evaluate(
        """() => {
          for (const path of ["/claims", "/training-compute"]) {
            const place = document.body.appendChild(document.createElement("p"));
            place.dataset.testid = "stPageLink";
            const entry = place.appendChild(document.createElement("a"));
            entry.href = path;
            entry.onclick = (event) => event.preventDefault();
          }
        }"""
    )
    there, here = site.page.locator("[data-testid=stPageLink] a").all()
    there.dispatch_event("click")
    site.choose("since", "2018")
    session.draw(RUNS, place="first", which=1)  # what was under way when another page was asked for
    site.page.wait_for_timeout(200)
    assert all(question["query"] != "since=2018" for question in session.questions())
    here.dispatch_event("click")
    assert session.next_question()["query"] == "since=2018"
    here.dispatch_event("click")
    site.choose("since", "2016")
    assert session.next_question()["query"] == "since=2016"


def drawing_of(site: Site, value: str) -> str:
    """Choose a year and return the mark on the drawing that then stands; a drawing without one gets that year."""
    site.choose("since", value)
    shown(site, value)
    return site.page.evaluate(
        """value => {
          const [live, ...others] = document.querySelectorAll('.plot[data-exhibit="1"] > *');
          if (others.length) throw new Error("There is more than one drawing in the box.");
          return live.dataset.mark ??= value;
        }""",
        value,
    )


def test_the_drawing_of_a_choice_made_before_comes_back_as_it_was_unless_it_was_moved_and_fits_its_box(site):
    site.open(RUNS)
    assert [drawing_of(site, year) for year in ("2016", "2018", "2016")] == ["2016", "2018", "2016"]
    title = site.page.get_by_role("img").first.get_attribute("aria-label") or ""
    assert site.page.inner_text("h1") in title
    site.page.set_viewport_size({"width": 700, "height": 800})
    assert drawing_of(site, "2018") == "2018"
    wide = "document.querySelector('.live .main-svg').clientWidth"
    site.page.wait_for_function(f"() => {wide} <= document.querySelector('.plot').clientWidth")
    site.page.evaluate(
        "() => Plotly.relayout(document.querySelector('.live'), {'xaxis.range': [2018, 2020]})"
    )
    drawing_of(site, "2016")
    site.choose("since", "2018")
    shown(site, "2018")
    assert site.page.evaluate("() => document.querySelector('.live').dataset.mark ?? null") is None
    assert site.page.evaluate("() => document.querySelector('.live').layout.xaxis.range[0]") != 2018


def test_a_page_that_takes_long_says_so_then_comes_and_tidies_its_address(*, site, session):
    site.open(RUNS)
    site.until_asked("part=further")
    site.hold = "part=page"
    site.page.evaluate("history.pushState(null, '', '/claims?find=memory&colour=red#table')")
    session.draw(CLAIMS, place="second", which=None)
    place = site.page.locator("body > :last-child")
    expect(place).to_have_text("One moment …")
    site.until_asked("claims.*part=page")
    site.release(status=503, body=b"{}")
    expect(place).to_have_text("The server is busy. Trying again in 1 s.")
    expect(site.page.locator('article[data-view="claims"] h1')).not_to_be_empty()
    site.page.wait_for_url(f"{SITE}/claims?find=memory#table")


def test_what_is_typed_is_fetched_and_drawn_and_every_word_of_a_short_list_fetched_ahead_and_not_again(site):
    site.open(RUNS)
    site.until_asked("part=further")
    fetched = site.page.evaluate("""() => {
      const [fetched, really, draw] = [[], window.fetch, Plotly.newPlot];
      window.drawn = [];
      Plotly.newPlot = async (...how) => { await draw(...how); window.drawn.push(how[0]); };
      window.fetch = (address, how) => { fetched.push(address); return really(address, how); };
      const field = document.querySelector('.controls [name=since]');
      for (const text of ["2", "20", "201", "2016"]) {
        field.value = text;
        field.dispatchEvent(new Event("input", {bubbles: true}));
      }
      return fetched;
    }""")
    assert [parse_qs(urlsplit(one).query)["since"] for one in fetched] == [["2016"]]
    site.page.wait_for_function("() => window.drawn.length === 1 && !window.drawn[0].isConnected")
    site.choose("since", "2016")
    shown(site, "2016")
    assert site.page.evaluate("() => [window.drawn.length, window.drawn[0].isConnected]") == [1, True]
    assert len([one for one in site.asked if re.search("since=2016.*part=finding", one)]) == 1
    site.page.locator(".controls [name=rule]").focus()
    site.page.wait_for_function("() => window.drawn.length === 3")
    site.choose("rule", "records")
    site.page.wait_for_function("() => window.drawn.slice(1, 3).some((one) => one.isConnected)")


@pytest.mark.parametrize("last", [True, False])
def test_a_button_pressed_before_the_page_was_live_does_its_work_then_unless_another_place_was(*, site, last):
    site.late = "boot.js"
    site.page.goto(f"{SITE}{RUNS.path}", wait_until="commit")
    site.page.locator("[name=since]").wait_for()
    site.page.get_by_role("button", name="Share").click()
    if not last:
        site.page.locator("h1").click()
    site.release()
    site.page.locator(".plot .live.js-plotly-plot .main-svg").first.wait_for()
    expect(site.page.get_by_role("dialog")).to_have_count(int(last))
