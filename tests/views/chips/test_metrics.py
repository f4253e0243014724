import numpy as np
import pytest

from data.releases import latest, load
from views.chips import rows as chip_rows
from views.chips.choice import AcceleratorSettings
from views.chips.metrics import METRICS, fp16_engine


@pytest.mark.parametrize("metric", METRICS)
def test_every_quantity_is_positive_wherever_it_is_known(metric):
    chips = chip_rows.candidates(load(latest()), AcceleratorSettings(metric=metric))
    assert len(chips) >= 5
    assert np.all(chips["value"] > 0)


def test_throughput_is_in_a_sane_range_for_a_chip_everyone_knows():
    chips = load(latest()).accelerators
    h100 = chips.loc[chips["product"] == "H100 SXM"].iloc[:1]
    assert METRICS["fp16"].of(h100).iloc[0] == pytest.approx(989e12, rel=0.01)
    assert METRICS["memory-bandwidth"].of(h100).iloc[0] == pytest.approx(3.35e12, rel=0.01)
    assert METRICS["flop-per-watt"].of(h100).iloc[0] == pytest.approx(989e12 / 700, rel=0.01)


def test_vector_and_matrix_units_are_told_apart_for_every_chip_with_a_16_bit_peak():
    chips = load(latest()).accelerators
    any_units, matrix = METRICS["fp16"].of(chips), METRICS["fp16-matrix"].of(chips)
    engine = fp16_engine(chips)
    assert set(engine[any_units.notna()]) == {"matrix", "vector"}
    assert set(engine.loc[matrix.dropna().index]) == {"matrix"}
    both = matrix.dropna()
    np.testing.assert_allclose(any_units.loc[both.index], both)
    by_name = dict(zip(chips["name"], engine, strict=True))
    assert by_name["NVIDIA Tesla P100 SXM2"] == by_name["AMD Radeon Instinct MI60"] == "vector"
    assert by_name["NVIDIA Titan V"] == by_name["NVIDIA A100 SXM4 40 GB"] == "matrix"
