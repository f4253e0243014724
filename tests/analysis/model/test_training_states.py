import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.model.training_states import training_states
from data.standing import table
from tests.analysis.refusals import refusals

KEYS = ["n_parameters", "data_parallel"]
ZERO_ROWS = table("published_zero").pivot(index=KEYS, columns="stage", values="memory_byte")


@pytest.mark.parametrize(("parameters", "devices"), list(ZERO_ROWS.index))
def test_zero_table_1(parameters, devices):
    """Rajbhandari et al., "ZeRO", SC 2020, table 1, stages 1 to 3: 2.5 %, as it prints two or three digits."""
    result = training_states(parameters, data_parallel=devices, zero_stage=[1, 2, 3]).total_byte
    np.testing.assert_allclose(result, ZERO_ROWS.loc[(parameters, devices), [1, 2, 3]], rtol=0.025)
    assert result[1] == pytest.approx((2 + 14 / devices) * parameters, rel=1e-12)


@given(parameters=st.floats(1e6, 1e13), devices=st.integers(1, 100_000), stage=st.sampled_from([0, 1, 2, 3]))
def test_a_further_stage_and_a_further_device_never_need_more_memory(*, parameters, devices, stage):
    here = training_states(parameters, data_parallel=devices, zero_stage=stage).total_byte
    assert training_states(parameters, data_parallel=devices + 1, zero_stage=stage).total_byte <= here
    if stage:
        assert here <= training_states(parameters, data_parallel=devices, zero_stage=stage - 1).total_byte


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "a ZeRO stage is 0, 1, 2 or 3; got 4.": lambda: training_states(1e9, data_parallel=8, zero_stage=4),
        "data_parallel counts devices, at least 1; got 0.": lambda: training_states(1e9, data_parallel=0, zero_stage=1),
    }
)  # fmt: skip
