import io
import urllib.request
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

from pptx import Presentation

from data.releases import names
from tests.charts.powerpoint_examples import company_template
from views.deck import deck_link, parse_deck, results

TWO = ["/training-compute?since=2018", f"/accelerators?release={names()[0]}"]


def deck_address(*links, **more):
    return f"/deck?{urlencode([*(('view', link) for link in links), *more.items()])}"


def headlines(page):
    return [
        link.inner_text().replace("\N{NO-BREAK SPACE}", " ")
        for link in page.locator('[class*="st-key-slide-"] [data-testid="stMarkdown"] a').all()
    ]


def wanted(*links):
    return [result.headline for result in results(parse_deck({"view": list(links)})[0])]


def slides_of(download):
    return list(Presentation(download.path()).slides)


def native_charts(slides):
    return sum(shape.has_chart for page in slides for shape in page.shapes)


def settle(page, drawn):
    page.wait_for_timeout(300)
    drawn(page)


def test_views_of_two_pages_go_on_slides_and_the_file_holds_native_charts(open_page, drawn):
    page = open_page("/training-compute?since=2018")
    places = [page.get_by_role("button", name="Share", exact=True), page.get_by_role("heading", level=1)]
    before = [place.bounding_box() for place in places]
    page.get_by_role("button", name="Add to deck").click()
    page.get_by_text("Added. The deck has 1 view.").wait_for()
    page.get_by_role("link", name="In the deck (1)").wait_for()
    assert [place.bounding_box() for place in places] == before  # nothing moves
    page.get_by_role("link", name="The gap").click()
    page.get_by_role("heading", level=1).filter(has_text="frontier run").wait_for()
    page.get_by_role("button", name="Add to deck").click()
    page.get_by_role("link", name="In the deck (2)").wait_for()
    settle(page, drawn)
    page.get_by_role("link", name="In the deck (2)").click()
    page.get_by_role("heading", name="2 views, ready as slides").wait_for()
    settle(page, drawn)
    query = parse_qs(urlsplit(page.url).query)
    assert [urlsplit(link).path for link in query["view"]] == ["/training-compute", "/"]
    assert headlines(page) == wanted(*query["view"])
    with page.expect_download() as download:
        page.get_by_role("button", name="Download slides").click()
    slides = slides_of(download.value)
    assert download.value.suggested_filename == "scaling-gap-deck.pptx"
    assert len(slides) == 5
    assert native_charts(slides) == 2


def test_the_copied_deck_link_opens_the_same_deck_in_another_browser_and_as_a_file(open_page, server):
    page = open_page(deck_address(*TWO, title="For the board"))
    copied = page.locator('[data-testid="stCode"]').inner_text().strip()
    assert copied == server.url + deck_link(parse_deck({"view": TWO, "title": ["For the board"]})[0])
    elsewhere = open_page(copied.removeprefix(server.url))
    assert headlines(elsewhere) == headlines(page) == wanted(*TWO)
    assert elsewhere.get_by_role("textbox", name="Title").input_value() == "For the board"
    with urllib.request.urlopen(copied.replace("/deck?", "/deck.pptx?"), timeout=30) as got:
        assert native_charts(Presentation(io.BytesIO(got.read())).slides) == 2


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


def test_the_company_s_template_is_used_and_a_file_that_is_none_is_refused_with_words(
    *, open_page, drawn, tmp_path: Path
):
    page = open_page(deck_address(TWO[0]))
    page.get_by_role("button", name="Own template").click()
    chooser = page.locator('[data-testid="stFileUploader"] input[type="file"]')
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
    ours = {layout.name for layout in Presentation(io.BytesIO(company_template())).slide_layouts}
    assert {slide.slide_layout.name for slide in slides_of(download.value)} <= ours
    assert native_charts(slides_of(download.value)) == 1
