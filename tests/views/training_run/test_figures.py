"""The figures of a run: cost and energy from their parts, and the range of the time."""

import re

import pytest

from tests.views.training_run.answers import ask, value


def test_spares_are_paid_for_and_powered():
    without, with_them = ask(), ask("spares=50")
    days = [value(result, "days") for result in (without, with_them)]
    assert days[1] < days[0]
    for name in ("cost_usd", "energy_j"):
        before, after = (value(result, name) for result in (without, with_them))
        assert after / before == pytest.approx(1.5 * days[1] / days[0])


def test_cost_and_energy_follow_from_their_parts():
    result = ask("price=2&power=1000&pue=1.25")
    days = value(result, "days")
    assert value(result, "cost_usd") == pytest.approx(16384 * days * 24 * 2)
    assert value(result, "energy_j") == pytest.approx(16384 * days * 86400 * 1000 * 1.25)


def test_the_time_has_the_range_of_published_runs_of_its_kind():
    days = ask().figure("days")
    assert (days.low or 0) < (days.value or 0) < (days.high or 0)
    assert re.fullmatch(r"\d+–\d+ days", days.interval_text)
    assert ask("accelerator=mi300x").figure("days").interval_text == "no run to check it by"


@pytest.mark.parametrize(
    "query",
    [
        "accelerator=tpu-v2&model=llama-3.2-1b&accelerators=64",
        "accelerator=tpu-v5e&model=llama-3.1-70b&accelerators=4096",
    ],
)
def test_the_range_holds_the_time_and_is_as_wide_either_way(query):
    """The range is one of ratios: the time over its low end is its high end over it."""
    days = ask(query).figure("days")
    assert (days.low or 0) < (days.value or 0) < (days.high or 0)
    assert (days.value or 0) ** 2 == pytest.approx((days.low or 0) * (days.high or 0))


def test_a_run_like_many_published_ones_has_a_narrower_range_than_one_like_few():
    def width(query):
        days = ask(query).figure("days")
        return (days.high or 0) / (days.low or 1)

    known, unknown = width(""), width("model=custom&experts=64&active_experts=2&accelerator=mi355x")
    assert 1 < known < unknown


def test_utilization_is_model_operations_over_peak_and_wall_clock():
    """6 FLOP a parameter and token, and attention; Llama 3.1 405B on chips of 989 TFLOP/s."""
    result = ask()
    plain = 6 * 405.9e9 * 15.6e12 / (16384 * 989.4e12 * value(result, "days") * 86400)
    assert plain < value(result, "mfu") < 1.1 * plain
