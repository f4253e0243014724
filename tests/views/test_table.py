"""Tables made from columns that carry their cells."""

from views.result import Column, Table
from views.table import column, table


def test_each_column_reads_its_own_cell_off_every_item():
    columns = (
        column("name", lambda item: item[0], label="Name", kind="text"),
        column("double", lambda item: 2 * item[1], label="Twice", unit="byte"),
    )
    assert table(columns, [("a", 1), ("b", 2)]) == Table(
        columns=(
            Column(name="name", label="Name", kind="text"),
            Column(name="double", label="Twice", unit="byte"),
        ),
        rows=(("a", 2), ("b", 4)),
    )


def test_a_table_of_nothing_keeps_its_columns():
    assert table((column("n", lambda item: item, label="N"),), []).rows == ()
