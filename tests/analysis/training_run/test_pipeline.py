"""Waiting in pipelines, and how whole layers lie on stages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.training_run.pipeline import (
    bubble_over_ideal,
    bubble_over_total,
    fullest_stage_layers,
    largest_piece_layers,
    spare_places,
)


@pytest.mark.parametrize(
    ("p", "m", "v", "ideal", "total"),
    [
        (4, 8, 1, 0.375, 0.27273),
        (8, 64, 1, 0.10938, 0.09859),
        (64, 512, 1, 0.12305, 0.10957),
        (64, 512, 2, 0.06152, 0.05796),
        (35, 315, 1, 0.10794, 0.09742),
        (12, 60, 4, 0.04583, 0.04382),
        (16, 32, 1, 0.46875, 0.31915),
    ],
)
def test_pipeline_bubble(*, p, m, v, ideal, total):
    """Narayanan et al., arXiv:2104.04473, section 2.2, to five digits."""
    assert float(bubble_over_ideal(pipeline_parallel=p, micro_batches=m, interleave=v)) == pytest.approx(
        ideal, abs=1e-5
    )
    assert float(bubble_over_total(pipeline_parallel=p, micro_batches=m, interleave=v)) == pytest.approx(
        total, abs=1e-5
    )


def test_llama_3_leaves_one_layer_out_on_the_first_and_on_the_last_stage():
    """Llama Team, arXiv:2407.21783, section 3.3.2: 126 layers on 16 stages, eight on the fullest, two places spare."""
    assert float(fullest_stage_layers(126, pipeline_parallel=16)) == 8
    assert float(spare_places(126, pipeline_parallel=16)) == 2
    assert float(largest_piece_layers(126, pipeline_parallel=16, interleave=7)) == 2


@given(layers=st.integers(1, 200), p=st.integers(1, 64), v=st.integers(1, 16))
def test_no_layer_is_lost_on_the_stages_nor_in_their_pieces(*, layers, p, v):
    fullest = float(fullest_stage_layers(layers, pipeline_parallel=p))
    assert p * fullest - float(spare_places(layers, pipeline_parallel=p)) == layers
    assert v * float(largest_piece_layers(layers, pipeline_parallel=p, interleave=v)) >= fullest


@pytest.mark.parametrize(
    ("call", "refusal"),
    [
        (
            lambda: bubble_over_ideal(pipeline_parallel=4, micro_batches=0),
            "micro_batches is at least 1; got 0. Pass 1 for none.",
        ),
    ],
)
def test_a_refusal_says_what_it_is_what_came_and_what_to_do(call, refusal):
    with pytest.raises(ValueError) as caught:
        call()
    assert refusal in str(caught.value)
