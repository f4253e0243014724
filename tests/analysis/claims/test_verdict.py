import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.claims.verdict import (
    VERDICTS,
    Measured,
    Thresholds,
    Verdict,
    apart,
    combined,
    judgement,
    of_parts,
)
from tests.analysis.refusals import refusals
from tests.cases import cases

CASES = cases(__file__)

POSITIVE = st.floats(1e-6, 1e12)
RANK = {"supported": 0, "off": 1, "wrong": 2}

THRESHOLDS = Thresholds(about_tolerance=0.1, off_factor=2.02, decided_share=0.5)


def verdict(measured: Measured, **claim: Any) -> Verdict:
    return judgement(measured, thresholds=THRESHOLDS, **claim).verdict


exact = Measured.exactly


def within(value, *, low, high):
    return Measured(value=value, low=low, high=high, level=0.9)


@given(claimed=POSITIVE, ours=POSITIVE, test=st.sampled_from(["about", "above", "below", "rises", "falls"]))
def test_the_unit_of_both_numbers_does_not_matter(claimed, *, ours, test):
    scaled = verdict(exact(ours * 1024), test=test, value=claimed * 1024)
    assert scaled == verdict(exact(ours), test=test, value=claimed)


@given(claimed=POSITIVE, ours=POSITIVE, narrow=st.floats(1, 10), wider=st.floats(1, 10))
def test_a_wider_interval_never_turns_an_about_away(claimed, *, ours, narrow, wider):
    one = within(ours, low=ours / narrow, high=ours * narrow)
    other = within(ours, low=ours / narrow / wider, high=ours * narrow * wider)
    result = [RANK[verdict(item, test="about", value=claimed)] for item in (one, other)]
    assert result[1] <= result[0]


@pytest.mark.parametrize(("claimed", "expected"), CASES["about"])
def test_about_holds_to_a_tenth_and_is_off_to_a_factor_of_two(claimed, expected):
    assert verdict(exact(100), test="about", value=claimed) == expected


@pytest.mark.parametrize(("test", "low", "high", "expected"), CASES["rows"])
def test_bounds_and_directions_ask_for_the_whole_interval(test, *, low, high, expected):
    assert verdict(within((low + high) / 2, low=low, high=high), test=test, value=1) == expected


def test_a_range_holds_where_it_meets_our_interval():
    assert verdict(within(10, low=9, high=16), test="between", value=15, high=20) == "supported"
    assert verdict(within(10, low=9, high=11), test="between", value=15, high=20) == "off"
    assert verdict(within(3.6, low=3.2, high=3.9), test="between", value=15, high=20) == "wrong"
    assert verdict(within(10, low=5, high=20), test="between", value=20, high=30) == "supported"
    assert verdict(within(10, low=5, high=20), test="about", value=5) == "supported"
    assert verdict(exact(39), test="between", value=15, high=20) == "off"
    assert verdict(within(8.4, low=5, high=17), test="about", value=20) == "off", "its near end is off by 1.2"
    assert verdict(within(8.4, low=5, high=9), test="about", value=20) == "wrong"


def test_numbers_are_close_within_a_share_at_one_level():
    one = within(2.0, low=1.0, high=3.0)
    assert one.is_close(within(2.0, low=1.0, high=3.003), within=0.01)
    assert not one.is_close(within(2.0, low=1.0, high=3.03), within=0.001)
    assert not one.is_close(Measured(value=2.0, low=1.0, high=3.0), within=0.01)


@pytest.mark.parametrize("shares", [{"matmuls": 0.6, "links": 0.3, "rest": 0.1}, {"links": 0.3, "rest": 0.7}])
def test_a_share_of_a_step_has_the_interval_that_parts_give_which_err_like_the_whole_step(shares):
    ours = of_parts(lambda now: now["links"], shares, error=0.1)
    each = 0.1 / math.hypot(*shares.values()) / 1.645
    times = np.array(list(shares.values())) * np.exp(
        np.random.default_rng(1).normal(0, each, (40_000, len(shares)))
    )
    whole = times.sum(axis=1)
    assert np.log(np.quantile(whole, 0.95)) == pytest.approx(0.1, rel=0.1)
    drawn = np.quantile(times[:, list(shares).index("links")] / whole, [0.05, 0.95])
    assert (ours.low, ours.high) == pytest.approx(tuple(drawn), rel=0.01) and ours.level == 0.9
    assert of_parts(lambda now: sum(now.values()) / 2, shares, error=0.1).low == pytest.approx(0.5)
    assert of_parts(lambda _: 0.2, shares, error=0.1) == exact(0.2) and exact(0.2).level is None


def test_growth_is_compared_by_its_logarithm():
    assert apart(4, 2, growth=True) == pytest.approx(2)
    assert apart(1.28, 1.26, growth=True) == pytest.approx(math.log(1.28) / math.log(1.26))
    assert apart(1.2, 0.8, growth=True) == math.inf
    assert verdict(exact(4), test="about", value=5) == "off"
    assert verdict(exact(4.5), test="about", value=5, growth=True) == "supported"
    assert verdict(exact(1.1), test="about", value=1.5, growth=True) == "wrong"


@given(one=POSITIVE, other=POSITIVE)
def test_apart_is_the_same_both_ways_and_never_below_one(one, other):
    assert apart(one, other) == apart(other, one) >= 1


@given(parts=st.lists(st.sampled_from(VERDICTS), max_size=6))
def test_a_statement_has_the_verdict_its_decided_parts_agree_on(parts):
    result = combined(parts, decided_share=0.5)
    assert result == combined(parts[::-1], decided_share=0.5)
    assert result == combined([*parts, "not checkable"], decided_share=0.5)
    decided = {part for part in parts if part not in ("undecided", "not checkable")}
    assert result in decided | {"undecided", "not checkable"} if len(decided) < 2 else result == "off"


@pytest.mark.parametrize(("parts", "expected"), CASES["combined"])
def test_a_null_test_is_no_contradiction(parts, expected):
    assert combined(parts.split(), decided_share=0.5) == expected


@pytest.mark.parametrize("high", [None, 10])
def test_a_range_without_a_high_end_is_refused(high):
    with pytest.raises(ValueError, match=rf"between needs a high end above 15; got {high}"):
        verdict(exact(1), test="between", value=15, high=high)


@pytest.mark.parametrize(("ends", "claim", "reason"), CASES["reasons"])
def test_a_judgement_has_the_code_of_its_reason(ends, *, claim, reason):
    ours = within(sum(ends) / 2, low=ends[0], high=ends[1])
    assert judgement(ours, thresholds=THRESHOLDS, **claim).reason == reason


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "a test is one of about, between, above, below, rises, falls; got 'like'":
            lambda: verdict(exact(1), test="like", value=1),
        "a measured value lies inside its interval; got 5 with 1 to 2. Give": lambda: Measured(value=5, low=1, high=2),
    }
)  # fmt: skip
