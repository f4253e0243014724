import math
from dataclasses import replace

import pytest

from analysis.hardware.chip import CoreMesh
from analysis.latency_floor.enough_chips import Placed
from analysis.latency_floor.floor import Request
from analysis.latency_floor.published import ordered, published_speed
from analysis.latency_floor.today import Today
from tests.analysis.small_models import CHIP, DENSE

PLACED = Placed(name="H100", chip=CHIP, model=DENSE, request=Request(context_tokens=8192))
ROW = {"model": "dense", "n_chips": 8.0, "weights": "BF16", "context_tokens": 8192, "drafts": "not said"}
ROW |= {"output_tokens_per_s": 20.0, "note": "", "source_id": "paper"}


def test_a_published_speed_stands_on_the_chips_stated_or_on_as_many_as_are_enough():
    stated = published_speed(ROW, PLACED)
    assert (stated.tensor, stated.chips_stated) == (8, True)
    assert stated.at_best == pytest.approx(1 / float(PLACED.floor(tensor=8, stages=1).total_s))
    assert stated.share == pytest.approx(20 / stated.at_best)
    enough = published_speed({**ROW, "n_chips": math.nan}, PLACED)
    assert (enough.tensor, enough.chips_stated) == (PLACED.best, False)


def test_wafers_are_taken_to_hold_whole_layers_and_today_is_told_where_it_is_known():
    mesh = CoreMesh(cores=900_000, hop_s=1e-9, reductions_per_layer=8)
    wafers = replace(PLACED, chip=replace(CHIP, mesh=mesh))
    assert published_speed({**ROW, "n_chips": math.nan}, wafers).tensor == 1
    unknown = published_speed(ROW, PLACED)
    assert math.isnan(unknown.today) and math.isnan(unknown.share_of_today)
    known = published_speed(ROW, replace(PLACED, today=Today(launch_s=1e-6, launches_per_layer=6)))
    assert known.share < known.share_of_today == pytest.approx(20 / known.today)


def test_speeds_with_drafts_come_last():
    slow, fast = (published_speed({**ROW, "output_tokens_per_s": rate}, PLACED) for rate in (5.0, 20.0))
    drafted = published_speed({**ROW, "drafts": "used", "output_tokens_per_s": 2000.0}, PLACED)
    assert ordered([drafted, slow, fast]) == (fast, slow, drafted)
