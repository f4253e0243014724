"""The floor as one record: whether it fits, and how its times are written."""

import pytest

from tests.views.latency_floor.answers import ask, floor_answer, value
from views.latency_floor.answer import milliseconds


@pytest.mark.parametrize(
    ("weights", "chips", "room"), [("fp8", 1, True), ("fp16", 1, False), ("fp16", 2, True)]
)
def test_a_model_fits_where_the_fullest_chip_has_room(*, weights, chips, room):
    """Llama 3.1 70B at 8 bits is 70.6 GB, its cache of 8,192 tokens 2.7 GB; at 16 bits it is 141 GB."""
    answer = floor_answer(format=weights, tensor_parallel=chips, pipeline_parallel=1)
    assert answer.fits is room and answer.chips == chips


def test_its_numbers_are_those_of_the_page():
    answer = floor_answer()
    assert value(ask(), "time_per_output_token_s") == answer.total_s
    assert value(ask(), "fastest_tokens_per_s") == 1 / answer.best_s
    assert value(ask(), "today_tokens_per_s") == answer.today_tokens_per_s
    assert {speed.chip for speed in answer.published} == {answer.placed.name}


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.00277, "2.8 ms"), (0.0000331, "0.033 ms"), (1.5, "1,500 ms"), (0.02155, "22 ms")],
)
def test_times_are_in_milliseconds_of_two_figures(seconds, words):
    assert milliseconds(seconds) == words
