"""Sites far apart: how long they wait for each other."""

import pytest

from analysis.training_run.local_steps import exchange_s, waiting_share


def test_sites_far_apart_wait_less_the_more_steps_they_take_alone():
    wait = float(exchange_s(70e9, sites=2, wide_area_byte_per_s=12.5e9))
    assert wait == pytest.approx(2 * 0.5 * 140e9 / 12.5e9)
    shares = waiting_share(step_s=10.0, local_steps=[1, 100, 500], exchange_s=wait)
    assert list(shares) == sorted(shares, reverse=True)
    assert shares[-1] < 0.01


@pytest.mark.parametrize(
    ("call", "refusal"),
    [
        (
            lambda: exchange_s(1e9, sites=2, wide_area_byte_per_s=0),
            "wide_area_byte_per_s is positive, per direction and site; got 0.",
        ),
    ],
)
def test_a_refusal_says_what_it_is_what_came_and_what_to_do(call, refusal):
    with pytest.raises(ValueError) as caught:
        call()
    assert refusal in str(caught.value)
