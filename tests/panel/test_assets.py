"""Which files of the panel a browser is sent, and at which addresses."""

import re

from panel import assets
from panel.assets import FOLDER, MODULES, PLOTLY, PREFIX, PRESENT_STYLE, STYLES, address, text_of


def test_every_style_there_is_is_named():
    assert {*STYLES, PRESENT_STYLE} == {path.name for path in FOLDER.glob("*.css")}


def test_modules_lie_beside_one_another_and_plotly_where_the_chart_looks_for_it():
    assert {address(name) for name in (*MODULES, PLOTLY)} < set(assets.assets())
    folders = {address(name).rpartition("/")[0] for name in MODULES}
    assert len(folders) == 1 and folders.pop().startswith(PREFIX)
    sought = re.search(
        r'new URL\("\.\./([^"]+)", import\.meta\.url\)', (FOLDER / "chart.js").read_text("utf-8")
    )
    assert sought and sought[1] == PLOTLY
    assert address(PLOTLY) == f"{PREFIX}{PLOTLY}"


def test_the_style_sheet_of_a_document_is_every_style_and_can_stand_inside_it():
    whole = text_of(*STYLES)
    for name in STYLES:
        assert (FOLDER / name).read_text("utf-8") in whole
    assert text_of(PRESENT_STYLE) not in whole
    assert "</style" not in (whole + text_of(PRESENT_STYLE)).lower()
