import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.model.weights import experts_touched, weights_read, weights_read_byte
from tests.analysis.small_models import EXPERTS


def test_one_token_of_a_mixture_reads_what_is_active_and_a_large_batch_reads_nearly_all():
    read = weights_read(EXPERTS, tokens=[1, 2, 10_000])
    assert read[0] == pytest.approx(12.88e9)
    assert read[2] == pytest.approx(12.88e9 + 45.1e9 * 6 / 8, rel=0.001)


@given(st.integers(1, 4096))
def test_a_larger_batch_never_reads_fewer_weights_and_never_more_than_all(tokens):
    fewer, more = weights_read(EXPERTS, tokens=[tokens, tokens + 1])
    assert fewer <= more <= EXPERTS.n_parameters


def test_one_token_reads_the_active_weights_and_a_dense_model_is_read_whole():
    assert weights_read_byte(weights_byte=60e9, active_weights_byte=3e9) == pytest.approx(3e9)
    assert weights_read_byte(weights_byte=5e9, active_weights_byte=5e9, batch=8) == pytest.approx(5e9)
    assert weights_read_byte(weights_byte=60e9, active_weights_byte=3e9, batch=1000) == pytest.approx(60e9)


def test_the_experts_touched_are_those_of_random_routing():
    random = np.random.default_rng(0)
    touched = [
        len({int(e) for _ in range(32) for e in random.choice(64, 4, replace=False)}) for _ in range(300)
    ]
    assert np.mean(touched) == pytest.approx(experts_touched(tokens=32, experts=64, active=4), rel=0.01)


@pytest.mark.parametrize("active", [0, 65, -1])
def test_more_active_experts_than_there_are_is_refused(active):
    with pytest.raises(ValueError) as refused:
        experts_touched(tokens=1, experts=64, active=active)
    words = f"active experts lie between 1 and all 64; got {active}. Pass how many a token is sent to."
    assert str(refused.value) == words
