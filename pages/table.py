"""A table in Streamlit's own grid, for the pages that show no single view."""

from typing import Any

import pandas as pd
import streamlit as st

from panel.cells import heading
from views.result import Column, Table

SENTENCE_HEIGHT = 118
"""Height of a table's rows where they hold sentences: five lines. [px]"""


def show_table(table: Table, *, name: str) -> None:
    """Draw a table whose columns carry their units; web addresses can be opened."""
    frame = pd.DataFrame(list(table.rows), columns=[column.name for column in table.columns])
    st.dataframe(
        frame,
        column_config={column.name: _column(column) for column in table.columns},
        hide_index=True,
        row_height=SENTENCE_HEIGHT if any(column.wide for column in table.columns) else None,
        key=f"table-{name}",
        alt=", ".join(column.label for column in table.columns),
    )


def _column(column: Column) -> Any:
    label = heading(column)
    kinds = {
        "text": lambda: st.column_config.TextColumn(label, width=column.wide or None),
        "date": lambda: st.column_config.TextColumn(label),
        "link": lambda: st.column_config.LinkColumn(label, display_text=r"https?://(?:www\.)?([^/]+)"),
        "scientific": lambda: st.column_config.NumberColumn(label, format="scientific"),
        "year": lambda: st.column_config.NumberColumn(label, format="%d"),
        "number": lambda: st.column_config.NumberColumn(label, format="%.3g"),
    }
    return kinds[column.kind]()
