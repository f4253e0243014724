import numpy as np
import pytest

from analysis.serving.fit_points import KINDS, LeftOut
from analysis.serving.predict import LEVELS
from analysis.serving.tables import measured_points
from scripts.record_serving import halves, quantiles


def test_the_wider_of_two_ways_of_leaving_out_counts():
    rng = np.random.default_rng(0)
    shape = (len(KINDS), 20_000)
    near, far = (
        LeftOut(
            measured=rng.normal(0.0, width, shape),
            mechanisms=np.zeros(shape),
            predicted=np.zeros(shape),
            scale=np.ones(shape),
        )
        for width in (1.0, 2.0)
    )
    widths = quantiles([near, far])
    assert tuple(widths) == KINDS
    assert widths["token"][LEVELS.index(0.9)] == pytest.approx(2 * 1.645, rel=0.03)


def test_halves_are_the_same_at_every_call():
    points = measured_points()
    assert halves(points) == halves(points)
    assert 0.4 < halves(points).count("1") / len(points) < 0.6
