import pytest

from analysis.predict.columns import CaseError, CaseRow, Dialect, declared

COLUMNS = declared(
    {"device": {"others": ["accelerator"]}, "speed_byte_per_s": {"others": {"speed_gbyte_per_s": 1e9}}}
)


def row(cells):
    return CaseRow(cells=cells, dialect=Dialect(columns=COLUMNS, added=(), needs=()))


def test_a_cell_is_found_under_any_name_of_its_column():
    assert row({"device": "a", "accelerator": "b"})["device"].text == "a"
    assert row({"device": " ", "accelerator": "b"})["device"].text == "b"
    cell = row({"speed_gbyte_per_s": " 2 "})["speed_byte_per_s"]
    assert (cell.text, cell.called, cell.number()) == ("2", "speed_gbyte_per_s", 2e9)
    assert row({"speed_gbyte_per_s": ""})["speed_byte_per_s"].called == "speed_gbyte_per_s"
    assert row({})["speed_byte_per_s"].called == "speed_byte_per_s"


def test_two_names_of_a_column_may_say_the_same_and_not_different_numbers():
    both = row({"speed_byte_per_s": "4.92e9", "speed_gbyte_per_s": "4.92"})
    assert both["speed_byte_per_s"].number() == 4.92e9
    with pytest.raises(
        CaseError, match="column speed_byte_per_s: 1e9 is not what speed_gbyte_per_s says, which is 2"
    ):
        row({"speed_byte_per_s": "1e9", "speed_gbyte_per_s": "2"})["speed_byte_per_s"]
