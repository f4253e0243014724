"""Minimal Dash page, with one control and one figure prepared in advance."""

# Dash is installed for benchmarks only.
# pyright: reportMissingImports=false

import json
import os
from pathlib import Path

from dash import Dash, Input, Output, dcc, html

FIGURES = json.loads(Path(os.environ["FIGURES"]).read_text())
first = next(iter(FIGURES))
app = Dash(__name__, serve_locally=True, compress=True)
app.layout = html.Div(
    [
        dcc.Dropdown(list(FIGURES), first, id="since", clearable=False, maxHeight=600),
        dcc.Graph(id="chart", figure=FIGURES[first], style={"height": 520}),
    ]
)


@app.callback(Output("chart", "figure"), Input("since", "value"), prevent_initial_call=True)
def chosen(since: str) -> dict:
    """Return the figure computed in advance for a choice of settings."""
    return FIGURES[since]


if __name__ == "__main__":
    app.run(host="127.0.0.1", port=os.environ["PORT"], debug=False)
