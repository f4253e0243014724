"""A view as numbers: the table of an exhibit as CSV, or the whole result as JSON."""

import json

from panel.cells import table_csv
from views.result import as_json
from web.forms.form import Order


def write_csv(order: Order) -> bytes:
    """Return the table of the exhibit asked for."""
    return table_csv(order.exhibit.table).encode()


def write_json(order: Order) -> bytes:
    """Return the result as the command line prints it."""
    return (json.dumps(as_json(order.result), ensure_ascii=False, allow_nan=False) + "\n").encode()
