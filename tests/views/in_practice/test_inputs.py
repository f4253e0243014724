"""What counts as the same work: rows of the tables, figures reproduced, and what is left out."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.in_practice.pairs import summaries
from data.releases import load
from data.serving import serving_points
from views.in_practice.inputs import measurements, pairs
from views.in_practice.settings import WORKS, InPracticeSettings

RELEASE = load("2026-07")


def summary(**settings):
    """Return the summary of the pair with most works under settings."""
    return summaries(pairs(InPracticeSettings(**settings), RELEASE))[0]


@pytest.mark.parametrize("work", WORKS)
@pytest.mark.parametrize("match", ["exact", "own"])
def test_every_kind_of_work_has_pairs_of_two_chips_each(work, match):
    found = pairs(InPracticeSettings(work=work, match=match), RELEASE)
    assert len(found) > 40
    assert all(one != other for one, other in zip(found.first, found.second, strict=True))
    assert np.all(found.bandwidth_ratio >= 1)


def test_h200_to_b200_is_as_found_by_hand():
    """By hand on the whole source: 1.60x bandwidth, 2.27x FLOP/s, 1.41x time per token, 1.54x first token.

    Ours with each chip's own version: 1.43x (within 3 %) and 1.76x. The source is in our table in part, and a first
    token depends on how requests queue.
    """
    token = summary(work="token", match="own", chips="H200, B200")
    assert (token.first, token.second, token.n) == ("H200", "B200", 21)
    assert (token.bandwidth_ratio, token.flop_ratio) == (
        pytest.approx(1.60, abs=0.01),
        pytest.approx(2.27, abs=0.01),
    )
    assert token.speed_up == pytest.approx(1.41, rel=0.03)
    first = summary(work="first", match="own", chips="H200, B200")
    assert first.low < 1.54 < first.high


def test_h100_to_h200_gains_less_than_its_bandwidth_at_full_load():
    """By hand, time per token under load: 1.15x (1.04-1.21) for 1.43x bandwidth, 1.00x FLOP/s, n = 90.

    Our points of H100 and H200 have no work in common; tokens at full load do, and lie in the same range.
    """
    found = summary(work="full", precision="8", chips="H100 SXM, H200")
    assert (found.first, found.second) == ("H100 SXM", "H200")
    assert (found.bandwidth_ratio, found.flop_ratio) == (
        pytest.approx(1.43, abs=0.01),
        pytest.approx(1.0, abs=0.01),
    )
    assert 1.04 < found.speed_up < 1.21
    assert len(pairs(InPracticeSettings(work="token", chips="H100 SXM, H200"), RELEASE)) == 0


def test_b300_at_four_bits_has_more_flop_and_no_more_bandwidth_than_b200():
    found = summary(work="token", precision="4", chips="B200, B300")
    assert found.bandwidth_ratio == pytest.approx(1.0)
    assert found.flop_ratio == pytest.approx(14 / 9)
    assert found.speed_up == pytest.approx(1.01, abs=0.01)


def test_a_work_has_one_row_a_chip_and_the_same_split_and_version_where_asked():
    points = serving_points().set_index("point_id")
    found = pairs(InPracticeSettings(work="token", chips="H200, B200"), RELEASE)
    assert len(set(found.work)) == len(found.work)
    versions = set(points["software_version"].dropna())
    assert all(any(version and version in work for version in versions) for work in found.work)


def test_points_that_may_draft_tokens_are_no_points_of_the_same_work():
    found = pairs(InPracticeSettings(work="token", match="own"), RELEASE)
    assert not any("unknown" in work.split("|") or "likely" in work.split("|") for work in found.work)


def test_loads_part_the_works():
    counts = [
        len(pairs(InPracticeSettings(work="token", load=load_), RELEASE))
        for load_ in ("light", "middle", "heavy")
    ]
    assert min(counts) > 0
    assert sum(counts) == len(pairs(InPracticeSettings(work="token"), RELEASE))


def test_precisions_part_the_works():
    counts = [len(pairs(InPracticeSettings(precision=bits), RELEASE)) for bits in ("16", "8", "4")]
    assert sum(counts) == len(pairs(InPracticeSettings(), RELEASE))


def test_one_name_gives_its_pairs_with_any_and_two_give_theirs():
    one = pairs(InPracticeSettings(work="training", chips="b200"), RELEASE)
    assert all("B200" in both for both in zip(one.first, one.second, strict=True))
    two = pairs(InPracticeSettings(work="training", chips="GB200, GB300"), RELEASE)
    assert set(zip(two.first, two.second, strict=True)) == {("GB200", "GB300")}
    assert len(pairs(InPracticeSettings(chips="no such chip"), RELEASE)) == 0


def test_the_peak_of_shaders_stands_for_no_chip_with_matrix_units():
    chips = set(measurements(InPracticeSettings(), RELEASE).chip)
    assert "Apple M1" in chips
    assert not chips & {"DGX Spark (GB10)", "RTX A6000", "Apple M5 Max (40-core GPU)"}


def test_training_counts_tokens_by_the_step_where_no_rate_is_given():
    found = pairs(InPracticeSettings(work="training", chips="MI350X, MI355X"), RELEASE)
    assert found.speed_up == pytest.approx([1.28102 / 1.04235], rel=1e-6)


def test_a_release_without_a_chip_leaves_its_pairs_out():
    fewer = RELEASE.accelerators.loc[RELEASE.accelerators["product"] != "B300"]
    found = pairs(InPracticeSettings(work="token"), replace(RELEASE, accelerators=fewer))
    assert "B300" not in found.chips
    assert len(found) > 0


def test_h100_to_gb200_in_training_lies_about_the_ratio_of_either():
    """By hand, MLPerf, Llama 3.1 405B on 512 chips at 8 bits: 2.20x for 2.39x bandwidth and 2.53x FLOP/s.

    Our table has neither of those two runs; three pairs of Megatron Bridge, each with its own plan, have 2.3 to 3.1.
    """
    found = summary(work="training", match="own", chips="H100 SXM, GB200", precision="8")
    assert (found.bandwidth_ratio, found.flop_ratio) == (
        pytest.approx(2.39, abs=0.01),
        pytest.approx(2.53, abs=0.01),
    )
    assert found.n == 3
    assert 2.2 < found.speed_up < 3.0
