import pytest

from analysis.hardware.collectives import ring_all_reduce_s, torus_bisection_byte_per_s


@pytest.mark.parametrize(
    ("call", "refusal"),
    [
        (lambda: ring_all_reduce_s(1e9, ranks=0, bandwidth=1e9), "ranks counts devices, at least 1; got 0."),
        (
            lambda: ring_all_reduce_s(1e9, ranks=2, bandwidth=0),
            "bandwidth is positive, in byte/s per direction and device; got 0.",
        ),
        (
            lambda: torus_bisection_byte_per_s((1, 1), link_byte_per_s=1),
            "one of them 2 or more; got (1, 1). Pass (16, 16, 16).",
        ),
    ],
)
def test_a_refusal_says_what_it_is_what_came_and_what_to_do(call, refusal):
    with pytest.raises(ValueError) as caught:
        call()
    assert refusal in str(caught.value)
