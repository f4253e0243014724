"""A reader's own export: checked, used by this session alone, or refused with the place of the fault."""

from tests.browser.reader import choose, go_by_menu, headline, panel
from tests.browser.streamlit_page import ALERT, MAIN
from tests.data import exports

OWN_GROWTH = "Frontier training compute grows 10× a year"


def until_headline(page, text):
    page.wait_for_function("text => document.querySelector('h1')?.innerText?.startsWith(text)", arg=text)


def upload(page, content, *, name="notable_ai_models.csv", which=0):
    page.locator('input[type="file"]').nth(which).set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )


def with_own_export(open_page):
    page = open_page("/data")
    upload(page, exports.models(*exports.RUNS))
    page.get_by_text("Use my export on every page").wait_for()
    until_headline(page, "10 training runs")
    return page


def test_a_page_its_table_and_its_file_are_made_of_the_reader_s_own_rows_and_nobody_else_s_is(
    *, open_page, drawn, guard
):
    page = with_own_export(open_page)
    go_by_menu(page, "Compute growth")
    until_headline(page, OWN_GROWTH)
    drawn(page)
    assert "Data: your export (own models)" in panel(page).locator('[data-part="source"]').inner_text()
    assert panel(page).get_by_role("button", name="Add to deck").is_disabled()
    shown = panel(page).locator('.plot[data-exhibit="1"] .live')
    assert ": 10 runs" in (shown.get_attribute("aria-label") or "")
    before = len(guard.requests)
    choose(page, "since", to="2017")
    assert "since=2017" in page.url
    drawn(page)
    assert "leave 6 runs" in (shown.get_attribute("aria-label") or "")
    panel(page).locator("#table > summary").click()
    rows = panel(page).locator("#table tbody tr")
    page.wait_for_function("() => document.querySelectorAll('#table .scroller tbody tr').length === 6")
    assert {row.split("\t")[0] for row in rows.all_inner_texts()} == {f"Model {n}" for n in range(4, 10)}
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_text("which a link cannot carry").first.wait_for()
    with page.expect_download() as download:
        page.get_by_role("link", name="Numbers (CSV)").click()
    assert b"Model 9" in download.value.path().read_bytes()
    page.keyboard.press("Escape")
    assert not [url for url in guard.requests[before:] if ".panel.json" in url]  # it has no address
    other = open_page("/training-compute")
    assert "4.7× a year" in headline(other)
    assert "your export" not in other.locator(MAIN).inner_text()


def test_switching_the_export_off_brings_ours_back_everywhere_and_a_second_takes_its_place(open_page, drawn):
    page = with_own_export(open_page)
    go_by_menu(page, "Compute growth")
    until_headline(page, OWN_GROWTH)
    go_by_menu(page, "Data")
    until_headline(page, "10 training runs")
    page.get_by_text("Use my export on every page").click()
    page.wait_for_function("() => !document.querySelector('h1').innerText.startsWith('10 training runs')")
    go_by_menu(page, "Compute growth")
    until_headline(page, "Frontier training compute grows 4.7× a year")
    drawn(page)
    go_by_menu(page, "Data")
    page.get_by_text("Use my export on every page").click()
    until_headline(page, "10 training runs")
    slower = [{**run, "training_compute_flop": f"{4.0**n:.6e}"} for n, run in enumerate(exports.RUNS[:9])]
    upload(page, exports.models(*slower), name="another.csv")
    until_headline(page, "9 training runs")
    go_by_menu(page, "Compute growth")
    until_headline(page, "These choices leave 9 runs, so no trend can be fitted")


REFUSED = {
    "negative": (
        exports.models(*({"name": name, "training_compute_flop": "-3"} for name in "AB")),
        ("3", "Training compute (FLOP)", "-3"),
    ),
    "no text": (b"\x89PNG\r\n\x1a\n\x00\x00", ("CSV",)),
}
"""Files that are no export, and what their refusal names; tests/data has the other kinds."""


def test_a_file_that_is_no_export_is_refused_with_the_place_and_of_one_that_is_bad_rows_are_left_out(
    open_page,
):
    page = open_page("/data")
    before = page.locator("h1").inner_text()
    for name, (content, words) in REFUSED.items():
        upload(page, content, name=f"{name}.csv")
        page.locator(ALERT).filter(has_text=f"{name}.csv").first.wait_for()
        page.get_by_text("Nothing was loaded.").first.wait_for()
        alerts = " ".join(page.locator(ALERT).all_inner_texts())
        for word in words:
            assert word.lower() in alerts.lower(), alerts
        assert page.locator("h1").inner_text() == before
        assert page.get_by_text("Use my export on every page").count() == 0
    odd = {**exports.RUNS[0], "name": "Odd", "training_compute_flop": "-5"}
    upload(page, exports.models(*exports.RUNS, odd))
    until_headline(page, "10 training runs")
    alerts = " ".join(page.locator(ALERT).all_inner_texts())
    assert "12" in alerts and "-5" in alerts, alerts
