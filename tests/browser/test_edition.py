"""A page of an edition opens from a folder with the network off: live charts, links, search."""

from itertools import product
from urllib.request import urlopen

from tests.browser.reader import result_of
from tests.web.test_edition import COMPARED, files, folder  # noqa: F401 - fixtures


def test_pages_are_read_from_a_folder_without_a_network(*, browser, folder):  # noqa: F811 - the fixture
    page = browser.new_context(offline=True).new_page()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.on("requestfailed", lambda request: faults.append(request.url))
    compared = next(one for one in folder.glob("training-compute-*.html")).name
    shown = {"index.html": "/", "placement.html": "/placement", compared: COMPARED}
    for (name, link), width in product(shown.items(), (1280, 390)):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto((folder / name).as_uri())
        page.locator(".live .main-svg").first.wait_for()
        assert page.locator("h1").inner_text() == result_of(link).headline
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.goto((folder / "search.html").as_uri())
    page.get_by_role("textbox", name="Search").fill("edge or cloud")
    page.get_by_role("link", name="Edge or cloud", exact=True).first.click()
    page.wait_for_url("**/placement.html")
    assert not faults
    page.context.close()


def test_a_page_saved_as_one_file_is_live_without_a_network(*, browser, server, tmp_path):
    with urlopen(f"{server.url}/placement.html") as reply:
        (tmp_path / "saved.html").write_bytes(reply.read())
    page = browser.new_context(offline=True).new_page()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.on("requestfailed", lambda request: faults.append(request.url[:80]))
    page.goto((tmp_path / "saved.html").as_uri())
    page.locator(".live .main-svg").first.wait_for()
    assert page.evaluate("document.fonts.check('16px \"Source Sans\"')")
    links = page.locator("a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    assert links and all(one.startswith(("https://", "#", server.url)) for one in links), links
    assert not faults
    page.context.close()
