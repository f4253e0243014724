"""Growth of what flagships offer, with draws."""

import numpy as np
import pytest

from data.releases import names
from views.chips.growths import QUANTITIES, chip_growths


@pytest.mark.parametrize("release", names())
def test_every_quantity_grows_and_its_draws_lie_about_it(release):
    found = chip_growths(release)
    assert set(found) == set(QUANTITIES)
    for growth in found.values():
        assert 1 < growth.low < growth.factor < growth.high < 2.5
        assert np.quantile(growth.draws, 0.1) < growth.factor < np.quantile(growth.draws, 0.9)
    assert found["flop"].factor > found["bandwidth"].factor
