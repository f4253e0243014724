"""The time of exchanging a gigabyte: known answers, and no growth with the square."""

import pytest

from analysis.training_run.layer_time import SUSTAINED
from data.releases import latest, load
from tests.views.training_run.answers import columns, lines
from views.training_run.exchange import exchange_exhibit
from views.training_run.inputs import inputs_of
from views.training_run.settings import TrainingRunSettings


@pytest.fixture(scope="module")
def exhibit():
    return exchange_exhibit(inputs_of(TrainingRunSettings(), load(latest())), source="")


def test_a_ring_of_eight_sends_seven_quarters_over_the_chip_link(exhibit):
    """2 (n - 1) / n of the message at 75 % of 450 GB/s, and a latency for each of 2 (n - 1) hops."""
    cells = columns(exhibit)
    eight = cells["accelerators"].index(8)
    expected = 7 / 4 * 1e9 / (0.75 * 450e9) + 14 * SUSTAINED.latency_s
    assert cells["ring_all_reduce_s"][eight] == pytest.approx(expected, rel=1e-9)


def test_everyone_to_everyone_grows_with_the_number_and_a_tree_hardly(exhibit):
    cells = columns(exhibit)
    tree, everyone = cells["tree_all_reduce_s"], cells["everyone_sends_all_to_everyone_s"]
    beyond = cells["accelerators"].index(1024)
    assert everyone[-1] / everyone[beyond] == pytest.approx((131072 - 1) / (1024 - 1))
    assert tree[-1] / tree[beyond] < 1.05
    assert "From 32 to 131,072 accelerators a tree all-reduce takes 1.0" in exhibit.chart.title


def test_a_ring_pays_a_latency_for_every_hop_so_a_tree_overtakes_it(exhibit):
    cells = columns(exhibit)
    faster = [
        tree < ring for tree, ring in zip(cells["tree_all_reduce_s"], cells["ring_all_reduce_s"], strict=True)
    ]
    assert faster == sorted(faster) and not faster[0] and faster[-1]


def test_every_line_is_a_column_and_leaving_the_domain_slows_all_of_them(exhibit):
    cells = columns(exhibit)
    series = {
        f"{name.lower().replace('-', '_').replace(' ', '_')}_s": line.y
        for name, line in lines(exhibit).items()
    }
    assert {name: cells[name] for name in cells if name != "accelerators"} == series
    for times in series.values():
        assert times[3] > times[2]
