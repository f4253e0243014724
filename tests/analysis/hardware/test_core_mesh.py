import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.hardware.core_mesh import CoreMesh

WAFER = CoreMesh(cores=900_000, hop_s=1 / 1.1e9, reductions_per_layer=8)


def test_a_layer_waits_for_as_many_hops_as_its_cores_are_wide_and_high():
    """40,000 cores are 200 by 200: 2 (200 + 200)/2 hops, eight times."""
    assert float(WAFER.layer_wait_s(40_000 / 900_000)) == pytest.approx(8 * 400 / 1.1e9)


@given(reading=st.floats(1e-9, 1e-2), layers=st.integers(1, 200), least=st.floats(1e-6, 1.0))
def test_no_other_share_of_the_cores_is_faster(*, reading, layers, least):
    def taken(share):
        return max(reading / share, layers * float(WAFER.layer_wait_s(share)))

    best = float(WAFER.best_share(reading, layers=layers, least=least))
    assert least <= best <= 1
    for other in (least, (least + best) / 2, (1 + best) / 2, 1.0):
        assert taken(best) <= taken(other) * (1 + 1e-9)


def test_hops_that_take_no_time_spread_a_layer_over_all_cores():
    assert float(WAFER.slowed(0).best_share(1e-6, layers=80, least=0.01)) == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: CoreMesh(cores=0, hop_s=1e-9, reductions_per_layer=8),
            "cores is a count of at least 1; got 0",
        ),
        (lambda: CoreMesh(cores=1, hop_s=1e-9, reductions_per_layer=0), "reductions_per_layer is a count"),
        (
            lambda: CoreMesh(cores=1, hop_s=-1.0, reductions_per_layer=8),
            "hop_s is a time in seconds, 0 or more; got -1",
        ),
        (lambda: CoreMesh(cores=1, hop_s=float("nan"), reductions_per_layer=8), "got nan"),
    ],
)
def test_a_refusal_says_what_it_is_and_what_came(call, message):
    with pytest.raises(ValueError, match=message):
        call()
