import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.model.kv_cache import numbers_per_token_and_layer
from analysis.techniques.setup import as_dense, as_experts, with_heads
from tests.analysis.small_models import DENSE, EXPERTS


def test_other_key_value_heads_leave_the_parameters_as_they_are():
    fewer = with_heads(DENSE, key_value_heads=2)
    assert fewer.n_parameters == DENSE.n_parameters
    assert numbers_per_token_and_layer(fewer) * 4 == numbers_per_token_and_layer(DENSE)


def test_a_dense_model_has_as_many_parameters_and_uses_all_of_them():
    dense = as_dense(EXPERTS)
    assert not dense.is_mixture
    assert dense.n_parameters == dense.parameters.active == EXPERTS.n_parameters


@given(share=st.floats(0.1, 0.9), experts=st.sampled_from([4, 8, 64]), active=st.sampled_from([1, 2, 4]))
def test_experts_keep_all_parameters_and_leave_the_unused_share_out_of_a_token(*, share, experts, active):
    model = as_experts(DENSE, feed_forward_share=share, experts=experts, active=active)
    assert model.n_parameters == DENSE.n_parameters
    idle = 1 - model.parameters.active / model.n_parameters
    assert idle == pytest.approx(share * (1 - active / experts), abs=1e-9)
