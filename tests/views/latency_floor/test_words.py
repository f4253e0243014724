"""Times of /latency-floor as a reader says them."""

from views.latency_floor.words import milliseconds


def test_times_are_in_milliseconds_of_two_figures():
    assert [milliseconds(seconds) for seconds in (0.00277, 0.0000331, 1.5, 0.02155)] == [
        "2.8 ms",
        "0.033 ms",
        "1,500 ms",
        "22 ms",
    ]
