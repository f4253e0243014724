"""How errors are said."""

import pytest

from tests.views.model_errors.rows import row
from views.model_errors import words
from views.model_errors.compared import summary
from views.placement.blind_test import blind_test


@pytest.mark.parametrize(
    ("error", "said", "with_sign"),
    [
        (0.088, "8.8 %", "+8.8 %"),
        (-0.245, "24 %", "−24 %"),
        (11.3, "1,130 %", "+1,130 %"),
        (0.0999, "10 %", "+10 %"),
        (-0.0002, "under 0.1 %", "0 %"),
    ],
)
def test_the_size_of_an_error_and_its_sign(*, error, said, with_sign):
    assert words.percent(error) == said
    assert words.signed(error) == with_sign


@pytest.mark.parametrize(
    ("units", "said"),
    [
        (["tokens/s"], ("fast", "slow")),
        (["s"], ("long", "short")),
        (["s", "tokens/s"], ("high", "low")),
        (["J"], ("high", "low")),
    ],
)
def test_what_a_prediction_above_the_measurement_is_depends_on_the_unit(*, units, said):
    assert words.too([row(unit=unit) for unit in units]) == said


@pytest.mark.parametrize(
    ("count", "headline"),
    [
        (1, "1 decode prediction is 12 % off what was measured"),
        (3, "3 decode predictions: median error 12 %"),
        (40, "Half of 40 decode predictions lie within 12 % of the measurement"),
    ],
)
def test_a_headline_says_how_far_off_half_of_them_are(*, count, headline):
    rows = [row(row_id=str(i)) for i in range(count)]
    assert words.headline(rows, summary(rows)) == headline


@pytest.mark.parametrize(
    ("names", "headline"),
    [
        (("decode", "prompts"), "Median error: 12 % for decode to 30 % for prompts"),
        (("training", "serving: first token"), "Median error: 12 % for training to 30 % for first token"),
        (
            ("serving: time per token", "serving: first token"),
            "Median error: 12 % for time-per-token to 30 % for first-token",
        ),
    ],
)
def test_models_are_not_thrown_together(*, names, headline):
    near, far = names
    rows = [row(model=near), row(model=far, predicted=130.0), row(model=far, row_id="d2", predicted=70.0)]
    assert words.headline(rows, summary(rows)) == headline
    assert len(headline.split()) <= 12


@pytest.mark.parametrize(
    ("models", "name"),
    [
        (["prompts"], "prompt"),
        (["serving: time per token"], "time-per-token"),
        (["training", "training"], "training"),
        (["decode", "prompts"], ""),
    ],
)
def test_the_name_of_one_model_stands_before_predictions(*, models, name):
    assert words.name_of(models) == name


def test_how_rows_set_nothing_is_counted():
    rows = [row(), row(way="without its model"), row(), row(way="never used")]
    assert words.ways(rows) == "2 without their chip, 1 without their model, 1 never used"
    assert "No row set what predicts it (2 without their chip" in words.subtitle(rows, summary(rows))


def test_blind_tests_are_told_of_the_models_that_had_one():
    start = "in blind tests the median error was "
    of_decode, of_prompts = blind_test("decode"), blind_test("prefill")
    decode = f"{of_decode.median_error_percent:.0f} % for decode ({of_decode.rows} rows)"
    prompts = f"{of_prompts.median_error_percent:.0f} % for prompts ({of_prompts.rows} rows)"
    assert words.blind({"decode", "prompts", "training"}) == f"{start}{decode} and {prompts}"
    assert words.blind(["prompts"]) == f"{start}{prompts}"
    assert words.blind(["training"]) == ""


def test_a_row_leads_to_its_place_or_to_its_source():
    assert words.address(row()) == "https://example.org/table"
    assert words.address(row(locator="table 3", source_id="tpu-recipes")).startswith("http")
