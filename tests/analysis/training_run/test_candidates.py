"""The plans worth trying: whole, each once, and of stages that a pipeline can have."""

from dataclasses import fields

import numpy as np
import pytest

from analysis.training_run.candidates import NoPlanFits, candidates, interleavings, zero_stages
from tests.analysis.training_run.runs import MODEL, SMALL


def test_every_candidate_uses_all_accelerators_and_splits_the_batch():
    many = candidates(MODEL, accelerators=96, global_batch=384, overlap=0.5)
    np.testing.assert_array_equal(many.accelerators, 96)
    per_rank = 384 / (np.asarray(many.data_parallel) * np.asarray(many.micro_batch))
    np.testing.assert_array_equal(per_rank, np.round(per_rank))
    assert (
        len(
            {
                tuple(np.ravel(getattr(many, f.name))[i] for f in fields(many) if f.init)
                for i in range(many.shape[0])
            }
        )
        == many.shape[0]
    )


def test_only_plans_without_a_pipeline_split_gradients_or_weights():
    many = candidates(MODEL, accelerators=64, global_batch=256, overlap=0.5)
    stages = {
        p: set(np.asarray(many.zero_stage)[np.asarray(many.pipeline_parallel) == p].tolist()) for p in (1, 4)
    }
    assert stages == {1: {0, 1, 2, 3}, 4: {0, 1}} == {p: set(zero_stages(p)) for p in (1, 4)}


def test_interleaving_adds_no_layer_to_the_fullest_stage():
    """126 layers on 16 stages are eight on the fullest: in 3, 5, 6 or 7 pieces they would be more."""
    assert interleavings(126, stages=16) == (1, 2, 4, 8)
    assert interleavings(1, stages=4) == (1,)


def test_a_batch_that_cannot_be_split_is_refused_with_what_to_do():
    with pytest.raises(
        NoPlanFits, match="no plan splits 7 accelerators over a batch of 4 sequences; choose a"
    ) as caught:
        candidates(SMALL, accelerators=7, global_batch=4, overlap=0.5)
    assert caught.value.leanest is None


def test_refusals_have_their_own_kinds():
    assert issubclass(NoPlanFits, ValueError)
