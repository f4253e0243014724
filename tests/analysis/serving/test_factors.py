import numpy as np
import pytest

from analysis.serving.factors import FACTORS, NAMES, PRIOR_MEAN, PRIOR_SPREAD, by_name


def test_each_factor_has_a_name_of_its_own_and_a_prior():
    assert len(set(NAMES)) == len(FACTORS) == len(PRIOR_MEAN) == len(PRIOR_SPREAD)
    assert np.all(PRIOR_SPREAD > 0)


def test_factors_are_read_by_name():
    factors = by_name(PRIOR_MEAN)
    assert factors["weights"] == pytest.approx(1.35)
    assert list(factors) == list(NAMES)
