from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.growth_accounting import (
    Assumed,
    agreeing,
    effective_growth,
    growth_of_parts,
    implied_utilization,
    steps,
)
from analysis.trend.growth import Window, growth
from analysis.trend.selection import Rule, select
from tests.analysis.trend.histories import scattered

WINDOW = Window(since=2012)
TOP = Rule(kind="frontier", top=10)


def runs(seed: int = 1, *, n: int = 150, known: float = 0.6):
    """Return year, compute and four factors of it, each known for some rows, and which those are."""
    generator = np.random.default_rng(seed)
    year = 2010 + 15 * generator.random(n)
    chips = 10 ** (0.3 * (year - 2010) + generator.normal(size=n))
    seconds = 10 ** (5 + 0.1 * (year - 2010) + 0.4 * generator.normal(size=n))
    peak = 10 ** (13 + 0.15 * (year - 2010) + 0.2 * generator.normal(size=n))
    share = generator.uniform(0.1, 0.6, n)
    compute = chips * seconds * peak * share
    rows = generator.random(n) < known
    return year, compute, {"chips": chips, "time": seconds, "peak": peak}, rows


def parts_of(compute, factors, *, rows):
    chips, seconds, peak = (factors[name] for name in ("chips", "time", "peak"))
    known = {"n_chips": chips, "training_time_s": seconds, "peak_flop_per_s": peak}
    utilization = implied_utilization(compute, **known)
    every = {**factors, "utilization": utilization, "total": compute}
    return {name: np.where(rows, values, np.nan) for name, values in every.items()}


def grown(seed: int = 1, **changed):
    """Return the growth of every part of a made-up history, its total and what else is passed."""
    year, compute, factors, rows = runs(seed)
    whole = {"parts": parts_of(compute, factors, rows=rows), "rule": TOP, "window": WINDOW, "draws": 300}
    return growth_of_parts(year, compute, **{**whole, **changed})


@given(seed=st.integers(0, 200), top=st.sampled_from([3, 10, 25]))
def test_the_factors_multiply_to_the_total_and_so_do_those_of_every_draw(seed, top):
    result = grown(seed, rule=Rule(kind="frontier", top=top), window=Window(since=2010), draws=60)
    four = [result[name] for name in ("chips", "time", "peak", "utilization")]
    assert np.prod([part.value for part in four]) == pytest.approx(result["total"].value)
    drawn = sum(part.draw_slope for part in four)
    np.testing.assert_allclose(drawn, result["total"].draw_slope, rtol=0, atol=1e-9)


@given(scale=st.floats(1e-12, 1e12))
def test_the_unit_of_a_part_does_not_move_its_growth(scale):
    year, compute, factors, _ = runs(3)
    ask = {"rule": TOP, "window": WINDOW, "draws": 40}
    plain = growth_of_parts(year, compute, parts={"chips": factors["chips"]}, **ask)["chips"]
    scaled = growth_of_parts(year, compute, parts={"chips": factors["chips"] * scale}, **ask)["chips"]
    assert scaled.value == pytest.approx(plain.value, rel=1e-9)
    assert (scaled.low, scaled.high) == pytest.approx((plain.low, plain.high), rel=1e-9)


@pytest.mark.parametrize("rule", [TOP, Rule(kind="all"), Rule(kind="records")])
def test_compute_itself_grows_as_the_trend_view_has_it(rule):
    history = scattered(150)
    ask = {"rule": rule, "window": WINDOW, "draws": 2000}
    part = growth_of_parts(history.year, history.value, parts={"all": history.value}, **ask)["all"]
    trend = growth(history, **ask)
    assert part.n == trend.n
    assert part.value == pytest.approx(trend.trend.yearly_growth)
    assert (part.low, part.high) == pytest.approx((trend.growth_low, trend.growth_high), rel=0.08)


def test_parts_are_fitted_on_the_selected_rows_where_they_are_known():
    year, compute, _, rows = runs(7)
    expected = select(year, compute, rule=TOP) & (year >= 2012) & rows
    assert (grown(7, draws=50)["chips"].rows == expected).all()


def test_the_ratio_to_another_part_is_that_of_the_joint_draws():
    year, compute, factors, rows = runs(9)
    parts = {**parts_of(compute, factors, rows=rows), "all": compute}
    result = growth_of_parts(year, compute, parts=parts, rule=TOP, window=WINDOW, draws=400)
    times, low, high = result["total"].against(result["all"])
    assert times == pytest.approx(result["total"].value / result["all"].value)
    assert low < times < high
    assert result["all"].against(result["all"]) == pytest.approx((1, 1, 1))


def test_whole_organisations_are_redrawn_when_clusters_are_named():
    cluster = np.array([f"lab {number % 7}" for number in range(150)], dtype=object)
    plain, clustered = (grown(11, **more)["total"] for more in ({}, {"cluster": cluster}))
    assert clustered.value == plain.value
    assert (clustered.low, clustered.high) != (plain.low, plain.high)


def test_a_part_known_for_too_few_rows_is_refused_by_name_unless_optional():
    year, compute, factors, _ = runs(13)
    rare = np.full(len(year), np.nan)
    rare[:2] = 1.0
    parts = {"chips": factors["chips"], "cost": rare}
    ask = {"parts": parts, "rule": Rule(kind="all"), "window": Window(), "draws": 20}
    with pytest.raises(ValueError, match=r"cost is known for \d at \d. Widen the window"):
        growth_of_parts(year, compute, **ask)
    assert set(growth_of_parts(year, compute, optional=["cost"], **ask)) == {"chips"}


def test_a_part_that_most_draws_miss_is_refused_unless_optional():
    generator = np.random.default_rng(2)
    year = np.sort(2010 + 15 * generator.random(200))
    value = 10 ** generator.normal(size=200)
    thin = np.full(200, np.nan)
    thin[[10, 90, 170]] = 2.0
    ask = {"parts": {"thin": thin}, "rule": Rule(kind="all"), "window": Window(), "draws": 200}
    with pytest.raises(ValueError, match=r"at least 3 distinct rows; thin has them in \d+ of 200"):
        growth_of_parts(year, value, **ask)
    assert growth_of_parts(year, value, optional=["thin"], **ask) == {}


@pytest.mark.parametrize("wrong", [0.0, -1.0, np.inf])
def test_a_value_without_a_logarithm_is_refused_with_its_row(wrong):
    year, compute, factors, _ = runs(15)
    chips = factors["chips"].copy()
    chips[4] = wrong
    with pytest.raises(ValueError, match=r"chips is .* in row 4. Leave that value out"):
        growth_of_parts(year, compute, parts={"chips": chips}, rule=TOP, window=WINDOW)


def test_steps_multiply_up_to_the_whole_which_starts_again_from_one():
    parts = grown(3, rule=Rule(kind="all"), window=Window(), draws=100)
    names = ("chips", "time", "peak", "utilization")
    laid = steps(parts, factors=names, total="total")
    assert [step.name for step in laid] == [*names, "total"]
    assert laid[0].start == laid[-1].start == 1
    assert all(later.start == earlier.top for earlier, later in pairwise(laid[:-1]))
    assert laid[-2].top == pytest.approx(laid[-1].top)
    assert all(step.low <= step.top <= step.high for step in laid)
    shares = [parts[name].share_of(parts["total"]) or 0.0 for name in names]
    assert sum(shares) == pytest.approx(1)


def test_an_implied_utilization_agrees_within_fifteen_per_cent():
    assert agreeing(np.array([0.4, 0.46, 0.5, 0.2]), np.array([0.4, 0.4, 0.4, 0.4])) == 2


TOTAL = grown(draws=200)["total"]


@given(factor=st.floats(1.01, 9))
def test_what_is_assumed_without_ends_moves_a_rate_and_its_interval_alike(factor):
    result = effective_growth(TOTAL, Assumed(factor=factor))
    assert result.value == pytest.approx(TOTAL.value * factor)
    assert (result.low, result.high) == pytest.approx((TOTAL.low * factor, TOTAL.high * factor))


def test_ends_of_an_assumption_add_as_squares_and_scale_with_the_level():
    assumption = Assumed(factor=3, low=1.5, high=6, level=0.95)
    result = effective_growth(TOTAL, assumption)
    below, above = assumption.reach(0.9)
    assert below == above == pytest.approx(np.log(2) * 1.6449 / 1.96, rel=1e-3)
    measured = np.log(TOTAL.high / TOTAL.value)
    assert np.log(result.high / result.value) == pytest.approx(np.hypot(measured, above))
