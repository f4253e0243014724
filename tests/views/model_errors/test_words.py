"""How errors are said."""

import pytest

from tests.analysis.model_errors.rows import row
from tests.views.model_errors.answers import about
from views.model_errors import words
from views.placement.method import blind_test


@pytest.mark.parametrize(
    ("error", "size", "with_sign"),
    [
        (0.088, "8.8 %", "+8.8 %"),
        (-0.245, "24 %", "−24 %"),
        (11.3, "1,130 %", "+1,130 %"),
        (0.0999, "10 %", "+10 %"),
        (-0.0002, "under 0.1 %", "0 %"),
        (0.03, "3.0 %", "+3.0 %"),
    ],
)
def test_the_size_of_an_error_and_its_sign(*, error, size, with_sign):
    assert (words.percent(error), words.signed(error)) == (size, with_sign)


@pytest.mark.parametrize(
    ("count", "model", "headline"),
    [
        (1, "decode", "1 decode prediction is 12 % off what was measured"),
        (3, "prompts", "3 prompt predictions: median error 12 %"),
        (
            40,
            "serving: time per token",
            "Half of 40 time-per-token predictions lie within 12 % of the measurement",
        ),
    ],
)
def test_a_headline_says_how_far_off_half_of_them_are(*, count, model, headline):
    assert words.headline(about(row(row_id=str(i), model=model) for i in range(count))) == headline


@pytest.mark.parametrize(
    ("near", "far", "names"),
    [
        ("decode", "prompts", "12 % for decode to 30 % for prompts"),
        ("training", "serving: first token", "12 % for training to 30 % for first token"),
        (
            "serving: time per token",
            "serving: first token",
            "12 % for time-per-token to 30 % for first-token",
        ),
    ],
)
def test_models_are_not_thrown_together(*, near, far, names):
    rows = [row(model=near), row(model=far, predicted=130.0), row(model=far, row_id="d2", predicted=70.0)]
    assert words.headline(about(rows)) == f"Median error: {names}"
    assert len(words.headline(about(rows)).split()) <= 12


def test_how_rows_set_nothing_is_counted():
    rows = [row(), row(held_out_by="without its model"), row(), row(held_out_by="never used")]
    assert words.ways(rows) == "2 without their chip, 1 without their model, 1 never used"
    assert "No row set what predicts it (2 without their chip" in words.subtitle(about(rows))


@pytest.mark.parametrize(
    ("outside", "sentence"),
    [
        (0, "Every row lies inside its interval; the table"),
        (1, "1 of 3 rows lies outside its interval; the table"),
        (2, "2 of 3 rows lie outside their interval; the table"),
    ],
)
def test_rows_outside_their_interval_are_counted(*, outside, sentence):
    rows = [row(row_id=str(i), measured=100.0 if i >= outside else 80.0) for i in range(3)]
    assert list(words.sure(about(rows)))[1].startswith(sentence)


def test_blind_tests_are_told_of_the_models_that_had_one():
    decode, prompts = (
        f"{test.median_error_percent:.0f} % for {name} ({test.rows} rows)"
        for name, test in (("decode", blind_test("decode")), ("prompts", blind_test("prefill")))
    )
    start = "in blind tests the median error was "
    assert words.blind({"decode", "prompts", "training"}) == f"{start}{decode} and {prompts}"
    assert words.blind(["prompts"]) == f"{start}{prompts}"
    assert words.blind(["training"]) == ""


def test_a_row_leads_to_its_place_or_to_its_source():
    assert words.address(row()) == "https://example.org/table"
    assert words.address(row(locator="table 3", source_id="tpu-recipes")).startswith("http")
