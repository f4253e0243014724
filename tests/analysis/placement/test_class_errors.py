"""How wrong predictions are by class: every row counts once, few devices are poorly known, and a rule does worse."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.measured.held_out import error_percent
from analysis.placement.class_errors import (
    ClassError,
    decode_errors,
    share_inside,
)
from analysis.placement.tables import models

NONE = ClassError(rows=1, devices=1, median=1.0, worst=1.0, worst_device="a", within_factor=1.0)


def test_every_row_is_in_one_class_and_each_class_has_the_errors_of_its_own_rows():
    rows, error = models().decode_rows, error_percent(models().decode.residual)
    errors = decode_errors(models())
    assert sum(one.rows for one in errors) == len(rows)
    for one in errors:
        own = ((rows["device_class"] == one.device_class) & (rows["backend"] == one.backend)).to_numpy()
        assert one.rows == own.sum()
        assert one.median == pytest.approx(np.median(np.abs(error[own])))
        assert abs(one.worst) == np.abs(error[own]).max()
        assert one.worst_device in set(rows["device"][own])
        assert one.within_factor == pytest.approx(
            np.mean(np.abs(models().decode.residual[own]) <= np.log(1.5))
        )


def test_classes_of_few_devices_phones_and_npus_are_poorly_known_and_come_last():
    errors = decode_errors(models())
    for one in errors:
        assert one.known is not (one.devices < 5 or one.device_class == "phone" or one.backend == "NPU")
    keys = [(not one.known, one.median) for one in errors]
    assert keys == sorted(keys) and {known for known, _ in keys} == {False, True}


def test_shares_inside_count_rows_and_not_classes():
    errors = [
        replace(NONE, rows=30, inside_80=0.9, inside_90=1.0),
        replace(NONE, rows=10, inside_80=0.5, inside_90=0.6),
    ]
    assert share_inside(errors) == pytest.approx((0.8, 0.9))
