"""The number of accelerators that ends a run soonest, failures and all."""

import pytest

from analysis.training_run.candidates import NoPlanFits
from analysis.training_run.fastest_run import fastest_run
from tests.analysis.training_run.runs import GPT_3, run_of


@pytest.mark.parametrize("hours_per_failure", [500.0, 50_677.0, 1e8])
@pytest.mark.parametrize("number", [64, 4096, 65_536, 1_000_000])
def test_a_run_ends_no_sooner_on_fewer_accelerators(number, hours_per_failure):
    (best, whole), (_, half) = (
        fastest_run(run_of(accelerators=most, global_batch=1024, hours_per_failure=hours_per_failure))
        for most in (number, number // 2)
    )
    assert float(best.plan.accelerators) <= number
    assert whole.seconds <= half.seconds * (1 + 1e-9)


def test_a_run_that_fits_on_no_number_says_so_of_the_number_asked_for():
    with pytest.raises(NoPlanFits, match="no plan of 16 accelerators fits"):
        fastest_run(run_of(GPT_3, accelerators=16, global_batch=64))
