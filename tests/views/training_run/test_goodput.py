"""The share of time that counts: Llama 3's failures, and what more accelerators lose."""

from itertools import pairwise

import pytest

from data.releases import latest, load
from tests.views.training_run.answers import ask, columns, value
from views.training_run.goodput import goodput_exhibit
from views.training_run.inputs import inputs_of
from views.training_run.settings import TrainingRunSettings


def exhibit(*, used=16384, **settings):
    return goodput_exhibit(inputs_of(TrainingRunSettings(**settings), load(latest())), used=used, source="")


def test_llama_3_failed_every_three_hours():
    """Llama Team, arXiv:2407.21783, section 3.3.4: 419 unexpected interruptions in 54 days on 16,384 H100."""
    cells = columns(exhibit())
    between = cells["hours_between_failures"][cells["accelerators"].index(16384)]
    assert between == pytest.approx(54 * 24 / 419, rel=1e-3)
    assert exhibit().chart.title.startswith("On 16,384 accelerators a failure comes every 3.1 hours; 93 %")


def test_twice_the_accelerators_fail_twice_as_often_and_lose_more():
    cells = columns(exhibit())
    between = cells["hours_between_failures"]
    assert all(a == pytest.approx(2 * b) for a, b in pairwise(between))
    for name in ("goodput", "goodput_in_background"):
        assert list(cells[name]) == sorted(cells[name], reverse=True)
        assert all(0 < share < 1 for share in cells[name])
    assert all(
        behind > stop for stop, behind in zip(cells["goodput"], cells["goodput_in_background"], strict=True)
    )


def test_the_interval_is_youngs_square_root():
    """Young 1974: the square root of twice a checkpoint's time and the time between failures."""
    cells = columns(exhibit())
    checkpoint_s = 405.9e9 * 14 / 2e12
    for hours, interval in zip(cells["hours_between_failures"], cells["checkpoint_every_s"], strict=True):
        assert interval == pytest.approx((2 * checkpoint_s * hours * 3600) ** 0.5, rel=0.01)


def test_the_title_tells_the_share_of_the_run_itself():
    assert value(ask(), "goodput") == pytest.approx(columns(exhibit())["goodput"][6], rel=1e-9)
    own = exhibit(saving="background").chart.title
    assert own.endswith("; 94 % of the time is useful work")
