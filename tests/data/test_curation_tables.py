"""Our own tables of corrections are read as they are written."""

import pytest

from data.curation_tables import HARDWARE, MODELS, read_lines


def test_cells_are_text_without_space_around_them(tmp_path):
    path = tmp_path / "renames.csv"
    path.write_text('table,was,now\n accelerators ,"A, B",\u00e9 \n', encoding="utf-8")
    assert read_lines(path) == [{"table": "accelerators", "was": "A, B", "now": "\u00e9"}]


@pytest.mark.parametrize("columns", [MODELS, HARDWARE])
def test_no_two_columns_of_an_export_share_an_alias(columns):
    aliases = [alias.casefold() for column in columns for alias in column.aliases]
    assert len(aliases) == len(set(aliases))
