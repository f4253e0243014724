"""A work on other models and with other tokens."""

import numpy as np
import pytest

from analysis.placement.work import resized
from tests.analysis.placement.questions import a_work


def test_resizing_by_one_changes_nothing_and_text_weighs_four_bytes_a_token():
    work = a_work()
    same = resized(work, np.ones((1, 1)))
    for name, value in vars(work).items():
        assert np.all(np.asarray(getattr(same, name)) == value), name
    assert work.request_byte == 4000.0
    assert work.traffic_byte == 5200.0
    assert work.peak_requests_per_s == pytest.approx(2000 * 4 / 86400)


def test_tokens_kept_from_earlier_turns_count_in_the_cache_alone():
    more, less = a_work(kept_tokens=5000.0), a_work(kept_tokens=0.0)
    assert more.cache_read_byte > less.cache_read_byte
    assert more.prompt_tokens == less.prompt_tokens
    assert more.request_byte == less.request_byte
