"""One compared row, and a set of them."""

from dataclasses import replace

import pytest

from views.model_errors.compared import Compared, summary

ROW = Compared(
    model="decode",
    row_id="d1",
    case="Llama 3 8B, Q4_K_M",
    architecture="Llama 3 8B",
    accelerator="RTX 3070",
    kind="Desktop GPU",
    engine="llama.cpp",
    software_date=2024.4,
    measured=100.0,
    predicted=112.0,
    low=90.0,
    high=140.0,
    unit="tokens/s",
    way="without its chip",
    source_id="somewhere",
    locator="table 1",
)


def test_a_row_says_how_far_off_its_prediction_is():
    assert ROW.ratio == pytest.approx(1.12)
    assert ROW.error == pytest.approx(0.12)
    assert ROW.inside
    assert not replace(ROW, measured=89.0).inside


@pytest.mark.parametrize(
    ("way", "name"),
    [
        ("without its chip", "RTX 3070"),
        ("without its model", "Llama 3 8B"),
        ("never used", "somewhere"),
        ("without its model on its chip", "Llama 3 8B on RTX 3070"),
        ("without its source", "somewhere"),
    ],
)
def test_a_row_names_what_it_was_predicted_without(way, name):
    assert replace(ROW, way=way).left_out == name


def test_a_model_unknown_to_the_table_is_left_out_by_its_case():
    assert replace(ROW, way="without its model", architecture="").left_out == "Llama 3 8B"


@pytest.mark.parametrize("value", [0.0, -1.0, float("nan"), float("inf")])
def test_what_was_not_measured_is_no_row(value):
    with pytest.raises(ValueError, match="decode, row d1: measured is a number above zero in tokens/s; got"):
        replace(ROW, measured=value)


@pytest.mark.parametrize("ends", [(140.0, 90.0), (float("nan"), float("nan")), (90.0, float("inf"))])
def test_an_interval_has_two_ends(ends):
    with pytest.raises(
        ValueError, match="decode, row d1: low and high are the ends of an interval in tokens/s, low"
    ):
        replace(ROW, low=ends[0], high=ends[1])


def test_a_set_of_rows_is_summed_up_over_what_was_left_out():
    rows = [
        ROW,
        replace(ROW, predicted=95.0),
        replace(ROW, accelerator="RTX 4090", predicted=130.0, high=150.0),
    ]
    errors = summary(rows)
    assert (errors.rows, errors.groups) == (3, 2)
    assert errors.size == pytest.approx(0.12)
    assert errors.inside == 1.0
