import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.model.typical import typical_dense


@given(st.floats(0.1e9, 5000e9))
def test_a_typical_dense_model_has_about_the_parameters_asked_for(n_parameters):
    model = typical_dense(n_parameters)
    assert model.n_parameters == model.n_active_parameters == n_parameters
    assert model.hidden_size == 128 * model.n_layers and not model.is_mixture
    layers = model.counted.total - 2 * model.embedding_parameters
    assert layers == pytest.approx(n_parameters, rel=0.5)


def test_a_model_of_nothing_is_refused():
    with pytest.raises(ValueError, match="a model has more than 0 parameters; got 0"):
        typical_dense(0)
