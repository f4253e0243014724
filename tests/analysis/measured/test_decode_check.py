"""What the placement model promises on devices it has not seen, on the rows of data/standing/measured_decode.csv.

In the check: one user, one device, every weight read, bandwidth known, context of the source's short runs (in_check).
The settings of the fit were chosen on these same errors: on chips that neither fit nor choice has seen, expect 10 %
overall and 7.6 % on laptop and desktop GPUs (see the note beside the settings in analysis/measured/decode.py).
"""

import numpy as np
import pytest

from analysis.measured.decode import group, left_out_row_residuals
from analysis.measured.held_out import error_percent
from analysis.placement.tables import models

CHECKED, ROWS = models().decode, models().decode_rows
ERROR = np.abs(error_percent(CHECKED.residual))
ALONE = left_out_row_residuals(CHECKED.model, CHECKED.cases, decode_tokens_per_s=CHECKED.decode_tokens_per_s)
MEASURED = CHECKED.scatter.devices
IN_CHECK = ROWS["in_check"].to_numpy(dtype=bool)
CLASS = np.array([group(*pair) for pair in zip(ROWS["device_class"], ROWS["backend"], strict=True)])


def test_the_check_holds_two_hundred_dense_rows_on_forty_chips():
    assert IN_CHECK.sum() >= 200
    assert len({name for name, keep in zip(CHECKED.cases.device, IN_CHECK, strict=True) if keep}) >= 40


def test_dense_decode_of_laptop_and_desktop_gpus_is_within_7_percent_on_chips_left_out():
    rows = IN_CHECK & np.isin(CLASS, ["laptop GPU", "desktop_gpu GPU"])
    assert np.median(ERROR[rows]) <= 7.0


def test_dense_decode_overall_is_within_10_percent_on_chips_left_out():
    assert np.median(ERROR[IN_CHECK]) <= 10.0


def test_it_beats_a_constant_share_of_bandwidth_by_more_than_a_third():
    rule = ROWS["memory_bandwidth_byte_per_s"] / ROWS["bytes_read_byte"]
    ratio = np.log((ROWS["decode_tokens_per_s"] / rule).to_numpy())
    constant = 100 * np.abs(np.exp(np.median(ratio[IN_CHECK]) - ratio) - 1)
    assert np.median(ERROR[IN_CHECK]) < 0.65 * np.median(constant[IN_CHECK])


def test_mixtures_of_experts_are_within_30_percent_on_chips_left_out():
    rows = ROWS["in_moe_check"].to_numpy(dtype=bool)
    assert rows.sum() >= 15
    assert np.median(ERROR[rows]) <= 30.0


def test_reading_the_cache_explains_long_contexts():
    rows = (ROWS["context_tokens"] == 8192).to_numpy()
    assert rows.sum() >= 25
    assert np.median(ERROR[rows]) <= 10.0


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9])
def test_intervals_made_without_a_chip_hold_its_rows_as_often_as_they_say(level):
    covered = CHECKED.covered(level)
    assert abs(covered.mean() - level) < 0.06
    assert abs(covered[IN_CHECK].mean() - level) < 0.09


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9])
def test_intervals_of_measured_chips_hold_rows_left_out_as_often_as_they_say(level):
    made, chips = CHECKED.scatter.measured, CHECKED.cases.device
    of = zip(chips, CHECKED.cases.device_class, CHECKED.cases.backend, strict=True)
    rows = [(i, made.scale(group(*pair), pair[1])) for i, (name, *pair) in enumerate(of) if name in MEASURED]
    at, scale = (np.array(column) for column in zip(*rows, strict=True))
    assert len(at) >= 300
    inside = np.abs(ALONE[at]) <= made.half_width(scale, level=level)
    assert abs(inside.mean() - level) < 0.06


def test_a_measured_chip_is_better_known_than_its_class():
    for name in ("desktop_gpu GPU", "workstation_gpu GPU", "datacenter_gpu GPU"):
        assert CHECKED.scatter.measured.scale_by_class[name] < CHECKED.scatter.unseen.scale_by_class[name]
    assert CHECKED.scatter.of("RTX 4090") is CHECKED.scatter.measured
    assert CHECKED.scatter.of("RTX 9999") is CHECKED.scatter.unseen


def test_poorly_known_classes_have_wide_intervals():
    spread = CHECKED.scatter.unseen
    for poor in ("laptop NPU", "phone NPU", "embedded CPU"):
        assert spread.scale_by_class[poor] > 2 * spread.scale_by_class["desktop_gpu GPU"]


def test_a_speed_held_out_is_the_measured_one_less_its_error():
    predicted = CHECKED.held_out_tokens_per_s
    error = 100 * (predicted / CHECKED.decode_tokens_per_s - 1)
    assert error == pytest.approx(error_percent(CHECKED.residual))
