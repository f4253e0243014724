from dataclasses import replace
from pathlib import Path

import pytest

from data import standing
from data.releases import latest, load, names
from views import models as decoder_models
from views.chips.linked import OFFERED
from views.latency_floor import published as latency_published
from views.latency_floor.published import kind_of, published_exhibit, reach, reach_by_kind, speeds
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


def test_the_floors_of_wafers_and_of_groq_are_those_of_hops():
    """Llama 3.1 70B and 405B on wafers at 16 bits, Llama 2 70B on Groq chips one after another."""
    by_id = {(speed.model, speed.chip, speed.published): speed for speed in speeds(RELEASE)}
    assert by_id["Llama 3.1 70B", "WSE-3", 450].at_best == pytest.approx(4500, rel=0.02)
    assert by_id["Llama 3.1 405B", "WSE-3", 969].at_best == pytest.approx(1467, rel=0.04)
    assert by_id["Llama 2 70B", "GroqChip LPU v1", 300].today == pytest.approx(931, rel=0.03)


def test_how_near_speeds_come_is_told_by_kind():
    words = reach_by_kind(speeds(RELEASE))
    assert [part.split(" ")[0] for part in words.replace(" and ", ", ").split(", ")] == [
        "GPUs",
        "wafers",
        "Groq",
    ]
    exhibit = published_exhibit(RELEASE, source="")
    assert exhibit is not None and f": {words}. Speeds with drafts" in (exhibit.chart.subtitle or "")
    assert [kind_of(chip) for chip in ("TPU v7", "DDR5 server", "WSE-2")] == ["TPUs", "servers", "wafers"]


def test_speeds_of_waferllm_are_those_of_its_abstract():
    ours = ROWS.loc[ROWS["source_id"] == "waferllm"].set_index("model")["output_tokens_per_s"]
    assert ours.to_dict() == {"Llama 3 8B": 2700, "Qwen2 72B": 840}


def test_no_speed_without_drafts_is_above_what_latencies_of_today_allow():
    beyond = [speed for speed in speeds(RELEASE) if speed.share_of_today > 1]
    assert all(speed.may_exceed for speed in beyond)


def test_the_readme_says_how_near_published_speeds_come():
    held = [speed for speed in speeds(RELEASE) if not speed.may_exceed]
    words = " ".join((Path(__file__).parents[3] / "README.md").read_text("utf-8").split())
    low, high = (round(100 * share) for share in (min(s.share for s in held), max(s.share for s in held)))
    today = sorted(speed.share_of_today for speed in held)
    wafers = sorted(speed.share for speed in held if kind_of(speed.chip) == "wafers")
    assert f"Of {len(held)} published speeds of one request none lies beyond its latency floor" in words
    assert (
        f"they reach {low} to {high} % of it (wafers {100 * wafers[0]:.0f} to {100 * wafers[-1]:.0f} %)"
        in words
    )
    assert (
        f"{100 * today[0]:.0f} to {100 * today[-1]:.0f} % of what launches, exchanges and hops of today"
        in words
    )
