"""Share: links, files, a frame and a citation, taken along by mouse, by keyboard and without a clipboard."""

from urllib.parse import urlsplit

from panel.answer import embed_code
from tests.browser.reader import choose, open_share, result_of, spaced
from tests.browser.streamlit_page import APP

QUERY = "since=2018"
PATH = f"/training-compute?{QUERY}"
FOCUSED = "() => document.activeElement.getAttribute('aria-label') || document.activeElement.innerText.trim()"


def result():
    return result_of(PATH)


def status(page):
    """Return what the dialog says came of it, once it says something."""
    page.wait_for_function("() => document.querySelector('dialog .said')?.textContent")
    return page.locator("dialog .said").inner_text()


def test_link_picture_numbers_frame_and_citation_go_to_the_clipboard_as_they_stand(open_page, server):
    page = open_page(PATH)
    share = open_share(page)
    share.get_by_role("button", name="Copy link", exact=True).click()
    assert status(page) == "Link copied"
    assert page.evaluate("navigator.clipboard.readText()") == server.url + result().link
    share.get_by_role("button", name="Copy image").click()
    page.get_by_text("Picture copied").wait_for()
    types = "navigator.clipboard.read().then(items => items.flatMap(item => item.types))"
    assert page.evaluate(types) == ["image/png"]
    share.get_by_role("button", name="Copy data").click()
    page.get_by_text("Numbers copied").wait_for()
    rows = [row.split("\t") for row in page.evaluate("navigator.clipboard.readText()").split("\n")]
    table = result().table
    assert len(rows) == len(table.rows) + 1
    assert {len(row) for row in rows} == {len(table.columns)}
    assert rows[1][0] == table.rows[0][0]
    for field in ("Embed code", "Citation", "BibTeX"):
        name = field if field == "BibTeX" else field.lower()
        share.get_by_role("button", name=f"Copy {name}", exact=True).click()
        page.wait_for_function(
            "name => document.querySelector('dialog .said').textContent.toLowerCase().startsWith(name)",
            arg=field.lower(),
        )
        shown = share.get_by_role("textbox", name=field, exact=True).input_value()
        assert page.evaluate("navigator.clipboard.readText()") == shown
        assert server.url in shown
    share.get_by_label("Colours").select_option("Dark")
    share.get_by_role("button", name="Copy live embed code").click()
    page.get_by_text("Live embed code copied").wait_for()
    assert "embed=true&amp;embed_options=dark_theme" in page.evaluate("navigator.clipboard.readText()")


def test_a_note_written_in_share_stands_on_the_page_and_in_its_link_until_it_is_removed(open_page):
    page = open_page(PATH)
    share = open_share(page)
    share.get_by_label("Note", exact=True).fill("Ours <b>first</b>")
    share.get_by_label("Mark 1").fill("2023:here")
    share.get_by_role("button", name="Show note").click()
    note = page.get_by_text("Note by the sender of this link: “Ours <b>first</b>”")
    note.wait_for()
    assert "here%7C" not in page.url and QUERY in page.url
    link = open_share(page).get_by_label("Full link").input_value()
    assert "note=Ours+%3Cb%3Efirst%3C%2Fb%3E%7C2023%3Ahere" in link
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Remove note").click()
    note.wait_for(state="detached")
    assert page.url.endswith(PATH)


def test_without_a_clipboard_the_link_is_still_copied_and_the_picture_opens(
    *, new_page, server, drawn, guard
):
    guard.expected.append(r"404 .*/favicon\.ico")  # what a browser asks for beside a bare picture
    page = new_page()
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.goto(server.url + PATH)
    drawn(page)
    share = open_share(page)
    share.get_by_role("button", name="Copy link", exact=True).click()
    assert status(page) == "Link copied"
    with page.context.expect_page() as opened:
        share.get_by_role("button", name="Copy image").click()
    assert urlsplit(opened.value.url).path == "/training-compute.png"


def test_the_share_control_is_used_by_keyboard_alone(open_page):
    page = open_page(PATH)
    page.get_by_role("button", name="Share", exact=True).focus()  # test_layout.py comes there by the keyboard
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Copy link", exact=True).wait_for()
    reached = []
    while "Copy link" not in reached:
        page.keyboard.press("Tab")
        reached.append(page.evaluate(FOCUSED))
        assert len(reached) < 20, reached
    page.keyboard.press("Enter")
    assert status(page) == "Link copied"
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.append(page.evaluate(FOCUSED))
    for name in ("Copy image", "Picture (PNG)", "Copy embed code", "Copy BibTeX", "Close"):
        assert name in reached, reached
    assert "Add to deck" not in reached  # a dialog keeps the keyboard to itself
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    assert page.evaluate(FOCUSED) == "Share"


def frame_of(page, elsewhere, *, code, at="localhost"):
    """Show the code of a frame on a page elsewhere, which is opened at this name of our machine."""
    url, folder = elsewhere
    (folder / "host.html").write_text(f'<link rel="icon" href="data:,"><body style="margin:0">{code}')
    page.goto(f"{url.replace('localhost', at)}/host.html")
    return page.frame_locator("iframe")


def test_a_frame_shows_headline_chart_source_and_a_link_and_is_as_high_as_these_at_any_width(
    *, server, elsewhere, new_page
):
    page = new_page()
    page.set_viewport_size({"width": 1200, "height": 900})
    frame = frame_of(page, elsewhere, code=embed_code(PATH, headline="t", origin=server.url))
    live = frame.locator(".live.js-plotly-plot .main-svg").first
    live.wait_for()
    assert spaced(frame.locator("h1").inner_text()) == result().headline
    assert result().settings_line in spaced(frame.locator(".source").inner_text())
    full = frame.get_by_role("link", name="Open the full view")
    assert (full.get_attribute("href"), full.get_attribute("target")) == (result().link, "_blank")
    for gone in ("select", "input", "button", "summary", "nav", ".figures", APP):
        assert frame.locator(f"{gone}:visible").count() == 0, gone
    for width in (1200, 800, 480, 320):
        page.set_viewport_size({"width": width, "height": 900})
        live.wait_for()
        page.wait_for_function("() => document.querySelector('iframe').height !== '680'")
        page.wait_for_timeout(400)
        shown = frame.locator(".first-page")
        fits = shown.evaluate("node => node.scrollHeight - node.clientHeight")
        below = shown.evaluate("node => node.clientHeight - node.querySelector('.panel').offsetHeight")
        assert fits == 0 and below < 64, (width, fits, below)


def test_a_page_that_may_not_embed_us_gets_an_empty_frame(*, server, elsewhere, new_page, guard):
    guard.expected += ["frame-ancestors", "chrome-error"]
    page = new_page()
    frame_of(page, elsewhere, code=embed_code(PATH, headline="t", origin=server.url), at="127.0.0.1")
    page.wait_for_timeout(1500)
    assert all(not frame.url.startswith(server.url) for frame in page.frames)


def test_the_start_page_opens_share_to_be_quoted_and_its_briefing_follows_the_choices(open_page, server):
    page = open_page("/")
    choose(page, "since", to="2016")
    page.get_by_role("link", name="Quote it").click()
    link = page.get_by_role("dialog").get_by_role("textbox", name="Full link")
    link.wait_for()
    assert link.input_value() == server.url + result_of("/?since=2016").link
    assert page.url.endswith("/?since=2016")
    page.keyboard.press("Escape")
    page.locator('.door[href^="/deck"][href*="since%3D2016"]').wait_for()
    page.get_by_role("link", name="Present it").click()
    page.get_by_role("heading", name="5 views, ready as slides").wait_for()
    page.get_by_role("link", name=result_of("/?since=2016").headline).wait_for()
