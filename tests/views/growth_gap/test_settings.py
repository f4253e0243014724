"""The two histories that a gap asks for: the same window, interval and release on both sides."""

import pytest

from views.growth_gap.settings import PICKED, GapSettings, GrowthGapSettings, comparison


@pytest.mark.parametrize("chips", PICKED)
def test_both_sides_share_window_level_reach_and_release(chips):
    settings = GrowthGapSettings(
        since=2016,
        domain="language",
        chips=chips,
        level="80",
        to=2033,
        release="2025-11",
        top=3,
        precision="fp8",
    )
    compared = comparison(settings)
    for side in (compared.runs, compared.chips):
        assert (side.since, side.level, side.to, side.release) == ("2016", "80", 2033, "2025-11")
    assert (compared.runs.domain, compared.runs.top) == ("language", 3)
    assert {name: getattr(compared.chips, name) for name in PICKED[chips]} == PICKED[chips]
    assert (compared.precision, compared.since) == ("fp8", 2016.0)


def test_the_start_page_compares_the_top_ten_at_sixteen_bits():
    compared = comparison(GapSettings(since=2015))
    assert (compared.runs.top, compared.precision, compared.since) == (10, "fp16-matrix", 2015.0)
    assert compared == comparison(GrowthGapSettings(since=2015))
