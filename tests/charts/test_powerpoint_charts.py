"""The native charts carry the numbers, colours, order and labels of the description."""

import math
from dataclasses import replace

import lxml.etree as etree
import pytest
from hypothesis import given, settings

from charts.chart import Axis, Band, Bar, BarChart, Line, Points, Role, Tick, XYChart
from charts.colours import PALETTES, ROLES
from charts.powerpoint.axes import from_a_tick
from charts.powerpoint.plot import share, spaced_ticks
from charts.powerpoint.words import room
from tests.charts.powerpoint_examples import growth_chart, parts, ranking, sheets, single
from tests.charts.random_charts import charts

CHART = "ppt/charts/chart1.xml"
WORKBOOK = "ppt/embeddings/Microsoft_Excel_Sheet1.xlsx"


def _chart(file: bytes) -> etree._Element:
    return etree.fromstring(parts(file)[CHART])


def _series(root: etree._Element) -> list[etree._Element]:
    """Return the series, the lowest first."""
    return sorted(root.iter("{*}ser"), key=lambda series: int(series.find("{*}order").get("val")))


def _name(series: etree._Element) -> str:
    return series.findtext("{*}tx/{*}strRef/{*}strCache/{*}pt/{*}v")


def _cached(series: etree._Element, tag: str) -> list[float]:
    return [float(v.text) for v in series.iterfind(f"{{*}}{tag}/{{*}}numRef/{{*}}numCache/{{*}}pt/{{*}}v")]


def _cells(file: bytes, formula: str) -> list[str | float | None]:
    sheet, _, place = formula.partition("!")
    first, _, last = place.replace("$", "").partition(":")
    letters = first.rstrip("0123456789")
    rows = range(int(first[len(letters) :]), int((last or first)[len(letters) :]) + 1)
    cells = sheets(parts(file)[WORKBOOK])[sheet.strip("'")]
    return [cells.get(f"{letters}{row}") for row in rows]


def test_the_cache_of_every_series_equals_its_cells() -> None:
    for chart in (growth_chart(), ranking()):
        file = single(chart)
        for reference in _chart(file).iter("{*}numRef", "{*}strRef"):
            cached = [value.text for value in reference.iterfind(".//{*}pt/{*}v")]
            cells = [cell for cell in _cells(file, reference.findtext("{*}f")) if cell is not None]
            is_number = reference.tag.endswith("numRef")
            assert [float(value) if is_number else value for value in cached] == cells


def test_the_workbook_names_every_point_and_heads_every_column_with_its_unit() -> None:
    data = sheets(parts(single())[WORKBOOK])["Data"]
    heads = {text for place, text in data.items() if place.rstrip("0123456789") + "2" == place}
    assert {"Name", "Publication date", "Growth since 2012 [×]", "Details"} <= heads
    assert {"AlexNet", "=1+1", "@GPT", "Grok", "K40", "2016; confident"} <= set(data.values())


def test_text_in_the_workbook_is_never_a_formula_and_stays_text_when_edited() -> None:
    sheet = parts(parts(single())[WORKBOOK])["xl/worksheets/sheet1.xml"]
    root = etree.fromstring(sheet)
    assert root.find(".//{*}f") is None
    styles = {"".join(cell.itertext()): cell.get("s") for cell in root.iter("{*}c") if cell.get("t")}
    assert styles["=1+1"] == styles["@GPT"] == "2"
    assert styles["AlexNet"] == "0"
    looks = list(etree.fromstring(parts(parts(single())[WORKBOOK])["xl/styles.xml"]).find("{*}cellXfs"))
    assert looks[2].get("quotePrefix") == "1"


def test_a_log_axis_is_native_with_the_range_of_the_description() -> None:
    horizontal, vertical = _chart(single()).iter("{*}valAx")
    assert vertical.find("{*}scaling/{*}logBase").get("val") == "10"
    assert horizontal.find("{*}scaling/{*}logBase") is None
    assert [float(vertical.find(f"{{*}}scaling/{{*}}{end}").get("val")) for end in ("min", "max")] == [
        0.2,
        1e11,
    ]
    assert {axis.find("{*}crosses").get("val") for axis in (horizontal, vertical)} == {"min"}
    assert "".join(horizontal.find("{*}title").itertext()) == "Publication date"


def test_the_title_of_the_y_axis_stands_in_one_line_above_the_plot() -> None:
    """PowerPoint and LibreOffice break a title of their own into a column of words."""
    content = parts(single())
    assert _chart(single()).findall(".//{*}valAx")[1].find("{*}title") is None
    anchor, *_ = etree.fromstring(content["ppt/drawings/drawing1.xml"])
    assert "".join(anchor.itertext("{*}t")) == "Growth since 2012 [×]"
    top_of_the_plot = float(_chart(single()).find(".//{*}plotArea/{*}layout//{*}y").get("val"))
    assert float(anchor.find("{*}to/{*}y").text) <= top_of_the_plot


def test_ticks_in_words_stand_at_their_values() -> None:
    found = next(s for s in _series(_chart(single())) if _name(s) == "Ticks: Growth since 2012 [×]")
    labels = ["".join(label.find("{*}tx").itertext()) for label in found.iterfind("{*}dLbls/{*}dLbl")]
    assert labels == ["1×", "10 thousand ×", "100 million ×"]
    assert _cached(found, "yVal") == [1.0, 1e4, 1e8]


def test_ticks_that_powerpoint_can_write_are_its_own() -> None:
    years = Axis(
        title="Year",
        low=2018.0,
        high=2026.0,
        ticks=tuple(Tick(value=float(year), label=str(year)) for year in range(2018, 2027, 2)),
    )
    growth = Axis(
        title="Growth",
        scale="log",
        low=1.0,
        high=1e6,
        ticks=tuple(Tick(value=10.0**k, label=f"{10**k}×") for k in range(0, 7, 2)),
    )
    root = _chart(single(growth_chart(x=years, y=growth)))
    assert not [s for s in _series(root) if _name(s).startswith("Ticks")]
    horizontal, vertical = root.iter("{*}valAx")
    assert (horizontal.find("{*}majorUnit").get("val"), horizontal.find("{*}numFmt").get("formatCode")) == (
        "2",
        "0",
    )
    assert (vertical.find("{*}majorUnit").get("val"), vertical.find("{*}numFmt").get("formatCode")) == (
        "100",
        '0"×"',
    )


def test_marks_lie_in_the_order_of_the_description_and_bands_below() -> None:
    names = [_name(series) for series in _series(_chart(single()))]
    unique = list(dict.fromkeys(names))
    assert [name for name in unique if not name.endswith("(fill)") and not name.startswith("Ticks")] == [
        "New run, 90 %",
        "Trend, 90 %",
        "Runs",
        "Announced chips",
        "Compute, fit",
        "Compute, projection",
        "Bandwidth, projection",
        "gap since 2012 30 million ×",
    ]


def test_the_first_series_in_the_file_is_the_longest_for_libreoffice() -> None:
    lengths = [len(_cached(series, "xVal")) for series in _chart(single()).iter("{*}ser")]
    assert lengths[0] == max(lengths)


def test_a_band_is_filled_between_its_edges_and_within_the_plot() -> None:
    fill = next(s for s in _series(_chart(single())) if _name(s) == "New run, 90 % (fill)")
    x, y = _cached(fill, "xVal"), _cached(fill, "yVal")
    assert min(x) >= 2012 and max(x) <= 2030
    assert min(y) >= 0.2 and max(y) <= 1e11
    middle = [value for at, value in zip(x, y, strict=True) if abs(at - 2020) < 0.2]
    assert 8e3 < min(middle) < 2e4 and 2e6 < max(middle) < 4.8e6


def test_projections_are_dotted_and_fade() -> None:
    by_name = {_name(series): series for series in _series(_chart(single()))}
    projection, fit = by_name["Compute, projection"], by_name["Compute, fit"]
    assert projection.find("{*}spPr/{*}ln/{*}prstDash").get("val") == "sysDot"
    assert projection.find(".//{*}ln//{*}alpha").get("val") == "45000"
    assert fit.find("{*}spPr/{*}ln/{*}prstDash") is None


def test_roles_keep_their_colours() -> None:
    drawn: tuple[tuple[str, Role], ...] = (
        ("Runs", "compute"),
        ("Compute, fit", "compute"),
        ("Bandwidth, projection", "memory"),
    )
    light = PALETTES["light"].mark
    by_name = {_name(series): series for series in _series(_chart(single()))}
    for name, role in drawn:
        colours = {found.get("val") for found in by_name[name].iterfind("{*}spPr//{*}srgbClr")}
        colours |= {found.get("val") for found in by_name[name].iterfind("{*}marker//{*}srgbClr")}
        assert light[role][1:].upper() in colours


def test_every_role_has_its_own_marker_and_announced_points_are_outlines() -> None:
    clouds = tuple(
        Points(series=role, role=role, x=(2013.0,), y=(10.0,), names=("n",), details=((),)) for role in ROLES
    )
    by_name = {_name(s): s for s in _series(_chart(single(growth_chart(marks=clouds))))}
    symbols = {by_name[role].find("{*}marker/{*}symbol").get("val") for role in ROLES}
    assert len(symbols) == len(ROLES)
    announced = {_name(s): s for s in _series(_chart(single()))}["Announced chips"]
    assert announced.find("{*}marker/{*}spPr/{*}ln/{*}solidFill") is not None


def test_the_points_people_know_are_named_unless_labels_would_overlap() -> None:
    crowd = Points(
        series="Runs",
        role="compute",
        x=(2020.0,) * 8,
        y=(1e5,) * 8,
        names=tuple("abcdefgh"),
        details=((),) * 8,
        marked=tuple((k, f"Model number {k}") for k in range(8)),
    )
    found = next(s for s in _series(_chart(single(growth_chart(marks=(crowd,))))) if _name(s) == "Runs")
    labels = ["".join(label.find("{*}tx").itertext()) for label in found.iterfind("{*}dLbls/{*}dLbl")]
    assert labels[0] == "Model number 0"
    assert len(labels) < 8


def test_bars_carry_value_interval_words_and_colour() -> None:
    file = single(ranking())
    bars, ends = _series(_chart(file))
    assert _cached(bars, "val") == [1.59, 1.3, 1.1]
    assert _cached(ends, "val") == [1.66, 1.33, 1.1]
    names = [v.text for v in bars.iterfind("{*}cat//{*}pt/{*}v")]
    assert names == ["FP16", "Memory bandwidth", "Price"]
    plus = [float(v.text) for v in bars.iterfind("{*}errBars/{*}plus//{*}pt/{*}v")]
    assert plus == [1.66 - 1.59, 1.33 - 1.3]  # LibreOffice draws the caps of a whisker of no length
    words = ["".join(label.find("{*}tx").itertext()) for label in ends.iterfind("{*}dLbls/{*}dLbl")]
    assert words == ["1.59×", "1.30×", "1.1×"]
    emphasised = bars.findall("{*}dPt")[1].find(".//{*}srgbClr")
    assert emphasised.get("val") == PALETTES["light"].mark["memory"][1:].upper()


def test_bars_marked_by_dots_are_not_seen_and_one_with_a_start_is_joined_to_a_hollow_dot() -> None:
    chart = replace(ranking(), dots=True)
    first, *others = chart.bars
    begun = replace(first, start=1.2, low=None, high=None)
    file = single(replace(chart, bars=(begun, *others)))
    bars, ends = _series(_chart(file))
    for series in (bars, ends):  # the dots are shapes; the bars keep numbers and whiskers, unseen
        (look,) = series.find("{*}spPr")
        assert etree.QName(look).localname == "noFill"
    assert not bars.findall("{*}dPt")
    assert _cached(bars, "val") == [1.59, 1.3, 1.1]
    minus = [float(v.text) for v in bars.iterfind("{*}errBars/{*}minus//{*}pt/{*}v")]
    assert minus[0] == pytest.approx(1.59 - 1.2)
    ends_of_dots = _cached(ends, "val")
    assert all(end > dot for end, dot in zip(ends_of_dots, (1.59, 1.3, 1.1), strict=True))
    assert ends_of_dots == pytest.approx([1.59, 1.33, 1.1], abs=0.02)


def test_bars_start_at_their_base_and_the_first_is_on_top() -> None:
    names = next(_chart(single(ranking())).iter("{*}catAx"))
    assert names.find("{*}crossesAt").get("val") == "1"
    assert names.find("{*}scaling/{*}orientation").get("val") == "maxMin"


@settings(max_examples=40, deadline=None)
@given(chart=charts)
def test_any_chart_keeps_its_numbers(chart: XYChart) -> None:
    file = single(chart)
    series = _series(_chart(file))
    drawn = [(_name(s), _cached(s, "xVal"), _cached(s, "yVal")) for s in series]
    for mark in chart.marks:
        if isinstance(mark, Band):
            assert (mark.series, list(mark.x), list(mark.low)) in drawn
            assert (mark.series, list(mark.x), list(mark.high)) in drawn
        elif isinstance(mark, Points | Line):
            assert (mark.series, list(mark.x), list(mark.y)) in drawn
    for reference in _chart(file).iter("{*}numRef"):
        values = [float(v.text) for v in reference.iterfind(".//{*}v")]
        assert all(math.isfinite(value) for value in values)
        assert values == _cells(file, reference.findtext("{*}f"))


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_what_is_no_number_stays_blank(value: float) -> None:
    line = Line(series="l", role="compute", x=(2012.0, 2020.0), y=(1.0, value))
    file = single(growth_chart(marks=(line,)))
    found = next(s for s in _series(_chart(file)) if _name(s) == "l")
    assert _cached(found, "yVal") == [1.0]
    assert _cells(file, found.findtext("{*}yVal/{*}numRef/{*}f")) == [1.0, None]


def test_the_words_of_a_bar_left_of_the_base_stand_right_of_it_clear_of_the_names() -> None:
    axis = Axis(
        title="Change", low=-2.0, high=2.0, ticks=(Tick(value=-2.0, label="-2"), Tick(value=2.0, label="2"))
    )
    bars = (Bar(label="Falls", value=-1.0, low=-1.5, high=-0.5, text="-1", role="context"),)
    chart = BarChart(title="t", subtitle="", alt="a", source="s", x=axis, base=0.0, bars=bars)
    _, ends = _series(_chart(single(chart)))
    assert _cached(ends, "val") == pytest.approx([0.0], abs=1e-5)
    assert _cached(ends, "val")[0] > 0  # else PowerPoint sets them to the left


def test_a_value_axis_of_bars_begins_at_a_tick_at_or_below_everything_it_shows() -> None:
    ticks = tuple(Tick(value=value, label=f"{value:g}×") for value in (1.2, 1.4, 1.6))
    axis = Axis(title="Growth", low=1.15, high=1.7, ticks=ticks)
    values = next(_chart(single(replace(ranking(), x=axis))).iter("{*}valAx"))
    assert float(values.find("{*}scaling/{*}min").get("val")) == pytest.approx(1.0)
    assert values.find("{*}numFmt").get("formatCode") == '0.0"×"'
    assert values.find("{*}tickLblPos").get("val") == "nextTo"


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (((1.0, "1×"), (1.25, "1.25×"), (1.5, "1.5×")), ["0.50×", "0.75×"]),
        (((0.9, "90 %"), (0.95, "95 %"), (1.0, "100 %")), ["80 %", "85 %"]),
        (((0.9, "90 %"), (1.0, "100 %")), ["50 %", "60 %", "70 %", "80 %"]),
        (((1_000.0, "1,000"), (1_500.0, "1,500")), ["500"]),
    ],
)
def test_ticks_added_below_say_their_own_values(
    labels: tuple[tuple[float, str], ...], said: list[str]
) -> None:
    ticks = tuple(Tick(value=value, label=label) for value, label in labels)
    axis = Axis(title="Growth", low=ticks[0].value, high=ticks[-1].value, ticks=ticks)
    step = labels[1][0] - labels[0][0]
    lowest = ticks[0].value - len(said) * step
    extended = from_a_tick(axis, lowest=lowest)
    assert extended.low == pytest.approx(lowest)
    assert extended.ticks[-len(ticks) :] == ticks
    below = [tick.label for tick in extended.ticks[: -len(ticks)]]
    assert below == said


def test_ticks_in_words_of_several_scales_are_not_continued() -> None:
    ticks = (Tick(value=1e3, label="1 thousand"), Tick(value=2e6, label="2 million"))
    axis = Axis(title="Growth", low=1e3, high=2e6, ticks=ticks)
    assert from_a_tick(axis, lowest=0.0) == axis


def test_ticks_crowded_at_one_end_of_a_log_axis_keep_apart() -> None:
    values = (500.0, 1_000.0, 2_000.0, 5_000.0, 10_000.0, 20_000.0)
    axis = Axis(
        title="Cost",
        scale="log",
        low=400,
        high=25_000,
        ticks=tuple(Tick(value=v, label=f"${v:,.0f}") for v in values),
    )
    kept = spaced_ticks(axis, room=250)
    assert 2 <= len(kept) < len(values)
    at = [250 * share(axis, tick.value) for tick in kept]
    widths = [room(tick.label, size=12) for tick in kept]
    for k in range(len(kept) - 1):
        assert at[k + 1] - at[k] >= (widths[k] + widths[k + 1]) / 2
    assert tuple(spaced_ticks(axis, room=2_000)) == axis.ticks


def test_bars_may_round_their_tick_labels_where_lines_keep_them_verbatim() -> None:
    ticks = (Tick(value=5.0, label="5.0×"), Tick(value=10.0, label="10×"), Tick(value=15.0, label="15×"))
    axis = Axis(title="Growth", low=5.0, high=16.0, ticks=ticks)
    assert (
        next(_chart(single(replace(ranking(), x=axis))).iter("{*}valAx")).find("{*}numFmt").get("formatCode")
        == 'General"×"'
    )
    named = {_name(series) for series in _series(_chart(single(growth_chart(y=axis))))}
    assert "Ticks: Growth" in named


def test_thousands_on_an_axis_are_grouped_by_its_number_format() -> None:
    ticks = tuple(Tick(value=float(value), label=f"{value:,}") for value in range(0, 2001, 500))
    axis = Axis(title="Rows", low=0.0, high=2000.0, ticks=ticks)
    bars = (Bar(label="Runs", value=1530.0, text="1,530", role="context"),)
    made = _chart(single(replace(ranking(), x=axis, base=0.0, bars=bars)))
    assert next(made.iter("{*}valAx")).find("{*}numFmt").get("formatCode") == "#,##0"


def test_ticks_too_close_for_their_labels_are_thinned() -> None:
    years = tuple(Tick(value=2012.0 + k / 4, label=f"January {2012 + k}") for k in range(60))
    axis = Axis(title="", low=2011.5, high=2030.5, ticks=years)
    found = next(s for s in _series(_chart(single(growth_chart(x=axis)))) if _name(s) == "Ticks: b")
    labels = list(found.iterfind("{*}dLbls/{*}dLbl"))
    assert 3 <= len(labels) <= 8


def test_a_point_on_crossing_lines_is_named_at_a_corner_clear_of_both() -> None:
    axis = Axis(title="Work", low=0, high=10, ticks=())
    marks = (
        Line(series="level", role="compute", x=(0, 10), y=(5, 5)),
        Line(series="upright", role="links", x=(5, 5), y=(0, 10)),
        Points(
            series="p", role="compute", x=(5,), y=(5,), names=("H100",), details=((),), marked=((0, "H100"),)
        ),
    )
    root = _chart(single(growth_chart(x=axis, y=axis, marks=marks)))
    (label,) = next(s for s in _series(root) if _name(s) == "p").iterfind("{*}dLbls/{*}dLbl")
    assert label.find("{*}dLblPos").get("val") in ("l", "r")
    assert abs(float(label.find("{*}layout//{*}y").get("val"))) > 0.01
