"""The record keeps rows to four digits, in an order of its own."""

import math

import pytest

from data import sources
from tests.views.model_errors.rows import row
from views.model_errors.recorded import as_text, from_text, month, read, rows


def test_what_is_written_is_read_again():
    kept = from_text(as_text([row(predicted=112.0049, software_date=2024.38)]))
    assert kept == (row(predicted=112.0, software_date=2024.38),)
    assert from_text(as_text(kept)) == kept


def test_an_unknown_date_stays_unknown():
    (kept,) = from_text(as_text([row(software_date=float("nan"))]))
    assert math.isnan(kept.software_date)


def test_the_order_is_that_of_model_and_row_whatever_came_first():
    several = [row(row_id="d2"), row(model="prompts"), row(row_id="d1")]
    assert as_text(several) == as_text(several[::-1])


def test_another_heading_is_refused_with_what_to_run():
    with pytest.raises(
        ValueError, match=r"recorded rows have the columns model, .+; got a, b\. Run python -m scripts"
    ):
        from_text("a,b\n1,2\n")


def test_a_folder_without_files_has_no_rows(tmp_path):
    assert read(tmp_path) == ()


def test_every_row_on_record_is_its_own_and_names_a_known_source():
    keys = [(kept.model, kept.row_id) for kept in rows()]
    assert len(keys) == len(set(keys))
    assert {kept.source_id for kept in rows()} <= set(sources.rows())


def test_every_row_set_nothing():
    """A row that had a part in its own prediction has no way to say."""
    assert all(kept.way.startswith(("without its ", "never used")) for kept in rows())
    assert month()[:4] >= "2026"
