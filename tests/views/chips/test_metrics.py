import numpy as np
import pytest

from data.releases import latest, load
from views.chips import rows as chip_rows
from views.chips.choice import AcceleratorSettings
from views.chips.metrics import METRICS
from views.settings import definitions


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


def test_every_choice_of_quantity_has_a_unit_and_a_meaning():
    options = definitions(AcceleratorSettings)["metric"]
    for name, metric in METRICS.items():
        assert metric.unit and metric.noun and metric.meaning in getattr(options, "options", {})[name]
