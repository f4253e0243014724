"""A view as numbers: the table of an exhibit as CSV, or the whole result as JSON."""

import json

from panel.cells import table_csv
from views.result import as_json
from web.forms.form import ExhibitSettings, Form, Order


def write_csv(order: Order) -> bytes:
    """Return the table of the exhibit asked for."""
    return table_csv(order.exhibit.table).encode()


def write_json(order: Order) -> bytes:
    """Return the result as the command line prints it."""
    return (json.dumps(as_json(order.result), ensure_ascii=False, allow_nan=False) + "\n").encode()


CSV = Form(
    extension="csv",
    media_type="text/csv; charset=utf-8; header=present",
    what="Numbers of the chart as a table",
    write=write_csv,
    options=ExhibitSettings,
    download=True,
)
JSON = Form(
    extension="json",
    media_type="application/json",
    what="Numbers with settings, headline, notes and sources",
    write=write_json,
)
