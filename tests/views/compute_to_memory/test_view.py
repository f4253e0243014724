import pytest

from charts.chart import Points
from tests.views.compute_to_memory.answers import RELEASE, ask, marks
from views.compute_to_memory.balance import throughput
from views.compute_to_memory.settings import PRECISIONS, RATIOS
from views.compute_to_memory.view import VIEW


def test_at_16_bits_the_balance_is_roughly_flat_and_widens_by_smaller_formats():
    result = ask()
    assert result.headline.startswith("16-bit FLOP per byte: no clear trend (")
    here, lowest = result.figure("yearly_growth"), result.figure("yearly_growth_lowest")
    assert (here.low or 0) < 1 < (here.high or 0) < 1.3
    assert (lowest.value or 0) > (here.value or 0) and (lowest.low or 0) > 1
    assert "counting ever smaller numbers" in result.changes[1]
    assert lowest.value == ask(precision="lowest").figure("yearly_growth").value
    assert here.value == pytest.approx(ask(precision="lowest").figure("yearly_growth_fp16").value)


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("precision", [*PRECISIONS, "lowest"])
def test_every_ratio_at_every_precision_has_a_headline_and_figures_of_their_own_names(ratio, precision):
    result = ask(ratio=ratio, precision=precision)
    found = [figure.name for figure in result.figures]
    assert len(set(found)) == len(found)
    words = RATIOS[ratio].brief
    if "yearly_growth" in found:
        assert (words.replace("FLOP", "OP") if precision == "int8" else words) in result.headline
        assert RATIOS[ratio].column in [column.name for column in result.table.columns]
    else:
        assert result.headline.endswith("no trend can be fitted")
    assert "nan" not in result.headline
    assert len(set(result.notes)) == len(result.notes)


def test_announced_chips_are_drawn_hollow_and_not_fitted():
    result = ask()
    hollow = [mark for mark in marks(result, 0) if isinstance(mark, Points) and mark.hollow]
    assert len(hollow) == 1
    fitted = {row[0] for row in result.table.rows}
    assert hollow[0].names and fitted.isdisjoint(hollow[0].names)
    assert "Hollow: announced, not fitted." in result.exhibits[0].chart.subtitle


def test_too_few_chips_are_said_and_shown():
    result = ask(precision="fp4", ratio="network-link")
    assert result.headline.startswith("These choices leave")
    assert result.figure("n_points").value == len(result.table.rows)


def test_the_ratio_is_fitted_to_throughput_over_bandwidth_row_by_row():
    result = ask(rule="all", vendor="nvidia")
    columns = [column.name for column in result.table.columns]
    parts = RELEASE.accelerators.set_index("name")
    for row in result.table.rows:
        line = dict(zip(columns, row, strict=True))
        chip = parts.loc[line[columns[0]]].to_frame().T.infer_objects()
        expected = throughput(chip, "fp16").iloc[0] / chip["memory_bandwidth_byte_per_s"].iloc[0]
        assert line["machine_balance"] == pytest.approx(expected)


def test_the_method_tells_what_is_computed():
    told = " ".join(VIEW.method)
    assert "an Adam step of 14 operations over 28 bytes" in told
    assert "block of 128" not in told
    assert VIEW.path == "/compute-to-memory"


def test_vector_units_are_counted_on_request_and_stand_beside_the_rate():
    """Balance since 2020: 1.03x a year on matrix units; the one vector part, Shensuan-1, makes it 1.08x."""
    result, both = ask(release="2026-07"), ask(release="2026-07", precision="fp16")
    assert result.figure("yearly_growth").text == "1.03× a year"
    assert (
        both.figure("yearly_growth").text == result.figure("yearly_growth_any_units").text == "1.08× a year"
    )
    assert both.figure("yearly_growth_matrix_units").value == result.figure("yearly_growth").value
    assert result.changes[0].startswith(
        "With 1 chip whose 16 bits run on vector units alone, the rate is 1.08×"
    )
    extra = {row[0] for row in both.table.rows} - {row[0] for row in result.table.rows}
    assert extra == {"Shensuan-1"}
    engine = [column.name for column in both.table.columns].index("fp16_engine")
    assert {row[engine] for row in both.table.rows} == {"matrix", "vector"}
    assert {row[engine] for row in result.table.rows} == {"matrix"}
