import math

import pytest

from analysis.model_errors.comparison import (
    as_text,
    by_model,
    decimal_year,
    error_of_ratios,
    from_text,
    summary,
)
from tests.analysis.model_errors.rows import row


def test_a_row_says_how_far_off_its_prediction_is():
    assert row().error == pytest.approx(0.12)
    assert row().inside and not row(measured=89.0).inside
    assert row().factor_off == pytest.approx(1.12)
    assert row(predicted=50.0, low=0.0).factor_off == pytest.approx(2)


@pytest.mark.parametrize("value", [0.0, -1.0, float("nan"), float("inf")])
@pytest.mark.parametrize("name", ["measured", "predicted"])
def test_what_was_not_measured_is_no_row(*, name, value):
    with pytest.raises(ValueError, match=f"decode, row d1: {name} is a number above zero in tokens/s; got"):
        row(**{name: value})


@pytest.mark.parametrize("ends", [(140.0, 90.0), (float("nan"), float("nan")), (90.0, float("inf"))])
def test_an_interval_has_two_ends(ends):
    with pytest.raises(ValueError, match="low and high are the ends of an interval in tokens/s, low first"):
        row(low=ends[0], high=ends[1])


def test_a_set_of_rows_is_summed_up_by_source_and_by_model():
    rows = [row(), row(predicted=95.0), row(source_id="elsewhere", predicted=130.0, high=150.0)]
    errors = summary(rows)
    assert (errors.rows, errors.sources, errors.inside) == (3, 2, 1.0)
    assert errors.size == pytest.approx((0.085 + 0.3) / 2)
    other = row(model="prompts", predicted=60.0, low=50.0)
    assert by_model([*rows, other]) == {"decode": errors, "prompts": summary([other])}


def test_the_error_of_a_ratio_is_that_of_pairs_and_what_both_predictions_share_cancels():
    def run(source, chips, *, error):
        return row(
            source_id=source,
            case=f"A, {chips} chips",
            measured=100.0 * chips,
            predicted=error * 100.0 * chips,
        )

    def error_of(*rows):
        return error_of_ratios(rows, same=["source_id", "name"], differ="accelerators")

    common = [run("one", chips, error=2.0) for chips in (8, 16, 32)]
    assert error_of(*common) == pytest.approx(0)
    assert error_of(*common, run("one", 64, error=2.2)) == pytest.approx(math.log(1.1))
    assert error_of(*common, run("two", 8, error=1.0)) == pytest.approx(0)  # alone in its source
    assert error_of(*common, run("two", 8, error=1.0), run("two", 16, error=3.0)) == pytest.approx(
        math.log(3)
    )


@pytest.mark.parametrize(
    ("date", "year"),
    [
        ("2024", 2024.5),
        ("2024-01", 2024.042),
        ("2024-12", 2024.958),
        ("2025-09-09", 2025.690),
        ("2025-12..2026", 2025.958),
        ("unknown", float("nan")),
        ("", float("nan")),
    ],
)
def test_a_date_is_the_middle_of_what_it_names(*, date, year):
    assert decimal_year(date) == pytest.approx(year, abs=2e-3, nan_ok=True)


def test_what_is_written_is_read_again_to_four_digits():
    recorded = from_text(as_text([row(predicted=112.0049, software_date=2024.384)]))
    assert recorded == (row(predicted=112.0, software_date=2024.38),)
    assert from_text(as_text(recorded)) == recorded
    assert as_text([row(measured=1_234_567.0, high=2e6)]).count(",1.23457e+06,") == 1


def test_an_unknown_date_stays_unknown():
    (recorded,) = from_text(as_text([row(software_date=float("nan"))]))
    assert math.isnan(recorded.software_date)


def test_the_order_is_that_of_model_and_row_whatever_came_first():
    several = [row(row_id="d2"), row(model="prompts"), row(row_id="d1")]
    assert as_text(several) == as_text(several[::-1])


def test_another_heading_is_refused_with_what_to_run():
    with pytest.raises(
        ValueError, match=r"recorded rows have the columns model, .+, way, .+; got a, b\. Run python -m scri"
    ):
        from_text("a,b\n1,2\n")
