"""Low-rank adapters: published counts, laws, and what bad input gets."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.fine_tuning.adapters import ALL_LINEAR, Adapters, adapter_parameters, experts_per_layer
from analysis.fine_tuning.memory import layer_parameters
from tests.analysis.fine_tuning.tuned_models import LLAMA_8B, ROWS, model
from tests.analysis.refusals import refusals


def test_lora_of_gpt_3_saves_35_mb():
    """Hu et al., arXiv:2106.09685, section 4.2: r = 4 on query and value in 16 bits: +8 %; 10 %; table 4 at r = 1."""
    adapters = Adapters(rank=4, targets=("query", "value"))
    gpt = model("GPT-3 175B")
    assert 2 * float(adapter_parameters(gpt, adapters)) == pytest.approx(35e6, rel=0.1)
    assert float(adapter_parameters(gpt, Adapters(rank=1, targets=("query", "value")))) == pytest.approx(
        4.7e6, rel=0.01
    )  # table 4


def test_the_sizes_of_every_architecture_add_up_to_its_layers():
    """Matrices from heads and widths against the parameters of the table: 5 %."""
    for name in ROWS:
        own = model(name)
        heads = 2 * own.hidden_size * (own.n_heads + own.key_value_heads) * own.head
        attention = (
            own.attention_parameters if own.linear else heads
        )  # linear layers and gates have further matrices
        experts = own.expert_parameters * experts_per_layer(own)
        assert attention + experts == pytest.approx(layer_parameters(own), rel=0.05), name


def test_every_expert_of_a_mixture_gets_adapters_and_only_the_active_ones_work():
    mixtral = model("Mixtral 8x7B")
    one, all_of_them = (
        float(adapter_parameters(mixtral, Adapters(), active=active)) for active in (True, False)
    )
    assert 3 < all_of_them / one < 4


@given(rank=st.integers(1, 256), targets=st.lists(st.sampled_from(ALL_LINEAR), min_size=1, unique=True))
def test_adapters_grow_with_their_rank_and_add_up_over_the_matrices_that_have_them(rank, targets):
    alone = [float(adapter_parameters(LLAMA_8B, Adapters(rank=rank, targets=(each,)))) for each in targets]
    together = float(adapter_parameters(LLAMA_8B, Adapters(rank=rank, targets=tuple(targets))))
    assert together == pytest.approx(sum(alone))
    twice = adapter_parameters(LLAMA_8B, Adapters(rank=np.array([rank, 2 * rank]), targets=tuple(targets)))
    np.testing.assert_allclose(twice, [together, 2 * together])


test_bad_choices_are_refused_with_what_to_do = refusals(
    {
        "rank is 1 or more; got 0. 8 to 64 is usual": lambda: Adapters(rank=0),
        re.compile(r"some of query, key.*; got router. Name at least one"):
            lambda: Adapters(targets=(*ALL_LINEAR, "router")),  # type: ignore[arg-type]
        "got none. Name at least one": lambda: Adapters(targets=()),
    }
)  # fmt: skip
