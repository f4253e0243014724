from typing import Any

import numpy as np
import pytest

from analysis.serving.fit_points import KINDS, LeftOut
from analysis.serving.predict import LEVELS
from analysis.serving.tables import measured_points
from analysis.serving.times import NAMES
from data.records import serving_fit
from scripts.record_serving import by_bandwidth_alone, quantiles, within_factor
from views.model_errors.settings import rows


def test_the_widest_of_three_ways_of_leaving_out_counts():
    rng = np.random.default_rng(0)
    shape = (len(KINDS), 20_000)
    measured = (rng.normal(0.0, width, shape) for width in (1.0, 2.0))
    near, far = (LeftOut(measured=one, predicted=np.zeros(shape), scale=np.ones(shape)) for one in measured)
    names = ["one"] * 7_000 + ["other"] * 6_500 + ["third"] * 6_500
    of_sources: Any = {"by_source": near, "sources": names}
    assert quantiles([near, far], **of_sources) == quantiles([far], **of_sources)
    widths = quantiles([near], by_source=far, sources=names)
    assert tuple(widths) == KINDS
    assert widths["token"][LEVELS.index(0.9)] == pytest.approx(2 * 1.645, rel=0.03)


def test_every_factor_and_level_is_recorded():
    recorded = serving_fit()
    assert tuple(recorded["factors"]) == NAMES
    assert all(value > 0 for value in recorded["factors"].values())
    assert tuple(recorded["quantiles"]) == KINDS
    for widths in recorded["quantiles"].values():
        assert len(widths) == len(LEVELS)
        assert widths[0] == 0 and sorted(widths) == widths


def test_shares_within_the_factor_are_of_what_was_measured_and_bandwidth_alone_is_scaled_to_the_middle():
    off = by_bandwidth_alone(measured_points())
    assert np.median(off[np.isfinite(off)]) == pytest.approx(0.0, abs=1e-12)
    assert within_factor(np.array([np.nan, np.log(2.0), -np.log(1.4), 0.0])) == 0.667
    recorded = serving_fit()["full_load_within_factor"]
    assert within_factor(off) == recorded["bandwidth"]
    held_out = [row for row in rows() if row.model == "serving: full load"]
    assert within_factor(np.log([row.measured / row.predicted for row in held_out])) == recorded["source"]
