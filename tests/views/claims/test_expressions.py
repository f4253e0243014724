import pytest

from data.releases import latest, load
from views.claims.expressions import Missing, measured, pinned_link
from views.registry import VIEWS
from views.view import answer, read

RELEASE = load(latest())


def test_a_figure_is_that_of_the_view_with_its_interval_and_level():
    figure = answer(VIEWS["/accelerators"], read(VIEWS["/accelerators"], "")[0]).figure("yearly_growth")
    found = measured("yearly_growth", at="/accelerators", release=RELEASE)
    assert (found.value, found.low, found.high, found.level) == (
        figure.value,
        figure.low,
        figure.high,
        figure.level,
    )


def test_a_figure_follows_the_release():
    old, new = (
        measured("yearly_growth", at="/training-compute?since=2018", release=load(name)).value
        for name in ("2025-11", "2026-07")
    )
    assert old != new


def test_a_cell_is_found_by_the_name_of_its_row():
    at = "/data?table=accelerators&find=NVIDIA H100"
    cell = '"NVIDIA H100 SXM5 80GB".memory_bandwidth_byte_per_s'
    assert measured(cell, at=at, release=RELEASE).value == 3.35e12
    assert measured(f"{cell} / 1e12", at=at, release=RELEASE).value == pytest.approx(3.35)


def test_a_row_may_be_named_by_its_first_columns():
    one = measured('"H100 SXM / 1 / 1".time_per_output_token_s', at="/latency-floor", release=RELEASE)
    eight = measured('"H100 SXM / 8 / 1".time_per_output_token_s', at="/latency-floor", release=RELEASE)
    assert 1 < one.value / eight.value < 8


def test_sums_products_and_quotients_are_taken_in_their_order():
    assert measured("2 * 3 + 8 / 4", at="published", release=RELEASE).value == 8
    assert measured("1e12 / 4e2 * 2", at="published", release=RELEASE).value == pytest.approx(5e9)


def test_a_quotient_of_two_intervals_holds_every_quotient_of_their_ends():
    measure = '"Since 2020".yearly_growth / "This view".yearly_growth'
    at = "/training-compute?since=2018"
    parts = [
        measured(f'"{row}".yearly_growth', at=at, release=RELEASE) for row in ("Since 2020", "This view")
    ]
    found = measured(measure, at=at, release=RELEASE)
    assert found.low == parts[0].low / parts[1].high
    assert found.high == parts[0].high / parts[1].low
    assert found.value == parts[0].value / parts[1].value


def test_a_published_figure_is_named_by_its_key():
    assert measured('"p036".value', at="published", release=RELEASE).value == 2.7
    assert measured(
        '"7500000000 / 64 / 3".memory_byte', at="published_zero", release=RELEASE
    ).value == pytest.approx(1.88e9)


@pytest.mark.parametrize(
    ("measure", "at", "text"),
    [
        ("no_such", "/accelerators", r"/accelerators has no figure no_such at this release"),
        ('"Abacus".price', "/accelerators", r"/accelerators has no price of Abacus at this release"),
        ('"p999".value', "published", r"the table published has no value of p999"),
        ('"GPT-4 (Nov 2023)".x', "/data", r"/data has no x of GPT-4"),
        ('"p024".low', "published", r"low of p024 is not known"),
        ("1 / 0", "published", r"0 is not above zero"),
    ],
)
def test_a_number_that_is_not_there_is_named(measure, *, at, text):
    with pytest.raises(Missing, match=text):
        measured(measure, at=at, release=RELEASE)


@pytest.mark.parametrize("measure", ["", "2 -", "2 ** 3", '"a".', "2*3", "2 * ", "<b>", "2 3"])
def test_an_expression_that_cannot_be_read_is_refused_with_the_place(measure):
    with pytest.raises(
        ValueError, match=r'a measure reads like figure \* "row"\.column / 2e9; got .* place [0-9]+\.'
    ):
        measured(measure, at="published", release=RELEASE)


def test_a_link_with_an_unused_part_is_refused():
    with pytest.raises(
        ValueError, match=r"the link '/accelerators\?since=x' has a part that is not used: since=x"
    ):
        measured("yearly_growth", at="/accelerators?since=x", release=RELEASE)


def test_a_view_that_tests_no_statements_is_refused():
    with pytest.raises(ValueError, match=r"statements are tested by the views /, .*; got '/deck'"):
        measured("yearly_growth", at="/deck", release=RELEASE)


def test_a_table_that_is_not_published_figures_is_refused():
    with pytest.raises(ValueError, match=r"at a view's link or a published table; got 'claims'"):
        measured('"S0-01".claimed_value', at="claims", release=RELEASE)


def test_a_link_is_spelled_out_and_names_its_release():
    assert (
        pinned_link("/data?find=PaLM (540B)", release=RELEASE) == "/data?find=PaLM+%28540B%29&release=2026-07"
    )
    assert pinned_link("/growth-gap", release=RELEASE) == "/growth-gap?release=2026-07"
    assert pinned_link("published", release=RELEASE) == ""
