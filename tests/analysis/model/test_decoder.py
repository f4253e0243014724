from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.model.decoder import attended_tokens, kv_cache_byte, token_flop, weights_read
from tests.analysis.small_models import DENSE, EXPERTS


def test_a_dense_model_reads_every_weight_whatever_the_batch():
    assert weights_read(DENSE, tokens=[1, 100]).tolist() == [70e9, 70e9]
    apart = replace(DENSE, lookup_parameters=1e9)
    assert float(weights_read(apart, tokens=1)) == 69e9


def test_one_token_of_a_mixture_reads_what_is_active_and_a_large_batch_reads_nearly_all():
    read = weights_read(EXPERTS, tokens=[1, 2, 10_000])
    assert read[0] == pytest.approx(12.88e9)
    assert read[2] == pytest.approx(12.88e9 + 45.1e9 * 6 / 8, rel=0.001)


@given(st.integers(1, 4096))
def test_a_larger_batch_never_reads_fewer_weights_and_never_more_than_all(tokens):
    fewer, more = weights_read(EXPERTS, tokens=[tokens, tokens + 1])
    assert fewer <= more <= EXPERTS.n_parameters


def test_sliding_layers_see_at_most_their_window():
    sliding = replace(DENSE, n_sliding_layers=60, sliding_window_tokens=1024)
    assert float(attended_tokens(sliding, 512)) == 80 * 512
    assert float(attended_tokens(sliding, 8192)) == 20 * 8192 + 60 * 1024
    assert float(kv_cache_byte(sliding, context_tokens=8192, element_byte=2)) == 2 * 2048 * (
        20 * 8192 + 60 * 1024
    )


def test_a_token_takes_two_operations_a_weight_and_its_attention():
    assert float(token_flop(DENSE, context_tokens=1000)) == 2 * 70e9 + 80 * 1000 * 4 * 64 * 128


def test_more_active_parameters_than_there_are_are_refused():
    with pytest.raises(
        ValueError, match=r"at most at all 7e\+10; got 8e\+10. Pass how many work on one token"
    ):
        replace(DENSE, n_active_parameters=80e9)
