import csv
import io
import json
import math
from dataclasses import replace
from typing import Any

import pytest

from charts.plotly import plain_figure
from charts.svg import svg
from panel.answer import PanelSettings, answer_of
from panel.cells import cell_text as shown_text
from panel.page import MOST_FIGURES, MOST_NOTES
from tests.charts.powerpoint_examples import parts
from tests.charts.test_same_numbers import check
from tests.length import at_length
from tests.views.links import corpus
from tests.web.document import inside
from tests.web.served import DAY, EVERY_VIEW, HOST
from views.registry import VIEWS
from views.result import Result, Table, as_json
from views.view import ReleaseSettings, View, answer, read
from web.forms import FORMS, Order, PictureSettings
from web.panels import as_bytes


def order(result: Result, *, exhibit: int = 1) -> Order:
    return Order(result=result, options=PictureSettings(exhibit=exhibit), origin=HOST, today=DAY)


def check_panel(view: View, settings: ReleaseSettings, *, result: Result) -> None:
    """Check that the answers to the open page have the charts and the tables of the result, as JSON carries them."""

    def part_of(**wanted: Any) -> Any:
        return json.loads(as_bytes(answer_of(view, settings, wanted=PanelSettings(**wanted))))

    finding, further = part_of(), part_of(part="further")["exhibits"]
    assert finding["link"] == result.link
    assert read(view, finding["query"])[0] == settings
    held = {name: state[0] for name, state in finding["controls"].items()}
    assert (held.pop("vs", ""), held) == ("", settings.described())
    assert len(inside(finding["parts"]["figures"]).xpath(".//dd")) <= MOST_FIGURES
    assert len(inside(finding["parts"]["notes"]).xpath("./li")) <= MOST_NOTES + len(result.moved_notes)
    assert [one["section"] for one in further].count("finding") <= 1
    charts = [finding["chart"], *(one["chart"] for one in further)]
    for number, (shown, exhibit) in enumerate(zip(charts, result.exhibits, strict=True), start=1):
        assert shown == {"figure": plain_figure(exhibit.chart), "alt": exhibit.chart.alt}
        table = part_of(part="table", exhibit=number)
        columns = exhibit.table.columns
        assert len(table["columns"]) == len(columns)
        for keys, texts, row in zip(table["keys"], table["rows"], exhibit.table.rows, strict=True):
            assert texts == [shown_text(cell, column) for cell, column in zip(row, columns, strict=True)]
            for key, cell in zip(keys, row, strict=True):
                if isinstance(cell, int | float):
                    assert key == (cell if math.isfinite(cell) else None)
                else:
                    assert key is None or key == cell


def check_csv(table: Table, text: str) -> None:
    """Check that a file reads back as the table, units in its header."""
    header, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    units = [f" [{column.unit}]" if column.unit not in ("", "1") else "" for column in table.columns]
    assert header == [f"{column.name}{unit}" for column, unit in zip(table.columns, units, strict=True)]
    assert text.count("\r\n") == len(table.rows) + 1 == len(rows) + 1
    for texts, cells in zip(rows, table.rows, strict=True):
        for got, cell in zip(texts, cells, strict=True):
            if isinstance(cell, bool):
                assert got == str(cell).lower()
            elif isinstance(cell, int | float):
                assert float(got or "nan") == cell or (got == "" and not math.isfinite(cell))
            else:
                assert got in (cell or "", f"'{cell}")


@EVERY_VIEW
@pytest.mark.parametrize("number", range(at_length(40, few=1)))
def test_page_panel_picture_slide_and_files_carry_the_same_numbers(view: View, number: int):
    chosen = read(view, corpus(view)[number])[0]
    result = answer(view, chosen)
    check_panel(view, chosen, result=result)
    for place, exhibit in enumerate(result.exhibits, start=1):
        check(exhibit.chart)
        assert "<svg" in svg(exhibit.chart)
        assert FORMS["pptx"].write(order(result, exhibit=place))
        check_csv(exhibit.table, FORMS["csv"].write(order(result, exhibit=place)).decode("utf-8"))
    written = json.loads(FORMS["json"].write(order(result)))
    assert written == json.loads(json.dumps(as_json(result)))
    for figure_told, own in zip(written["figures"], result.figures, strict=True):
        assert figure_told["value"] == (own.value if own.value is None or math.isfinite(own.value) else None)


def test_the_slide_of_a_correction_is_dated_by_the_release_it_corrects():
    result = replace(answer(VIEWS["/growth-gap"], VIEWS["/growth-gap"].settings()), release="2026-07.1")
    made = parts(FORMS["pptx"].write(order(result)))["docProps/core.xml"].decode()
    assert "2026-07-01T00:00:00Z" in made
