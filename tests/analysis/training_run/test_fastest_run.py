"""The number of accelerators that ends a run soonest, failures and all."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.training_run.candidates import NoPlanFits
from analysis.training_run.fastest_run import fastest_run
from analysis.training_run.outlook import Circumstances
from tests.analysis.training_run.runs import GPT_3, H100, MODEL


@settings(max_examples=15, deadline=None)
@given(st.sampled_from([64, 4096, 65_536, 1_000_000]), st.sampled_from([500.0, 50_677.0, 1e8]))
def test_a_run_ends_no_sooner_on_fewer_accelerators(number, hours):
    circumstances = Circumstances(tokens=1e12, hours_per_failure=hours)
    fastest, used, run = fastest_run(
        MODEL, H100, accelerators=number, global_batch=1024, circumstances=circumstances
    )
    _, fewer, half = fastest_run(
        MODEL, H100, accelerators=number // 2, global_batch=1024, circumstances=circumstances
    )
    assert used <= number and fewer <= number // 2
    assert run.seconds <= half.seconds * (1 + 1e-9)
    assert float(fastest.plan.accelerators) == used


def test_a_run_that_fits_on_no_number_says_so_of_the_number_asked_for():
    with pytest.raises(NoPlanFits, match="no plan of 16 accelerators fits"):
        fastest_run(GPT_3, H100, accelerators=16, global_batch=64, circumstances=Circumstances(tokens=1e12))
