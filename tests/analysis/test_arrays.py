import numpy as np
import pytest

from analysis.arrays import product


@pytest.mark.parametrize(
    ("draws", "shared", "wide"), [(1, 3, 1), (500, 90, 32), (501, 700, 130), (7, 40_000, 9)]
)
def test_slabs_together_are_the_whole_product(*, draws, shared, wide):
    generator = np.random.default_rng(1)
    left, right = generator.random((draws, shared)), generator.random((shared, wide))
    assert product(left, right) == pytest.approx(left @ right, rel=1e-12)
