"""Times of a step on devices and on accelerators."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.placement.speeds import accelerator_speeds, device_speeds
from tests.analysis.placement.questions import ONE_CHIP, a_question, a_work, never_less


@settings(max_examples=30, deadline=None)
@given(parameters=st.floats(5e8, 7e10), batch=st.floats(1.0, 100.0), more=st.floats(1.0, 10.0))
def test_a_step_that_more_requests_share_is_never_shorter_and_serves_no_fewer(*, parameters, batch, more):
    work = a_work(n_parameters=parameters)
    speeds = (
        device_speeds(a_question(work, ONE_CHIP)),
        accelerator_speeds(a_question(work, ~ONE_CHIP), chips=np.full(3, 8.0)),
    )
    for of_side, overlap in zip(speeds, (True, False), strict=True):
        times = [
            of_side.step(np.full((1, 3), size)).total_s(overlap=np.full(3, overlap))
            for size in (batch, batch * more)
        ]
        assert never_less(times[1], times[0])
