"""A choice on an open page: what changes, what stays, and what happens when the answer is late or does not come."""

from urllib.parse import parse_qs, urlsplit

from panel.streamlit_names import HEALTH
from tests.browser.reader import (
    DEADLINE_S,
    choose,
    control,
    go_by_menu,
    panel,
    until_shown,
    until_shows,
    watch,
)

PATH = "/training-compute"


def box_of(element) -> dict[str, float]:
    """Return where an element stands on the screen. [px]"""
    box = element.bounding_box()
    assert box, "it is not on the screen"
    return box


def until(page, query):
    until_shows(page, f"{PATH}?{query}")


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


def test_on_a_phone_each_choice_off_its_default_is_a_chip_and_a_table_keeps_its_first_column(open_page):
    page = open_page(f"{PATH}?since=2018", viewport="phone")
    assert panel(page).locator(".chip:visible").count() == 1
    panel(page).locator("#table > summary").click()
    scroller = panel(page).locator("#table .scroller")
    scroller.evaluate("box => box.scrollTo(200, 0)")
    at = box_of(scroller.locator("td").first)
    assert abs(at["x"] - box_of(scroller)["x"]) < 3
