import pytest

from charts.chart import Line
from data.releases import latest
from tests.views.compute_to_memory.answers import ask, marks, number


def test_the_roofline_says_which_work_is_bound_by_memory():
    roofline = ask().exhibits[1]
    columns = [column.name for column in roofline.table.columns]
    rows = {row[0]: dict(zip(columns, row, strict=True)) for row in roofline.table.rows}
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
    assert "below 295 FLOP/byte memory is the limit" in roofline.chart.subtitle


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
    assert len(result.exhibits) == 1
    assert (
        f"No roofline is drawn, because release {latest()} has no FP8 throughput for the V100."
        in result.notes
    )


def test_only_the_ratio_to_bandwidth_has_a_roofline():
    assert len(ask().exhibits) == 3
    assert len(ask(ratio="capacity").exhibits) == 1
