from dataclasses import replace

import pytest

from data import standing
from data.releases import latest, load, names
from views import models as decoder_models
from views.chips.linked import OFFERED
from views.latency_floor import published as latency_published
from views.latency_floor.published import published_exhibit, reach, speeds
from views.latency_floor.view import VIEW
from views.view import answer, read

ROWS = standing.table("published_speeds")
RELEASE = load(latest())


def test_every_published_speed_is_of_a_model_and_a_chip_that_can_be_chosen():
    assert set(ROWS["chip"]) <= set(OFFERED)
    assert set(ROWS["architecture"]) <= set(decoder_models.names().values())
    assert len(speeds(RELEASE)) == len(ROWS) >= 15


@pytest.mark.parametrize("release", names())
def test_no_published_speed_without_drafts_lies_beyond_the_floor(release):
    for speed in speeds(load(release)):
        assert speed.may_exceed or 0 < speed.share <= 1, speed


def test_the_page_shows_published_speeds_and_says_how_near_they_come():
    result = answer(VIEW, read(VIEW, "")[0])
    titles = [exhibit.chart.title for exhibit in result.exhibits]
    held = [speed for speed in speeds(RELEASE) if not speed.may_exceed]
    assert f"None of {len(held)} published speeds without known drafts lies beyond the floor" in titles[1]
    for words in (result.subtitle, result.sure[0]):
        assert words.endswith("% of such floors.") and "on the H100 SXM reach" in words
    assert result.exhibits[1].section == "sure"
    other = answer(VIEW, read(VIEW, "chip=tpu-v5p")[0])
    assert "We know of no published speed on the TPU v5p" in other.subtitle


def test_a_published_speed_beyond_the_floor_would_be_told(monkeypatch):
    every = speeds(RELEASE)
    faster = (replace(every[0], published=every[0].at_best * 2), *every[1:])
    monkeypatch.setattr(latency_published, "speeds", lambda release: faster)
    exhibit = published_exhibit(RELEASE, source="")
    assert exhibit is not None and exhibit.chart.title.startswith("1 of ")
    assert exhibit.chart.title.endswith("lie beyond our floor")


def test_reach_is_a_range_of_shares_without_those_that_had_drafts():
    every = speeds(RELEASE)
    assert reach(every).endswith(" %") and "–" in reach(every)
    assert reach([speed for speed in every if speed.may_exceed]) == ""
    assert reach(every[:1]).count("%") == 1 and "–" not in reach(every[:1])
    none = published_exhibit(replace(RELEASE, accelerators=RELEASE.accelerators.iloc[:0]), source="")
    assert none is None
