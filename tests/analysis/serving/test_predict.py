from typing import Any

import numpy as np
import pytest

from analysis.serving.fit_points import measured_logs
from analysis.serving.predict import LEVELS, predicted_cells, serve
from analysis.serving.served_case import read_case
from analysis.serving.tables import measured_points, model, served_tables
from data import standing
from tests.analysis.serving.served import served


def test_an_interval_widens_with_its_level_and_refuses_none():
    fit = model()
    scale = np.array([0.1, 0.2])
    widths = [fit.half_width("token", scale, level=level)[0] for level in (0.3, 0.5, 0.9, 0.99, 0.999)]
    assert np.all(np.diff(widths) > 0)
    known = fit.quantiles["first"][LEVELS.index(0.9)]
    assert fit.half_width("first", scale, level=0.9)[1] == pytest.approx(0.2 * known)


def test_points_that_set_the_fit_are_predicted_closely():
    points = measured_points()
    served_all = serve(points.deployments, fit=model())
    token, first, load = measured_logs(points)
    off = np.abs(np.log(served_all.token_s.middle) - token)
    assert np.nanmedian(off) < 0.05
    assert np.nanmedian(np.abs(np.log(served_all.first_s.middle) - first)) < 0.15
    assert np.nanmedian(np.abs(np.log(served_all.tokens_per_s.middle) + load)) < 0.2


def test_what_nothing_like_was_measured_is_less_sure():
    known = serve(served(name="llama3.170b", tensor=8.0, year=2025.9), fit=model()).token_s
    other = serve(served(name="qwen330ba3b", chip="AMD Instinct MI355X", engine=""), fit=model()).token_s
    assert np.log(other.high / other.low)[0] > 1.25 * np.log(known.high / known.low)[0]


def _unstated():
    """Return measured points whose source states no workers, which set nothing, and what is predicted of them."""
    table: Any = standing.table("measured_serving_points")
    rows = table[(table["mode"] == "disaggregated") & table["prefill_workers"].isna()]
    texts = ("mode", "model", "accelerator", "software", "prompt_tokens", "output_tokens", "concurrency")
    cases = [
        {
            **{name: str(row[name]) for name in texts},
            "format": row["quantisation"],
            "tensor_parallel": str(row["decode_accelerators_per_worker"]),
            "software_date": f"{row['software_on']:%Y-%m-%d}",
        }
        for row in rows.to_dict("records")
    ]
    read = [read_case(case, tables=served_tables()) for case in cases]
    return rows, predicted_cells(read, fit=model(), level=0.9)


def test_workers_nobody_states_cost_half_of_the_time_and_intervals_that_hold_it():
    rows, cells = _unstated()
    assert len(rows) == 63
    token = rows["time_per_output_token_s"].to_numpy()
    names = (f"predicted_time_per_output_token_s{end}" for end in ("", "_low", "_high"))
    middle, low, high = (np.array([float(cell[name]) for cell in cells]) for name in names)
    assert np.median(np.abs(middle / token - 1)) < 0.55
    assert np.mean((low <= token) & (token <= high)) > 0.8
    assert np.all((low <= middle) & (middle <= high))


@pytest.mark.parametrize("kind", ["token", "first", "load"])
def test_draws_lie_within_the_intervals_of_their_level(kind):
    fit, uniform = model(), (np.arange(20_000) + 0.5) / 20_000
    drawn = fit.drawn(kind, 0.3, uniform=uniform)
    assert np.all(np.diff(drawn) >= 0)
    assert drawn == pytest.approx(-drawn[::-1], abs=1e-9)
    for level in (0.2, 0.5, 0.8, 0.9, 0.95, 0.99):
        half = fit.half_width(kind, np.array(0.3), level=level)
        assert np.mean(np.abs(drawn) <= half) == pytest.approx(level, abs=2e-3)
