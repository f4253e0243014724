"""What is on record."""

from data import sources
from views.model_errors.recorded import month, read, rows


def test_a_folder_without_files_has_no_rows(tmp_path):
    assert read(tmp_path) == ()


def test_every_row_on_record_is_its_own_names_a_known_source_and_set_nothing():
    keys = [(row.model, row.row_id) for row in rows()]
    assert len(keys) == len(set(keys))
    assert {row.source_id for row in rows()} <= set(sources.rows())
    assert all(row.held_out_by.startswith(("without its ", "never used")) for row in rows())
    assert month()[:4] >= "2026"
