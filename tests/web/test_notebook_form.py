import json
from io import StringIO
from typing import Any

import pandas as pd
import pytest

from charts.plotly import figure
from tests.web.served import HOST
from views.registry import VIEWS
from views.view import answer


@pytest.mark.parametrize("path", ["/training-compute", "/placement", "/cost-of-tokens"])
@pytest.mark.parametrize("exhibit", [1, 2])
def test_its_cells_run_and_give_the_table_and_the_chart_of_the_page(*, site, path, exhibit, monkeypatch):
    view = VIEWS[path]
    book = json.loads(site.get(f"/{view.name}.ipynb?exhibit={exhibit}").content)
    assert (book["nbformat"], {cell["id"] for cell in book["cells"]}) == (4, {"finding", "numbers", "chart"})
    shown = answer(view, view.settings()).exhibits[exhibit - 1]
    assert book["cells"][0]["source"].startswith(f"# {shown.chart.title}\n")
    read, names = pd.read_csv, dict[str, Any]()
    here = lambda address: StringIO(site.get(address.removeprefix(HOST)).text)  # noqa: E731
    monkeypatch.setattr(pd, "read_csv", lambda address: read(here(address)))
    for cell in book["cells"][1:]:
        exec(cell["source"], names)
    assert len(names["table"].columns) == len(shown.table.columns)
    assert len(names["table"]) == len(shown.table.rows)
    expected: Any = figure(shown.chart)
    for ours, theirs in zip(names["figure"].data, expected.data, strict=True):
        assert (ours.type, ours.name) == (theirs.type, theirs.name)
        for side in ("x", "y"):
            drawn, expected = ([] if one[side] is None else [*map(str, one[side])] for one in (ours, theirs))
            assert drawn == expected
