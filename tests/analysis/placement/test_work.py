import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.placement.work import busier, resized, with_contexts_of
from analysis.serving.deployment import ServingWork
from tests.analysis.placement.questions import a_work


def test_resizing_by_one_changes_nothing_and_text_weighs_four_bytes_a_token():
    work = a_work()
    same = resized(work, np.ones((1, 1)))
    for one, other in ((work, same), (work.serving, same.serving)):
        for name, value in vars(one).items():
            if not isinstance(value, ServingWork):
                assert np.all(np.asarray(getattr(other, name)) == value), name
    assert work.request_byte == 4000.0
    assert work.traffic_byte == 5200.0
    assert work.peak_requests_per_s == pytest.approx(2000 * 4 / 86400)


@given(times=st.floats(0.01, 100.0))
def test_all_parameters_grow_alike_and_the_cache_with_depth_alone(times):
    work = a_work()
    large = resized(work, np.array([[times]]))
    assert large.serving.weights_byte == pytest.approx(times * work.serving.weights_byte)
    assert large.weights_byte == pytest.approx(times * work.weights_byte)
    for byte in (1.0, 2.0):
        ratio = large.serving.cache_kept_byte(byte) / work.serving.cache_kept_byte(byte)
        assert ratio == pytest.approx(large.serving.n_layers / work.serving.n_layers)
    one, other = work.serving, large.serving
    assert other.n_layers * other.hidden**2 == pytest.approx(times * one.n_layers * one.hidden**2)


def test_other_contexts_are_those_of_the_work_asked_with_them():
    kept = (0.0, 500.0, 20_000.0)
    others = [a_work(kept_tokens=tokens) for tokens in kept]
    usual = a_work()
    cells = resized(usual, np.ones((3, 1)))
    there = with_contexts_of(cells, others, usual=usual)
    for name in ("cache_read_numbers", "cache_kept_numbers", "prompt_attention_flop"):
        expected = [getattr(other.serving, name) for other in others]
        assert getattr(there.serving, name)[:, 0] == pytest.approx(expected), name
    read = [float(other.cache_read_byte) for other in others]
    assert np.asarray(there.cache_read_byte)[:, 0] == pytest.approx(read)
    assert np.array_equal(there.serving.routed_parameters, cells.serving.routed_parameters)


def test_a_busier_work_is_of_the_same_model():
    work = busier(a_work(), np.array([[1.0], [1e6]]))
    assert work.serving == a_work().serving
    assert np.asarray(work.people)[:, 0] == pytest.approx([1.0, 10_000.0])
