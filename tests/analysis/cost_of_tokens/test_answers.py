"""What an answer moves and costs: bytes by hand, and longer answers that cost more than their tokens."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from analysis.cost_of_tokens.answers import answer, read_byte_per_token
from analysis.cost_of_tokens.candidates import Candidates, Rented, Work, candidates
from analysis.cost_of_tokens.frontier import frontiers
from analysis.serving.tables import chips, model
from analysis.serving.times import by_name
from tests.analysis.cost_of_tokens.test_frontier import TERMS
from views.models import architecture


@cache
def factors():
    return by_name(model().factors)


def tried(tokens: float) -> Candidates:
    work = Work(format_name="FP8", bits=8.0, prompt_tokens=1024.0, output_tokens=tokens)
    rented = [Rented(chip=chips()["NVIDIA H100 SXM5 80GB"], usd_per_hour=4.0)]
    return candidates(architecture("llama-3.1-70b"), rented, work=work, engine="vllm")


def test_one_request_reads_all_weights_for_each_token_and_many_share_them():
    eight = tried(1024.0).at(np.array([3]))
    alone, cache = read_byte_per_token(eight, factors(), requests=np.ones(1))
    assert alone[0] == pytest.approx(70.6e9, rel=0.03)  # 8 bits a weight; embeddings are looked up
    shared, same = read_byte_per_token(eight, factors(), requests=np.full(1, 64.0))
    assert shared[0] == pytest.approx(alone[0] / 64)
    assert same[0] == pytest.approx(cache[0])
    assert cache[0] == pytest.approx(
        1536 * 80 * 2 * 1024 * eight.deployments.cache_read_byte[0] / (1536 * 80 * 2048)
    )


def test_a_long_train_of_thought_costs_more_a_token_than_a_short_one():
    frontier = frontiers(tried(1024.0), model(), terms=TERMS)[0]
    short, long = (
        answer(tried(tokens), frontier, factors=factors(), terms=TERMS) for tokens in (500.0, 50_000.0)
    )
    assert short is not None
    assert long is not None
    assert long.usd > 100 * short.usd
    assert long.requests < short.requests
    assert long.seconds == pytest.approx(50_000 / 30)
    assert long.cache_byte / long.tokens > 10 * short.cache_byte / short.tokens


def test_a_speed_that_nothing_has_gives_no_answer():
    frontier = frontiers(tried(1024.0), model(), terms=TERMS)[0]
    assert answer(tried(1024.0), frontier, factors=factors(), terms=replace(TERMS, speed=1e5)) is None
