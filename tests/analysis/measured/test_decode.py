"""How the decode model is fitted: what it leaves out, what it finds, and what it refuses."""

import numpy as np
import pytest

from analysis.measured.decode import fit_decode, left_out_row_residuals
from analysis.measured.decode_cases import DecodeCases
from analysis.placement.tables import models

CHECKED = models().decode
ALONE = left_out_row_residuals(CHECKED.model, CHECKED.cases, decode_tokens_per_s=CHECKED.decode_tokens_per_s)


def test_a_row_left_out_in_one_step_is_the_row_left_out_of_a_whole_fit():
    cases, speeds = CHECKED.cases, CHECKED.decode_tokens_per_s
    for i in range(0, len(cases), 40):
        keep = np.arange(len(cases)) != i
        without = fit_decode(cases.at(keep), speeds[keep])
        predicted = without.token_time(cases.at(~keep)).total_s[0]
        assert np.log(predicted * speeds[i]) == pytest.approx(ALONE[i], abs=0.03)


def test_fitted_efficiencies_are_shares_of_the_bandwidth():
    for name, share in CHECKED.model.bandwidth_efficiency().items():
        assert 0.2 < share < 1.05, name
    for name, overhead in CHECKED.model.overhead_s().items():
        assert 2e-4 < overhead < 2e-2, name


def test_a_fit_without_enough_rows_says_how_many_came():
    none = np.array([])
    cases = DecodeCases(
        device=(),
        device_class=(),
        backend=(),
        format_family=(),
        memory_bandwidth_byte_per_s=none,
        weights_read_byte=none,
        kv_read_byte=none,
        mixture=none.astype(bool),
    )
    with pytest.raises(ValueError, match="one or more cases; got 2 speeds for 0 cases"):
        fit_decode(cases, np.ones(2))
