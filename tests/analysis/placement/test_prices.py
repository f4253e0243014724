"""What is charged of a machine's price."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.placement.places import Conditions
from analysis.placement.setup import set_up
from tests.analysis.placement.questions import OWNED, PERSONAL, a_question, a_work


@settings(max_examples=20, deadline=None)
@given(share=st.floats(0.0, 1.0), load=st.floats(2e5, 1e7))
def test_machines_in_the_house_are_charged_whole(share, load):
    question = a_question(a_work(requests_per_day=load), OWNED)
    part, whole = (set_up(replace(question, conditions=Conditions(share=of))) for of in (share, 1.0))
    assert np.any(whole.machines > 1)
    assert np.array_equal(part.fixed_usd, whole.fixed_usd)


def test_a_persons_share_is_charged_of_everybodys_device():
    half, whole, free = (
        set_up(a_question(keep=PERSONAL, conditions=Conditions(share=of))) for of in (0.5, 1.0, 0.0)
    )
    assert np.allclose(half.fixed_usd, 0.5 * whole.fixed_usd)
    assert np.all(free.fixed_usd == 0)
