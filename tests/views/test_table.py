"""Tables made from columns that carry their cells."""

from views.result import Column, Table
from views.table import Getter, column, table

Pair = tuple[str, int]

COLUMNS: tuple[Getter[Pair], ...] = (
    column("name", lambda pair: pair[0], label="Name", kind="text"),
    column("double", lambda pair: 2 * pair[1], label="Twice", unit="byte"),
)


def test_each_column_reads_its_own_cell_off_every_item():
    assert table(COLUMNS, [("a", 1), ("b", 2)]) == Table(
        columns=(
            Column(name="name", label="Name", kind="text"),
            Column(name="double", label="Twice", unit="byte"),
        ),
        rows=(("a", 2), ("b", 4)),
    )


def test_no_cell_is_made_before_a_row_is_read():
    made = []
    rows = table((column("name", lambda name: made.append(name) or name, label="Name"),), ["a", "b"]).rows
    assert made == []
    assert rows[0] == ("a",)
    assert made == ["a"]


def test_a_table_of_nothing_keeps_its_columns():
    nothing = table(COLUMNS, [])
    assert [column.label for column in nothing.columns] == ["Name", "Twice"]
    assert nothing.rows == ()
