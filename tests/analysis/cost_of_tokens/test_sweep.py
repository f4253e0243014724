import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.cost_of_tokens.sweep import LOADS, Swept, Terms, least, swept, usd_at_speed, usd_per_million
from analysis.serving.tables import model
from analysis.serving.times import by_name
from tests.analysis.cost_of_tokens.test_frontier import tried


def test_a_dollar_an_hour_at_a_thousand_tokens_a_second():
    plans = usd_per_million(usd_per_hour=np.array([3.6]), tokens_per_s=np.array([1000.0]), utilization=0.5)
    assert plans == pytest.approx([2.0])
    with pytest.raises(ValueError, match=r"above 0 and up to 1; got 60. For 60% pass 0.6"):
        usd_per_million(usd_per_hour=np.ones(1), tokens_per_s=np.ones(1), utilization=60)


@given(st.lists(st.tuples(st.floats(1, 100), st.floats(1, 100)), min_size=1, max_size=20))
def test_what_is_kept_is_beaten_by_none(points):
    speed, usd = map(np.array, zip(*points, strict=True))
    kept = least(speed, usd)
    for place in kept:
        better = (speed >= speed[place]) & (usd < usd[place])
        assert not better.any()
    assert speed[kept].max() == speed.max()


def test_a_speed_between_two_loads_is_interpolated():
    usd, sure = np.array([[8.0], [2.0]]), np.ones((2, 1))
    plans = Swept(token_s=1 / np.array([[40.0], [10.0]]), first_s=sure, usd=usd, possible=sure > 0)
    usd, load = usd_at_speed(plans, tokens_per_s=20.0, loads=np.array([1.0, 4.0]))
    assert usd == pytest.approx([4.0])
    assert load == pytest.approx([2.0])
    assert usd_at_speed(plans, tokens_per_s=50.0, loads=np.array([1.0, 4.0]))[0] == [np.inf]


def test_loads_beyond_the_memory_or_the_wait_are_not_possible():
    plans = swept(tried(), by_name(model().factors), terms=Terms(speed=1.0, first_s=5.0, utilization=1.0))
    assert plans.token_s.shape == (len(LOADS), len(tried()))
    assert (plans.first_s[plans.possible] <= 5.0).all()
    assert not plans.possible[-1].any()
    assert not plans.possible[:, 0].any()  # one H200 does not hold DeepSeek-V3
