from hypothesis import given
from hypothesis import strategies as st

from analysis.model.architecture import Architecture
from analysis.training_run import plans
from tests.analysis.refusals import refusals
from tests.analysis.training_run.runs import SMALL, SMALL_SHAPE


def test_llama_3_leaves_one_layer_out_on_the_first_and_on_the_last_stage():
    """Llama Team, arXiv:2407.21783, section 3.3.2: 126 layers on 16 stages, eight on the fullest, two places spare."""
    assert float(plans.fullest_stage_layers(126, pipeline_parallel=16)) == 8
    assert float(plans.spare_places(126, pipeline_parallel=16)) == 2
    assert float(plans.largest_piece_layers(126, pipeline_parallel=16, interleave=7)) == 2


@given(layers=st.integers(1, 200), p=st.integers(1, 64), v=st.integers(1, 16))
def test_no_layer_is_lost_on_the_stages_nor_in_their_pieces(*, layers, p, v):
    fullest = float(plans.fullest_stage_layers(layers, pipeline_parallel=p))
    assert p * fullest - float(plans.spare_places(layers, pipeline_parallel=p)) == layers
    assert v * float(plans.largest_piece_layers(layers, pipeline_parallel=p, interleave=v)) >= fullest


def test_experts_may_be_spread_over_all_that_share_data_and_context():
    model = Architecture(**SMALL_SHAPE, n_experts=8)
    plans.refuse_impossible(model, global_batch=8, data_parallel=4, context_parallel=2, expert_parallel=8)


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "tensor_parallel is at least 1; got 0. Pass 1 for none.": lambda: plans.Plans(tensor_parallel=0),
        "overlap is at least 0; got -0.5. Pass 0 for none.": lambda: plans.Plans(overlap=-0.5),
        "8 tensor-parallel accelerators cannot share 4 attention heads evenly; choose a divisor of 4":
            lambda: plans.refuse_impossible(SMALL, global_batch=8, tensor_parallel=8),
        "3 pipeline stages are more than the model's 2 layers; lower them":
            lambda: plans.refuse_impossible(SMALL, global_batch=8, pipeline_parallel=3),
        "2 stages of 2 pieces are too many for 2 layers, 1 on the fullest stage; lower the interleave":
            lambda: plans.refuse_impossible(SMALL, global_batch=8, pipeline_parallel=2, interleave=2),
        "pieces interleave between pipeline stages; got 2 pieces and one stage. Interleave 1 is none":
            lambda: plans.refuse_impossible(SMALL, global_batch=8, interleave=2),
        "a sequence of 128 tokens cannot be split evenly over 3 context-parallel accelerators; choose a divisor":
            lambda: plans.refuse_impossible(SMALL, global_batch=8, context_parallel=3),
        "8 expert-parallel accelerators cannot share 1 expert evenly; choose a divisor of 1":
            lambda: plans.refuse_impossible(SMALL, global_batch=8, data_parallel=8, expert_parallel=8),
        "experts are spread over accelerators that share data and context, 2 here, of which 8 are no even part;":
            lambda: plans.refuse_impossible(
                Architecture(**SMALL_SHAPE, n_experts=8), global_batch=8, data_parallel=2, expert_parallel=8
            ),
        "a batch of 8 sequences cannot be split over 2 data-parallel devices in micro-batches of 3; change one":
            lambda: plans.refuse_impossible(SMALL, global_batch=8, data_parallel=2, micro_batch=3),
    }
)  # fmt: skip
