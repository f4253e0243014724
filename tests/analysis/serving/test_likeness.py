import numpy as np
import pytest

from analysis.serving.likeness import SPREADS, covariance, traits, variance
from analysis.serving.tables import measured_points
from tests.analysis.serving.served import served


def one(**changes):
    case = served(**changes)
    return traits(case, concurrency=case.concurrency)


def like(first, second):
    return covariance(first, second, spreads=SPREADS["token"])[0, 0]


def test_a_deployment_shares_all_with_itself():
    assert like(one(), one()) == pytest.approx(variance(SPREADS["token"]))


def test_less_in_common_is_less_alike():
    case = one()
    load = like(case, one(concurrency=64.0))
    model = like(case, one(name="llama3.18b"))
    engine = like(case, one(name="llama3.18b", engine="sglang"))
    nothing = like(case, one(name="llama3.18b", engine="sglang", chip="AMD Instinct MI355X", year=2025.5))
    assert variance(SPREADS["token"]) > load > model > engine > nothing == 0.0


def test_a_covariance_is_one():
    points = measured_points().deployments
    some = points.at(np.arange(len(points)) % 13 == 0)
    of = traits(some, concurrency=np.nan_to_num(some.concurrency, nan=256.0))
    found = covariance(of, of, spreads=SPREADS["token"])
    assert np.allclose(found, found.T)
    assert np.linalg.eigvalsh(found).min() > -1e-9
