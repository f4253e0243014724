"""A choice on an open page: what changes, what stays, and what happens when the answer is late or does not come."""

import time
from urllib.parse import parse_qs, urlsplit

from panel.streamlit_names import HEALTH
from tests.browser.reader import (
    DEADLINE_S,
    choose,
    control,
    go_by_menu,
    headline,
    panel,
    result_of,
    until_shown,
    until_shows,
    watch,
)
from tests.browser.streamlit_page import PANEL

PATH = "/training-compute"
ANSWERS = "**/training-compute.panel.json?*"
DIMMED = """() => {
  window.dimmed = []; window.changed = 0;
  const panel = document.querySelector("PANEL");
  panel.addEventListener("change", () => { window.changed = performance.now() }, true);
  new MutationObserver(() => window.dimmed.push([panel.classList.contains("dim"), performance.now() - window.changed]))
    .observe(panel, {attributes: true, attributeFilter: ["class"]});
}""".replace("PANEL", PANEL)


def box_of(element) -> dict[str, float]:
    """Return where an element stands on the screen. [px]"""
    box = element.bounding_box()
    assert box, "it is not on the screen"
    return box


def until(page, query):
    until_shows(page, f"{PATH}?{query}")


def asked_for(route, text):
    return text in route.request.url and "part=finding" in route.request.url


def test_the_address_is_the_link_of_what_is_shown_and_back_forward_and_reload_follow(open_page, drawn):
    page = open_page(PATH)
    steps = ["", "since=2018", "since=2018&rule=notable"]
    choose(page, "since", to="2018")
    choose(page, "rule", to="notable")

    def check(query):
        until(page, query)
        assert parse_qs(urlsplit(page.url).query) == parse_qs(query)

    check(steps[2])
    for query in (steps[1], steps[0]):
        page.go_back()
        check(query)
    for query in steps[1:]:
        page.go_forward()
        check(query)
    page.reload()
    drawn(page)
    check(steps[2])
    page.go_back()
    check(steps[1])


def test_back_leads_through_the_pages_with_their_choices_and_pressed_twice_at_once_leaves_the_way_forward(
    open_page, drawn
):
    page = open_page(PATH)
    choose(page, "since", to="2018")
    go_by_menu(page, "Chip growth")
    drawn(page)
    choose(page, "rule", to="flagships")
    until_shows(page, "/accelerators?rule=flagships")
    page.go_back()
    until_shows(page, "/accelerators")
    page.go_back()
    drawn(page)
    until(page, "since=2018")
    page.go_back()
    until(page, "")
    page.go_forward()
    until(page, "since=2018")
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    for step, at in ((2, "/accelerators?rule=flagships"), (-1, "/accelerators"), (-1, f"{PATH}?since=2018")):
        page.evaluate("step => history.go(step)", step)
        page.wait_for_function("at => location.pathname + location.search === at", arg=at)
    page.go_forward()
    until_shows(page, "/accelerators")
    page.go_forward()
    until_shows(page, "/accelerators?rule=flagships")


def test_an_answer_changes_the_one_chart_and_an_older_one_never_takes_the_place_of_a_newer(open_page):
    page = open_page(PATH)
    live = f"{PANEL} .plot[data-exhibit='1'] > *"
    before = page.locator(f"{live} .scatterlayer").inner_html()
    alt = page.locator(live).get_attribute("aria-label")
    choose(page, "since", to="2018")
    assert page.locator(live).count() == 1
    assert page.locator(f"{live} .scatterlayer").inner_html() != before
    assert page.locator(live).get_attribute("aria-label") != alt
    late = []

    def delay(route):
        if asked_for(route, "since=2016"):
            late.append(route)
        else:
            route.continue_()

    page.route(ANSWERS, delay)
    control(page, "since").fill("2016")
    control(page, "since").press("Enter")
    page.wait_for_timeout(100)
    choose(page, "since", to="2019")
    until(page, "since=2019")
    assert late
    for route in late:
        route.continue_()
    page.wait_for_timeout(800)
    until(page, "since=2019")
    assert page.url.endswith("?since=2019")
    assert control(page, "since").input_value() == "2019"


def test_a_chip_takes_its_choice_back_and_one_takes_all(open_page):
    page = open_page(f"{PATH}?interval=classical&level=50&since=2018")
    chips = panel(page).locator(".chip:visible")
    assert chips.count() == 3
    before = watch(page)
    chips.first.press("Enter")
    until_shown(page, before=before)
    assert chips.count() == 1
    page.wait_for_function("() => document.activeElement.matches('.chip')")  # a keyboard goes on from there
    assert "since=2018" in page.url
    choose(page, "estimator", to="theil-sen")
    before = watch(page)
    panel(page).get_by_role("button", name="Reset all").click()
    until_shown(page, before=before)
    assert panel(page).locator(".chip").count() == 0
    page.wait_for_function("() => document.activeElement.matches('.adjust > summary')")
    assert page.url.endswith(PATH)
    until(page, "")


def test_the_page_is_dimmed_after_150_ms_and_not_before(open_page):
    page = open_page(PATH)

    def delay(route):
        if asked_for(route, "domain=language"):
            time.sleep(0.6)
        route.continue_()

    page.route(ANSWERS, delay)
    page.evaluate(DIMMED)
    choose(page, "domain", to="language")
    page.wait_for_function("() => !document.querySelector('.panel').classList.contains('dim')")
    dimmed = page.evaluate("window.dimmed")
    on = [at for dim, at in dimmed if dim]
    assert len(on) == 1 and 145 <= on[0] <= 500, dimmed
    assert dimmed[-1][0] is False
    page.evaluate("() => { window.dimmed = [] }")
    choose(page, "domain", to="all")  # seen before: at hand
    assert [at for dim, at in page.evaluate("window.dimmed") if dim] == []


def test_a_server_that_is_busy_or_away_is_named_and_asked_again(open_page, guard):
    guard.expected.append("503|ERR_FAILED")
    page = open_page(PATH)
    refused = {"since=2017": "Many readers are asking at once.", "since=2019": "The server does not answer."}
    seen = []

    def refuse_at_first(route):
        if asked_for(route, "since=2017") and not seen:
            return route.fulfill(status=503, json={"title": "Busy", "detail": "Try again."})
        if asked_for(route, "since=2019") and len(seen) < 2:
            return route.abort()
        return route.continue_()

    page.route(ANSWERS, refuse_at_first)
    shown = result_of(PATH).headline
    for query, words in refused.items():
        before = watch(page)
        control(page, "since").fill(query.partition("=")[2])
        control(page, "since").press("Enter")
        line = panel(page).locator('[data-part="waiting"]')
        line.filter(has_text=words).wait_for()
        seen.append(words)
        assert "Trying again in 1 s." in line.inner_text()
        assert line.get_attribute("role") == "status"
        assert headline(page) == shown  # the old answer stays in sight
        until_shown(page, before=before)
        until(page, query)
        assert line.inner_text() == ""
        shown = result_of(f"{PATH}?{query}").headline


def test_a_server_killed_and_started_again_answers_the_next_change_without_a_reload(
    *, start_server, open_page, guard
):
    guard.expected += ["WebSocket", "ERR_", "50[0-9]", HEALTH, "server is not responding"]
    server = start_server()
    page = open_page(PATH, on=server)
    page.evaluate("() => { window.mark = 'not reloaded' }")
    port = int(server.url.rpartition(":")[2])
    server.process.kill()
    server.process.wait(timeout=DEADLINE_S)
    chart = box_of(panel(page).locator(".plot").first)["y"]
    before = watch(page)
    control(page, "since").fill("2018")
    control(page, "since").press("Enter")
    panel(page).get_by_text("The server does not answer.").wait_for()
    page.wait_for_timeout(3000)
    assert page.get_by_role("dialog").count() == 0, "Streamlit's word for it locks the page"
    assert box_of(panel(page).locator(".plot").first)["y"] == chart, "the page moved for a message"
    start_server(port=port)
    until_shown(page, before=before)
    until(page, "since=2018")
    choose(page, "rule", to="notable")
    until(page, "since=2018&rule=notable")
    page.wait_for_timeout(3000)  # Streamlit has found the new server, with a session that knows nothing yet
    until(page, "since=2018&rule=notable")
    assert panel(page).count() == 1
    assert page.evaluate("window.mark") == "not reloaded"
    go_by_menu(page, "Chip growth")
    until_shows(page, "/accelerators")


def test_on_a_phone_the_sheet_opens_without_a_keyboard_and_closes_beside_it_and_by_escape(open_page):
    page = open_page(PATH, viewport="phone", has_touch=True)
    sheet, button = panel(page).locator("form.controls"), panel(page).locator(".open-controls")
    for close in (lambda: page.touchscreen.tap(195, 40), lambda: page.keyboard.press("Escape")):
        button.tap()
        sheet.wait_for(state="visible")
        # A field would bring up a keyboard over the sheet.
        assert sheet.evaluate("sheet => sheet === document.activeElement")
        box = box_of(sheet)
        assert round(box["y"] + box["height"]) == 844
        close()
        sheet.wait_for(state="hidden")
        assert button.evaluate("button => button === document.activeElement")


def test_on_a_phone_each_choice_off_its_default_is_a_chip_and_a_table_keeps_its_first_column(open_page):
    page = open_page(f"{PATH}?since=2018", viewport="phone")
    assert panel(page).locator(".chip:visible").count() == 1
    panel(page).locator("#table > summary").click()
    scroller = panel(page).locator("#table .scroller")
    scroller.evaluate("box => box.scrollTo(200, 0)")
    at = box_of(scroller.locator("td").first)
    assert abs(at["x"] - box_of(scroller)["x"]) < 3
