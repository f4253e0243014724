"""How a cell of a table reads."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panel.cells import NOTHING, cell_text, heading, number_text, share_text, site_of
from views import written
from views.result import Column

NUMBER = Column(name="x", label="Parameters", unit="FLOP")
SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def value_of(text: str) -> float:
    """Return the number a reader takes from a cell."""
    text = text.replace(",", "").replace("−", "-")
    mantissa, _, exponent = text.partition(" × 10")
    return float(mantissa) * 10.0 ** int(exponent.translate(SUPERSCRIPTS) or 0)


TABLES = written.toml(__file__, name="cells.toml")


@pytest.mark.parametrize(("value", "text"), TABLES["numbers"])
def test_a_number_reads_as_in_print(value, text):
    assert number_text(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e30, max_value=1e30))
def test_a_number_keeps_its_first_four_digits_and_never_reads_as_a_program_writes_it(value):
    text = number_text(value)
    assert "e" not in text.lower() and "-" not in text
    assert math.isclose(value_of(text), value, rel_tol=6e-4, abs_tol=5e-324)


@given(st.integers(-999_999_999, 999_999_999))
def test_whole_numbers_below_a_milliard_are_exact(value):
    assert value_of(number_text(value)) == value


@pytest.mark.parametrize("nothing", [None, "", math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("kind", ["number", "text", "year", "scientific", "link", "date"])
def test_what_is_not_known_is_a_dash_in_every_column(nothing, kind):
    assert cell_text(nothing, Column(name="x", label="X", kind=kind)) == NOTHING


def test_yes_no_years_sites_and_words_read_as_such():
    assert cell_text(True, NUMBER) == "yes"
    assert cell_text(False, NUMBER) == "no"
    assert cell_text(2024, Column(name="y", label="Year", kind="year")) == "2024"
    assert cell_text(2025.5, Column(name="y", label="Year", kind="year")) == "2025.5"
    link = Column(name="s", label="Source", kind="link")
    assert cell_text("https://www.nvidia.com/en-us/h100?x=1", link) == "nvidia.com"
    assert cell_text("no address", link) == "no address"
    assert cell_text("H100 <b>", Column(name="n", label="Name", kind="text")) == "H100 <b>"
    assert site_of("https://arxiv.org/abs/2104.04473") == "arxiv.org"


def test_a_heading_carries_its_unit_where_there_is_one():
    assert heading(NUMBER) == "Parameters [FLOP]"
    assert heading(Column(name="x", label="Share", unit="1")) == "Share"
    assert heading(Column(name="x", label="Name", kind="text")) == "Name"
    assert heading(Column(name="x", label="From", unit="year", kind="year")) == "From"
    assert heading(Column(name="x", label="Gap", unit="x")) == "Gap"
    assert heading(Column(name="x", label="Tokens per joule", unit="1/J")) == "Tokens per joule"
    assert heading(Column(name="x", label="Growth", unit="x/year")) == "Growth [× a year]"
    assert heading(Column(name="x", label="Error", unit="log10")) == "Error [log₁₀]"


@pytest.mark.parametrize(("share", "text"), TABLES["shares"])
def test_a_share_reads_as_a_percentage(share, text):
    assert share_text(share) == text
    assert cell_text(share, Column(name="x", label="Share", unit="1")) == text


@given(st.floats(-1e6, 0.9995, exclude_max=True))
def test_a_percentage_keeps_three_digits_of_the_share(share):
    read = value_of(share_text(share).removesuffix("%"))
    assert math.isclose(read, 100 * share, rel_tol=6e-3, abs_tol=1e-300)


@pytest.mark.parametrize(("unit", "value", "text"), TABLES["factors"])
def test_growth_lines_up_and_a_factor_carries_its_sign(*, unit, value, text):
    assert cell_text(value, Column(name="x", label="X", unit=unit)) == text
