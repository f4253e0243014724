import math
from dataclasses import replace
from typing import Any

import lxml.etree as etree
import pytest
from hypothesis import given, settings

from charts.chart import Axis, Band, Bar, BarChart, Line, Points, Tick, XYChart
from charts.colours import PALETTES, ROLES
from charts.powerpoint.axes import from_a_tick
from charts.powerpoint.plot import spaced_ticks
from charts.powerpoint.words import room
from tests.cases import cases
from tests.charts.powerpoint_examples import (
    cached,
    chart_of,
    growth_chart,
    labels_of,
    parts,
    place_of,
    ranking,
    series_of,
    shapes_of,
    single,
    workbook_of,
)
from tests.charts.random_charts import charts

LIGHT = PALETTES["light"].mark


def ticks(*pairs: tuple[float, str]) -> tuple[Tick, ...]:
    return tuple(Tick(value=value, label=label) for value, label in pairs)


def value_axis(chart: BarChart) -> etree._Element:
    return next(chart_of(single(chart)).iter("{*}valAx"))


def inks(element: etree._Element) -> set[str]:
    return {f"#{result.get('val').lower()}" for result in element.iter("{*}srgbClr")}


@pytest.mark.parametrize("chart", [growth_chart(), ranking()], ids=["lines", "bars"])
def test_the_cache_of_every_series_equals_its_cells(chart: XYChart | BarChart) -> None:
    file = single(chart)
    book = workbook_of(file)
    for reference in chart_of(file).iter("{*}numRef", "{*}strRef"):
        sheet, _, place = reference.findtext("{*}f").partition("!")
        first, _, last = place.replace("$", "").partition(":")
        letters = first.rstrip("0123456789")
        rows = range(int(first[len(letters) :]), int((last or first)[len(letters) :]) + 1)
        cells = [book[sheet.strip("'")].get(f"{letters}{row}") for row in rows]
        texts = [value.text for value in reference.iterfind(".//{*}pt/{*}v")]
        values = [float(text) for text in texts] if reference.tag.endswith("numRef") else texts
        assert values == [cell for cell in cells if cell is not None]


def test_the_workbook_names_every_point_and_heads_every_column_with_its_unit() -> None:
    data = workbook_of(single())["Data"]
    heads = {text for place, text in data.items() if place.rstrip("0123456789") + "2" == place}
    assert {"Name", "Publication date", "Growth since 2012 [×]", "Details"} <= heads
    assert {"AlexNet", "=1+1", "@GPT", "Grok", "K40", "2016; confident"} <= set(data.values())


def test_text_in_the_workbook_is_never_a_formula_and_stays_text_when_edited() -> None:
    book = parts(parts(single())["ppt/embeddings/Microsoft_Excel_Sheet1.xlsx"])
    root = etree.fromstring(book["xl/worksheets/sheet1.xml"])
    assert root.find(".//{*}f") is None
    strings = ["".join(one.itertext()) for one in etree.fromstring(book["xl/sharedStrings.xml"])]
    looks = [look.get("quotePrefix") for look in etree.fromstring(book["xl/styles.xml"]).find("{*}cellXfs")]
    cells = root.iterfind(".//{*}c[@t='s']")
    guarded = {strings[int(cell.findtext("{*}v"))]: looks[int(cell.get("s", "0"))] for cell in cells}
    assert guarded["=1+1"] == guarded["@GPT"] == "1" and guarded["AlexNet"] is None


def test_a_log_axis_is_native_and_the_title_of_the_y_axis_stands_in_one_line_above_the_plot() -> None:
    """PowerPoint and LibreOffice break a title of their own into a column of words."""
    chart = chart_of(single())
    across, up = chart.iter("{*}valAx")
    assert across.find("{*}scaling/{*}logBase") is None
    assert up.find("{*}scaling/{*}logBase").get("val") == "10"
    assert [float(up.find(f"{{*}}scaling/{{*}}{end}").get("val")) for end in ("min", "max")] == [0.2, 1e11]
    assert {axis.find("{*}crosses").get("val") for axis in (across, up)} == {"min"}
    assert "".join(across.find("{*}title").itertext()) == "Publication date" and up.find("{*}title") is None
    title = shapes_of(single())["Axis title"]
    assert "".join(title.itertext("{*}t")) == "Growth since 2012 [×]"
    assert place_of(title)[3] <= float(chart.find(".//{*}plotArea/{*}layout//{*}y").get("val"))


def test_ticks_that_powerpoint_can_write_are_its_own_and_others_stand_at_their_values() -> None:
    words = series_of(single())["Ticks: Growth since 2012 [×]"]
    assert labels_of(words) == ["1×", "10 thousand ×", "100 million ×"]
    assert cached(words, "yVal") == [1.0, 1e4, 1e8]
    years = ticks(*((float(year), str(year)) for year in range(2018, 2027, 2)))
    tens = ticks(*((10.0**k, f"{10**k}×") for k in range(0, 7, 2)))
    x = Axis(title="Year", low=2018.0, high=2026.0, ticks=years)
    file = single(growth_chart(x=x, y=Axis(title="Growth", scale="log", low=1.0, high=1e6, ticks=tens)))
    assert not [name for name in series_of(file) if name.startswith("Ticks")]
    for axis, unit, form in zip(chart_of(file).iter("{*}valAx"), ("2", "100"), ("0", '0"×"'), strict=True):
        written = (axis.find("{*}majorUnit").get("val"), axis.find("{*}numFmt").get("formatCode"))
        assert written == (unit, form)


def test_marks_lie_in_the_order_of_the_description_and_bands_below() -> None:
    names = [name for name in series_of(single()) if not name.endswith("(fill)") and "Ticks" not in name]
    assert names == [
        *("New run, 90%", "Trend, 90%", "Runs", "Announced chips", "Compute, fit", "Compute, projection"),
        *("Bandwidth, projection", "gap since 2012 30 million ×"),
    ]
    lengths = [len(cached(series, "xVal")) for series in chart_of(single()).iter("{*}ser")]
    assert lengths[0] == max(lengths)  # LibreOffice drops what comes before a longer one


def test_a_band_is_filled_between_its_edges_and_within_the_plot() -> None:
    fill = series_of(single())["New run, 90% (fill)"]
    x, y = cached(fill, "xVal"), cached(fill, "yVal")
    assert min(x) >= 2012 and max(x) <= 2030 and min(y) >= 0.2 and max(y) <= 1e11
    middle = [value for at, value in zip(x, y, strict=True) if abs(at - 2020) < 0.2]
    assert 8e3 < min(middle) < 2e4 and 2e6 < max(middle) < 4.8e6


def test_roles_keep_colour_and_marker_projections_fade_and_announced_points_are_outlines() -> None:
    drawn = series_of(single())
    projection, fit = drawn["Compute, projection"], drawn["Compute, fit"]
    assert projection.find("{*}spPr/{*}ln/{*}prstDash").get("val") == "sysDot"
    assert projection.find(".//{*}ln//{*}alpha").get("val") == "45000"
    assert fit.find("{*}spPr/{*}ln/{*}prstDash") is None
    assert inks(fit) == {LIGHT["compute"]} and LIGHT["compute"] in inks(drawn["Runs"])
    assert inks(drawn["Bandwidth, projection"]) == {LIGHT["memory"]}
    assert drawn["Announced chips"].find("{*}marker/{*}spPr/{*}ln/{*}solidFill") is not None
    one: Any = {"x": (2013.0,), "y": (10.0,), "names": ("n",), "details": ((),)}
    clouds = tuple(Points(series=role, role=role, **one) for role in ROLES)
    by_role = series_of(single(growth_chart(marks=clouds)))
    assert len({by_role[role].find("{*}marker/{*}symbol").get("val") for role in ROLES}) == len(ROLES)


def test_a_point_on_crossing_lines_is_named_at_a_corner_clear_of_both() -> None:
    axis = Axis(title="Work", low=0, high=10, ticks=())
    marks = (
        Line(series="level", role="compute", x=(0, 10), y=(5, 5)),
        Line(series="upright", role="links", x=(5, 5), y=(0, 10)),
        Points(
            series="p", role="compute", x=(5,), y=(5,), names=("H100",), details=((),), marked=((0, "H100"),)
        ),
    )
    file = single(growth_chart(x=axis, y=axis, marks=marks))
    (label,) = series_of(file)["p"].iterfind("{*}dLbls/{*}dLbl")
    assert label.find("{*}dLblPos").get("val") == "l"  # top left is the first corner tried
    assert -0.05 < float(label.find("{*}layout//{*}y").get("val")) < -0.01


def whiskers(series: etree._Element, side: str) -> list[float]:
    return [float(v.text) for v in series.iterfind(f"{{*}}errBars/{{*}}{side}//{{*}}pt/{{*}}v")]


def test_bars_carry_value_interval_words_and_colour_start_at_their_base_and_the_first_is_on_top() -> None:
    file = single(ranking())
    bars, ends = series_of(file).values()
    assert cached(bars, "val") == [1.59, 1.3, 1.1] and cached(ends, "val") == [1.66, 1.33, 1.1]
    assert [v.text for v in bars.iterfind("{*}cat//{*}pt/{*}v")] == ["FP16", "Memory bandwidth", "Price"]
    assert whiskers(bars, "plus") == [1.66 - 1.59, 1.33 - 1.3]  # LibreOffice draws caps of no length
    assert labels_of(ends) == ["1.59×", "1.30×", "1.1×"]
    assert inks(bars.findall("{*}dPt")[1]) == {LIGHT["memory"]}
    names = next(chart_of(file).iter("{*}catAx"))
    assert names.find("{*}crossesAt").get("val") == "1"
    assert names.find("{*}scaling/{*}orientation").get("val") == "maxMin"


def test_bars_marked_by_dots_are_not_seen_and_one_with_a_start_is_joined_to_a_hollow_dot() -> None:
    first, *others = ranking().bars
    begun = replace(first, start=1.2, low=None, high=None)
    bars, ends = series_of(single(replace(ranking(), dots=True, bars=(begun, *others)))).values()
    for series in (bars, ends):  # the dots are shapes; the bars keep numbers and whiskers, unseen
        assert [etree.QName(look).localname for look in series.find("{*}spPr")] == ["noFill"]
    assert not bars.findall("{*}dPt") and cached(bars, "val") == [1.59, 1.3, 1.1]
    assert whiskers(bars, "minus")[0] == pytest.approx(1.59 - 1.2)
    assert all(end > dot for end, dot in zip(cached(ends, "val"), (1.59, 1.3, 1.1), strict=True))
    assert cached(ends, "val") == pytest.approx([1.59, 1.33, 1.1], abs=0.02)


@settings(max_examples=40, deadline=None)
@given(chart=charts)
def test_any_chart_keeps_its_numbers(chart: XYChart) -> None:
    root = chart_of(single(chart))
    series = root.iter("{*}ser")
    drawn = [(one.findtext("{*}tx//{*}v"), cached(one, "xVal"), cached(one, "yVal")) for one in series]
    for mark in chart.marks:
        if isinstance(mark, Band):
            assert (mark.series, list(mark.x), list(mark.low)) in drawn
            assert (mark.series, list(mark.x), list(mark.high)) in drawn
        elif isinstance(mark, Points | Line):
            assert (mark.series, list(mark.x), list(mark.y)) in drawn
    assert all(math.isfinite(value) for _, x, y in drawn for value in (*x, *y))


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_what_is_no_number_stays_blank(value: float) -> None:
    line = Line(series="l", role="compute", x=(2012.0, 2020.0), y=(1.0, value))
    file = single(growth_chart(marks=(line,)))
    assert cached(series_of(file)["l"], "yVal") == [1.0]
    data = workbook_of(file)["Data"]
    assert [data.get(f"{letter}{row}") for row in (3, 4) for letter in "AB"] == [2012, 1, 2020, None]


def test_the_words_of_a_bar_left_of_the_base_stand_right_of_it_clear_of_the_names() -> None:
    axis = Axis(title="Change", low=-2.0, high=2.0, ticks=ticks((-2.0, "-2"), (2.0, "2")))
    bars = (Bar(label="Falls", value=-1.0, low=-1.5, high=-0.5, text="-1", role="context"),)
    chart = BarChart(title="t", subtitle="", alt="a", source="s", x=axis, base=0.0, bars=bars)
    _, ends = series_of(single(chart)).values()
    (end,) = cached(ends, "val")
    assert 0 < end < 1e-5  # at the base itself PowerPoint sets them to the left


@pytest.mark.parametrize(
    ("low", "high", "labels", "form", "least"),
    [
        (1.15, 1.7, ((1.2, "1.2×"), (1.4, "1.4×"), (1.6, "1.6×")), '0.0"×"', 1.0),
        (5.0, 16.0, ((5.0, "5.0×"), (10.0, "10×"), (15.0, "15×")), 'General"×"', 0.0),
        (0.0, 2000.0, tuple((float(v), f"{v:,}") for v in range(0, 2001, 500)), "#,##0", 0.0),
    ],
)
def test_a_value_axis_of_bars_begins_at_a_tick_at_or_below_everything_and_writes_its_labels(
    *, low: float, high: float, labels: Any, form: str, least: float
) -> None:
    axis = Axis(title="Growth", low=low, high=high, ticks=ticks(*labels))
    values = value_axis(replace(ranking(), x=axis))
    assert float(values.find("{*}scaling/{*}min").get("val")) == pytest.approx(least)
    assert values.find("{*}numFmt").get("formatCode") == form
    assert values.find("{*}tickLblPos").get("val") == "nextTo"
    if "General" in form:  # lines keep to the letter what bars may round
        assert "Ticks: Growth" in series_of(single(growth_chart(y=axis)))


@pytest.mark.parametrize(("labels", "added"), cases(__file__)["added"])
def test_ticks_added_below_say_their_own_values(labels: tuple[tuple[float, str], ...], added: list[str]):
    axis = Axis(title="Growth", low=labels[0][0], high=labels[-1][0], ticks=ticks(*labels))
    lowest = axis.low - len(added) * (labels[1][0] - labels[0][0])
    extended = from_a_tick(axis, lowest=lowest if added else 0.0)
    assert extended.low == pytest.approx(lowest)
    assert [tick.label for tick in extended.ticks] == [*added, *(label for _, label in labels)]


def test_ticks_crowded_at_one_end_of_a_log_axis_keep_apart() -> None:
    values = (500.0, 1_000.0, 2_000.0, 5_000.0, 10_000.0, 20_000.0)
    low, high = 400, 25_000
    marks = ticks(*((v, f"${v:,.0f}") for v in values))
    axis = Axis(title="Cost", scale="log", low=low, high=high, ticks=marks)
    kept = spaced_ticks(axis, room=250)
    assert 2 <= len(kept) < len(values)
    at = [250 * math.log(tick.value / low) / math.log(high / low) for tick in kept]
    widths = [room(tick.label, size=12) for tick in kept]
    for k in range(len(kept) - 1):
        assert at[k + 1] - at[k] >= (widths[k] + widths[k + 1]) / 2
    assert tuple(spaced_ticks(axis, room=2_000)) == axis.ticks
