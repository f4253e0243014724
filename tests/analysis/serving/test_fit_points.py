import numpy as np
import pytest

from analysis.serving import fit_points
from analysis.serving.points import Points
from analysis.serving.tables import measured_points, model
from analysis.serving.times import NAMES, PRIOR_MEAN
from tests.analysis.serving.served import served


def one(**changes):
    case = served(**changes)
    return fit_points.traits(case, concurrency=case.concurrency)


def like(first, second):
    return fit_points.covariance(first, second, spreads=fit_points.SPREADS["token"])[0, 0]


def test_a_deployment_shares_all_with_itself():
    assert like(one(), one()) == pytest.approx(fit_points.variance(fit_points.SPREADS["token"]))


def test_less_in_common_is_less_alike():
    case = one()
    load = like(case, one(concurrency=64.0))
    model = like(case, one(name="llama3.18b"))
    engine = like(case, one(name="llama3.18b", engine="sglang"))
    nothing = like(case, one(name="llama3.18b", engine="sglang", chip="AMD Instinct MI355X", year=2025.5))
    unknown = fit_points.SPREADS["token"]["source"] ** 2 + fit_points.SPREADS["token"]["tuning"] ** 2
    assert fit_points.variance(fit_points.SPREADS["token"]) > load > model > engine > nothing
    assert nothing == pytest.approx(unknown)


def some(every: int) -> Points:
    points = measured_points()
    keep = np.arange(len(points)) % every == 0
    return Points(
        deployments=points.deployments.at(keep),
        rows=points.rows.loc[keep].reset_index(drop=True),
        token_s=points.token_s[keep],
        first_s=points.first_s[keep],
        tokens_per_s=points.tokens_per_s[keep],
        closed=points.closed[keep],
    )


def test_the_recorded_factors_are_where_a_fit_ends():
    points, recorded = measured_points(), model().factors
    again = fit_points.fit_factors(points, start=recorded, evaluations=3)
    assert np.abs(again - recorded).max() < 0.02, NAMES[int(np.abs(again - recorded).argmax())]


def test_a_throughput_counts_only_where_no_times_stand_beside_it():
    points = measured_points()
    token, first, load = fit_points.measured_logs(points)
    assert np.isfinite(token).sum() > 1000 and np.isfinite(first).sum() > 1000
    assert not np.any(np.isfinite(token) & np.isfinite(load))
    assert np.isfinite(load).sum() > 100


def test_with_a_single_point_the_factors_stay_near_what_was_held_before():
    points = some(40)
    single = np.arange(len(points)) == 0
    assert fit_points.fit_factors(points, counted=single, evaluations=3) == pytest.approx(PRIOR_MEAN, abs=0.6)


def test_what_was_measured_is_predicted_closely_and_what_was_not_is_left_alone():
    points = some(10)
    factors = model().factors
    rest = fit_points.residuals_of(points, factors=factors)
    assert tuple(rest) == fit_points.KINDS
    token = rest["token"]
    offered = fit_points.requests_offered(points.deployments, factors)
    shift, scale = token.at(fit_points.traits(points.deployments, concurrency=offered))
    own = shift[token.rows]
    assert np.corrcoef(own, token.residual)[0, 1] > 0.9
    stranger = served(name="llama3.18b", chip="Google TPU v6e Trillium", engine="", year=2024.0)
    nothing, wide = token.at(fit_points.traits(stranger, concurrency=stranger.concurrency))
    assert abs(nothing[0]) < 0.1
    assert wide[0] > scale[token.rows].mean()
    assert wide[0] ** 2 <= fit_points.variance(fit_points.SPREADS["token"]) + 0.01


def test_a_group_left_out_sets_nothing_of_its_own_prediction():
    points = some(25)
    groups = ["out" if i < len(points) // 2 else "in" for i in range(len(points))]
    start = model().factors
    before = fit_points.left_out(points, groups=groups, start=start, evaluations=2)
    token = points.token_s.copy()
    token[: len(points) // 2] *= 3.0
    changed = Points(**{**vars(points), "token_s": token})
    after = fit_points.left_out(changed, groups=groups, start=start, evaluations=2)
    out = np.array(groups) == "out"
    assert after.predicted[:, out] == pytest.approx(before.predicted[:, out], nan_ok=True)
