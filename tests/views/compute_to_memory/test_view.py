"""The view asked for its defaults or others, and what of its answer the tests read."""

import pytest

from analysis.compute_to_memory import LOWEST
from analysis.hardware.workloads import BYTE_OF
from charts.chart import Line, XYChart
from data.releases import latest, load, names
from tests.views.reading import rows as rows_of
from views import written
from views.compute_to_memory.balance import operand_byte, throughput
from views.compute_to_memory.settings import CHIPS, PRECISIONS, ComputeToMemorySettings
from views.compute_to_memory.view import VIEW
from views.view import answer

TABLES = written.toml(__file__, name="datasheets.toml")

RELEASE = load(latest())


def test_at_16_bits_the_balance_is_nearly_flat_and_widens_by_smaller_formats():
    result = ask()
    assert result.headline == "16-bit FLOP per byte grows 1.08× a year"
    here, lowest = result.figure("yearly_growth"), result.figure("yearly_growth_lowest")
    assert 1 < (here.low or 0) < (here.high or 0) < 1.3
    assert (lowest.value or 0) > (here.value or 0) and (lowest.low or 0) > 1
    assert any("smaller and smaller number formats" in text for text in result.changes)
    assert lowest.value == ask(precision="lowest").figure("yearly_growth").value
    assert here.value == pytest.approx(ask(precision="lowest").figure("yearly_growth_fp16").value)


def test_vector_units_are_counted_on_request_and_stand_beside_the_rate():
    """Balance since 2020: 1.03x a year on matrix units; the one vector part, Shensuan-1, makes it 1.08x."""
    since = {"release": "2026-07", "rule": "flagships", "since": "2020"}
    result, both = ask(**since), ask(**since, precision="fp16")
    assert result.figure("yearly_growth").text == "1.03× a year"
    assert result.figure("yearly_growth_any_units").text == "1.08× a year"
    assert both.figure("yearly_growth").text == "1.08× a year"
    assert both.figure("yearly_growth_matrix_units").value == result.figure("yearly_growth").value
    strip = {row[0]: row[1] for row in result.exhibits[-1].table.rows}
    assert strip["Growth including vector units"] == both.figure("yearly_growth").value
    extra = {row[0] for row in both.table.rows} - {row[0] for row in result.table.rows}
    assert extra == {"Shensuan-1"}
    engine = [column.name for column in both.table.columns].index("fp16_engine")
    assert {row[engine] for row in both.table.rows} == {"matrix", "vector"}
    assert {row[engine] for row in result.table.rows} == {"matrix"}


@pytest.mark.parametrize("release", names())
def test_every_chip_of_the_roofline_is_one_row_of_the_data(release):
    parts = load(release).accelerators
    for product in CHIPS.values():
        rows = parts.loc[(parts["product"] == product) & parts["representative"]]
        assert len(rows) == 1, product


@pytest.mark.parametrize(("product", "precision", "tflop_per_s", "tb_per_s"), TABLES["balances"])
def test_the_balance_of_a_chip_is_that_of_its_datasheet_within_a_per_cent(
    product, *, precision, tflop_per_s, tb_per_s
):
    row = part(product)
    balance = throughput(row, precision) / row["memory_bandwidth_byte_per_s"]
    assert balance.iloc[0] == pytest.approx(tflop_per_s / tb_per_s, rel=0.01)


def test_the_lowest_format_of_a_chip_is_the_smallest_it_computes_in():
    chips = RELEASE.accelerators
    size = operand_byte(chips, "lowest")
    assert size.loc[part("V100").index[0]] == 2
    assert size.loc[part("H100 SXM").index[0]] == 1
    assert size.loc[part("B200").index[0]] == 0.5
    assert throughput(part("B200"), "lowest").iloc[0] == throughput(part("B200"), "fp4").iloc[0]
    assert set(operand_byte(chips, "fp8")) == {1.0}
    assert set(LOWEST) | {"tf32"} == set(PRECISIONS) - {"fp16-matrix"} == set(BYTE_OF)
    assert set(operand_byte(chips, "fp16-matrix")) == {2.0}


def test_the_roofline_says_which_work_is_bound_by_memory():
    roofline = ask().exhibits[1]
    rows = {row["work"]: row for row in rows_of(roofline)}
    assert len(rows) == 9
    ridge = 989.4 / 3.35
    for row in rows.values():
        intensity = number(row["arithmetic_intensity"])
        bound = intensity < ridge
        assert row["bound_by"] == ("memory" if bound else "compute")
        assert row["share_of_peak"] == pytest.approx(min(intensity / ridge, 1))
    assert rows["Decode, one request"]["bound_by"] == "memory"
    assert rows["Decode, one request"]["arithmetic_intensity"] == pytest.approx(1, rel=0.001)
    assert rows["Decode, reading the KV cache"]["arithmetic_intensity"] == 8
    assert rows["Prefill, 2,048 tokens"]["bound_by"] == "compute"
    assert "6 of 9 kinds of work are memory-bound" in roofline.chart.title
    assert "Below 295 FLOP/byte, memory is the limit" in roofline.chart.subtitle


def test_the_later_roof_stands_at_the_balance_that_the_batch_is_worked_out_from():
    for settings in ({}, {"precision": "lowest"}, {"estimator": "theil-sen", "interval": "classical"}):
        result = ask(**settings)
        lines = [mark for mark in marks(result, 1) if isinstance(mark, Line) and mark.end_label]
        later = next(line for line in lines if line.dash == "dotted")
        assert later.x[1] == pytest.approx(result.exhibits[2].table.rows[-1][1])


def test_a_year_before_the_chip_is_not_projected_to():
    result = ask(to=2015)
    assert [row[0] for row in result.exhibits[2].table.rows] == [2023, 2024]
    assert " in 2024" in result.exhibits[2].chart.title
    assert all(getattr(mark, "dash", "solid") == "solid" for mark in marks(result, 1))


def test_a_chip_without_the_format_has_no_roofline_and_the_note_says_why():
    result = ask(chip="v100", precision="fp8")
    assert [one.section for one in result.exhibits[1:]] == ["sure"]
    assert f"because release {latest()} has no FP8 throughput for the V100." in " ".join(result.notes)


def test_the_batch_starts_from_the_chip_and_grows_unsure_along_the_trend():
    result = ask(level="95")
    rows = result.exhibits[2].table.rows
    growth = result.figure("yearly_growth").value or 0
    assert rows[-1][1] == pytest.approx(number(rows[0][1]) * growth**7)
    assert all(number(row[3]) < number(row[2]) < number(row[4]) for row in rows[1:])
    assert "310 concurrent tokens to be compute-bound; a successor" in result.exhibits[2].chart.title


def test_in_the_lowest_format_the_batch_does_not_grow_by_the_shrinking_of_numbers():
    lowest, sixteen = (ask(precision=precision) for precision in ("lowest", "fp16"))
    grown = [float(result.exhibits[2].table.rows[-1][2] or 0) for result in (lowest, sixteen)]
    assert 1 / 2 < grown[0] / grown[1] < 2  # counting bytes, FP4 would take four times as many
    shown = lowest.figure("yearly_growth").value or 0
    rows = lowest.exhibits[2].table.rows
    assert number(rows[-1][1]) / number(rows[0][1]) < 0.6 * shown**7


def test_a_batch_that_no_chip_could_fill_is_said_to_be_more_than_any():
    shown = ask(since="2012", to=2050, precision="fp16")
    assert shown.exhibits[2].chart.title.endswith(" on the trend in 2050 always stays memory-bound")
    assert shown.exhibits[2].table.rows[-1][2] is None


def ask(**settings):
    return answer(VIEW, ComputeToMemorySettings(**settings))


def marks(result, number):
    chart = result.exhibits[number].chart
    assert isinstance(chart, XYChart)
    return chart.marks


def number(cell: object) -> float:
    assert isinstance(cell, int | float)
    return float(cell)


def part(product):
    parts = RELEASE.accelerators
    row = parts.loc[(parts["product"] == product) & parts["representative"]]
    assert len(row) == 1
    return row
