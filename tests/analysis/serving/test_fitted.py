from analysis.serving.factors import NAMES
from analysis.serving.fit_points import KINDS
from analysis.serving.fitted import FITTED, QUANTILES
from analysis.serving.predict import LEVELS


def test_every_factor_and_level_is_recorded():
    assert tuple(FITTED) == NAMES
    assert all(value > 0 for value in FITTED.values())
    assert tuple(QUANTILES) == KINDS
    for widths in QUANTILES.values():
        assert len(widths) == len(LEVELS)
        assert widths[0] == 0 and sorted(widths) == widths
