import io
from urllib.parse import quote, urlencode

from pptx import Presentation

from data.releases import names
from tests.browser.reader import choose, go_by_menu
from tests.browser.streamlit_page import CODE, FILE_CHOOSER, KEYED, SLIDE_LINK
from tests.charts.powerpoint_examples import company_template
from views.deck import parse_deck, results

TWO = ["/training-compute?since=2018", f"/accelerators?release={names()[0]}"]


def deck_address(*links, **more):
    return f"/deck?{urlencode([*(('view', link) for link in links), *more.items()])}"


def headlines(page):
    return [link.inner_text().replace("\N{NO-BREAK SPACE}", " ") for link in page.locator(SLIDE_LINK).all()]


def wanted(*links):
    return [result.headline for result in results(parse_deck({"view": list(links)})[0])]


def slides_of(download):
    return list(Presentation(download.path()).slides)


def native_charts(slides):
    return sum(shape.has_chart for page in slides for shape in page.shapes)


def settle(page, drawn):
    page.wait_for_timeout(300)
    drawn(page)


def add(page):
    """Add the view in sight; nothing may move by it."""
    places = [page.get_by_role("button", name="Share", exact=True), page.get_by_role("heading", level=1)]
    before = [place.bounding_box() for place in places]
    page.get_by_role("button", name="Add to deck").click()
    page.get_by_role("button", name="In the deck").wait_for()
    after = [place.bounding_box() for place in places]
    assert [box["y"] for box in after] == [box["y"] for box in before]


def menu_says(page, words):
    page.locator(".bar").get_by_role("link", name=words, exact=True).wait_for()


def test_views_of_two_pages_go_on_slides_and_what_is_changed_there_holds_for_the_browser(open_page, drawn):
    page = open_page("/training-compute?since=2018")
    add(page)
    menu_says(page, "Deck (1)")
    go_by_menu(page, "Overview")
    drawn(page)
    add(page)
    menu_says(page, "Deck (2)")
    page.get_by_role("button", name="In the deck (2)").click()
    page.get_by_role("heading", name="2 views, ready as slides").wait_for()
    settle(page, drawn)
    assert headlines(page) == wanted("/training-compute?since=2018", "/")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download slides").click()
    slides = slides_of(download.value)
    assert download.value.suggested_filename == "scaling-gap-deck.pptx"
    assert len(slides) == 5
    assert native_charts(slides) == 2
    page.get_by_role("button", name="Remove", exact=True).first.click()
    page.get_by_role("heading", name="1 view, ready as slides").wait_for()
    menu_says(page, "Deck (1)")
    page.wait_for_function("() => localStorage.getItem('scaling-gap deck').split('view=').length === 2")
    fresh = page.context.new_page()
    fresh.goto(page.url.partition("/deck")[0] + "/training-compute?since=2018")
    drawn(fresh)
    fresh.get_by_role("button", name="Add to deck").wait_for()
    menu_says(fresh, "Deck (1)")
    settle(page, drawn)
    page.get_by_role("button", name="Remove", exact=True).first.click()
    page.get_by_role("heading", name="Your deck is empty").wait_for()
    menu_says(page, "Deck")
    page.wait_for_function("() => !localStorage.getItem('scaling-gap deck')")
    menu_says(fresh, "Deck")


def test_the_deck_is_there_after_a_reload_and_in_another_tab_and_all_follow(open_page, drawn):
    page = open_page("/training-compute?since=2018")
    add(page)
    menu_says(page, "Deck (1)")
    page.reload()
    drawn(page)
    page.get_by_role("button", name="In the deck (1)").wait_for()
    menu_says(page, "Deck (1)")
    choose(page, "since", to="2019")  # with other choices it is another view
    page.get_by_role("button", name="Add to deck").wait_for()
    other = page.context.new_page()
    other.goto(page.url)
    drawn(other)
    menu_says(other, "Deck (1)")
    other.get_by_role("button", name="Add to deck").click()
    menu_says(other, "Deck (2)")
    menu_says(page, "Deck (2)")
    page.get_by_role("button", name="In the deck (2)").wait_for()
    choose(page, "since", to="2018")
    page.get_by_role("button", name="In the deck (2)").wait_for()
    other.goto(page.url.partition("/training-compute")[0] + deck_address("/accelerators", "/growth-gap"))
    other.get_by_role("button", name="Undo").click()  # a deck opened over a gathered one can be taken back
    other.get_by_role("heading", name="2 views, ready as slides").wait_for()
    settle(other, drawn)
    assert headlines(other) == wanted(TWO[0], "/training-compute?since=2019")
    menu_says(page, "Deck (2)")


def test_order_and_removal_stand_in_the_address_and_back_takes_them_back(*, open_page, drawn, server):
    page = open_page("/")
    page.goto(server.url + deck_address(*TWO))
    drawn(page)
    page.get_by_role("button", name="Down", exact=True).first.click()
    page.wait_for_function("() => location.search.startsWith('?view=%2Faccelerators')")
    settle(page, drawn)
    assert headlines(page) == wanted(*TWO[::-1])
    page.reload()
    drawn(page)
    assert headlines(page) == wanted(*TWO[::-1])
    page.go_back()
    page.wait_for_function("() => location.search.startsWith('?view=%2Ftraining-compute')")
    settle(page, drawn)
    assert headlines(page) == wanted(*TWO)
    page.go_back()
    page.wait_for_function("() => location.pathname === '/'")


def test_a_title_of_one_s_own_and_the_company_s_template_are_used_and_a_file_that_is_none_is_refused(
    open_page, drawn
):
    page = open_page(deck_address(*TWO))
    settle(page, drawn)
    page.get_by_role("button", name="Title", exact=True).first.click()
    field = page.get_by_role("textbox", name="Your own title for this slide")
    field.fill("Tell the <b>board</b>")
    field.press("Enter")
    page.wait_for_function("() => location.search.includes('%23Tell')")
    page.keyboard.press("Escape")
    settle(page, drawn)
    assert headlines(page) == ["Tell the <b>board</b>", wanted(TWO[1])[0]]
    assert "%23Tell+the" in page.locator(CODE).inner_text()
    page.get_by_role("button", name="Own template").click()
    chooser = page.locator(FILE_CHOOSER)
    chooser.set_input_files({"name": "x.pptx", "mimeType": "application/zip", "buffer": b"no such thing"})
    page.get_by_text("The template is not a PowerPoint file.").wait_for()
    chooser.set_input_files(
        {"name": "house.pptx", "mimeType": "application/zip", "buffer": company_template()}
    )
    page.get_by_text("The template is not a PowerPoint file.").wait_for(state="hidden")
    settle(page, drawn)
    page.keyboard.press("Escape")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download slides").click()
    slides = slides_of(download.value)
    ours = {layout.name for layout in Presentation(io.BytesIO(company_template())).slide_layouts}
    assert {slide.slide_layout.name for slide in slides} <= ours
    assert native_charts(slides) == 2
    titles = [slide.shapes.title.text_frame.text for slide in slides if slide.shapes.title is not None]
    assert titles[2:4] == ["Tell the <b>board</b>", wanted(TWO[1])[0]]


def test_a_slide_is_moved_by_the_keyboard_alone_step_by_step(open_page, drawn):
    three = [*TWO, "/growth-gap"]
    page = open_page(deck_address(*three))
    settle(page, drawn)
    page.get_by_role("button", name="Down", exact=True).first.focus()
    for order in ((1, 0, 2), (1, 2, 0)):
        page.keyboard.press("Enter")
        first = quote(three[order[0]].partition("?")[0], safe="")
        last = quote(three[order[2]].partition("?")[0], safe="")
        page.wait_for_function(f"() => location.search.startsWith('?view={first}')")
        page.wait_for_function(f"() => location.search.split('view=')[3].startsWith('{last}')")
        settle(page, drawn)
        assert headlines(page) == wanted(*(three[k] for k in order))
        page.wait_for_function(f"() => document.activeElement.closest('{KEYED}') !== null")
        page.wait_for_timeout(600)
    assert page.evaluate("() => document.activeElement.textContent") == "Up"
