"""A reader's own export: checked, used by this session alone, or refused with the place of the fault."""

import pytest

from tests.data import exports

RUNS = [
    {"name": f"Model {n}", "published_on": f"{2013 + n}-03-01", "training_compute_flop": f"1e{18 + n}"}
    for n in range(10)
]


def until_headline(page, text):
    page.wait_for_function(
        "text => document.querySelector('h1')?.innerText?.startsWith(text)", arg=text, timeout=20_000
    )


def upload(page, content, *, name="notable_ai_models.csv", which=0):
    page.locator('input[type="file"]').nth(which).set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )


def test_an_export_becomes_this_sessions_release_and_nobody_elses(open_page, server):
    page = open_page("/data")
    upload(page, exports.models(*RUNS))
    page.get_by_text("Use my export on every page").wait_for(timeout=20_000)
    until_headline(page, "10 training runs")
    page.get_by_role("link", name="Training compute").first.click()
    until_headline(page, "Frontier training compute grows 10× a year")
    page.get_by_text("release your export").first.wait_for()
    page.get_by_role("button", name="Share").click()
    page.get_by_text("which a link cannot carry").first.wait_for()
    other = open_page("/training-compute")
    assert "4.7× a year" in other.locator("h1").inner_text()
    assert "your export" not in other.locator('[data-testid="stMain"]').inner_text()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            exports.models({}, {"name": "B", "training_compute_flop": "-3"}),
            ["3", "Training compute (FLOP)", "-3"],
        ),
        (
            exports.models({}, {"name": "B", "published_on": "2024-02-31"}),
            ["3", "Publication date", "2024-02-31"],
        ),
        (exports.models({}, {}), ["3", "Alpha"]),
        (b"a,b\n1,2\n", ["Model"]),
        (b"\x89PNG\r\n\x1a\n\x00\x00", ["CSV"]),
        (b"", ["0 rows"]),
    ],
    ids=["negative", "impossible date", "twice the same name", "wrong columns", "no text", "empty"],
)
def test_a_file_that_is_no_export_is_refused_with_the_place_and_nothing_is_loaded(
    *, content, said, open_page
):
    page = open_page("/data")
    before = page.locator("h1").inner_text()
    upload(page, content)
    page.get_by_text("Nothing of it was loaded.").wait_for(timeout=20_000)
    told = " ".join(page.locator('[data-testid="stAlert"]').all_inner_texts())
    for word in said:
        assert word.lower() in told.lower(), told
    assert page.locator("h1").inner_text() == before
    assert page.get_by_text("Use my export on every page").count() == 0
