"""Our own tables of corrections are read as they are written."""

import shutil

import pytest

from data.curation_tables import DIRECTORY, HARDWARE, MODELS, read, read_lines


def test_cells_are_text_without_space_around_them(tmp_path):
    path = tmp_path / "renames.csv"
    path.write_text('table,was,now\n accelerators ,"A, B",\u00e9 \n', encoding="utf-8")
    assert read_lines(path) == [{"table": "accelerators", "was": "A, B", "now": "\u00e9"}]


def test_tables_are_read_from_another_folder_and_a_missing_one_is_named(tmp_path):
    shutil.copytree(DIRECTORY, tmp_path / "own")
    (tmp_path / "own" / "renames.csv").write_text("table,was,now,reason\n", encoding="utf-8")
    assert read(tmp_path / "own").renames == []
    assert read(tmp_path / "own").products == read().products
    (tmp_path / "own" / "products.csv").unlink()
    with pytest.raises(FileNotFoundError, match=r"products\.csv"):
        read(tmp_path / "own")


@pytest.mark.parametrize("columns", [MODELS, HARDWARE])
def test_no_two_columns_of_an_export_share_an_alias(columns):
    aliases = [alias.casefold() for column in columns for alias in column.aliases]
    assert len(aliases) == len(set(aliases))
