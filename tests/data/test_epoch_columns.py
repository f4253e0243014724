"""The columns of an export: each known by its own names, each with a place in our tables."""

import pytest

from data import contract
from data.epoch import GRADES
from data.epoch_columns import HARDWARE, MODELS

TABLES = {"training_runs": MODELS, "accelerators": HARDWARE}


def test_no_two_columns_share_an_alias():
    for columns in (MODELS, HARDWARE):
        aliases = [alias.casefold() for column in columns for alias in column.aliases]
        assert len(aliases) == len(set(aliases))


@pytest.mark.parametrize("table", TABLES)
def test_every_column_is_one_of_our_table_and_none_is_told_twice(table):
    names = [column.name for column in TABLES[table]]
    assert len(names) == len(set(names))
    read_into_another = {"accessibility"}  # it says whether weights are open
    assert set(names) - read_into_another <= set(contract.columns(table))


@pytest.mark.parametrize("table", TABLES)
def test_numbers_of_an_export_are_numbers_of_ours_and_dates_are_dates(table):
    types = {field["name"]: field["type"] for field in contract.schema(table)["fields"]}
    for column in TABLES[table]:
        if column.kind in ("number", "total"):
            assert types[column.name] == "number", column.name
        elif column.kind == "date":
            assert types[column.name] == "date", column.name
        elif column.name in types and column.name != "frontier_flag":
            assert types[column.name] == "string", column.name


def test_only_what_comes_in_another_unit_is_scaled():
    scaled = {
        column.name: column.scale for columns in TABLES.values() for column in columns if column.scale != 1
    }
    assert scaled == {
        "training_time_s": 3600.0,
        "network_link_bandwidth_byte_per_s": 1 / 8,
        "transistors": 1e6,
    }


def test_grades_of_confidence_are_those_of_our_table():
    fields = {field["name"]: field for field in contract.schema("training_runs")["fields"]}
    assert set(fields["confidence"]["constraints"]["enum"]) >= set(GRADES) - {"unknown"}
