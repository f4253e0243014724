from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.serving.tables import chips
from analysis.serving.times import (
    decode_step,
    fits,
    most_requests,
    prompt_parts,
    serving_times,
    weights_byte_per_chip,
)
from tests.analysis.serving.served import factors, served

NAMES = ("llama3.18b", "llama3.170b", "deepseekv3", "gptoss120b", "minimaxm2.5", "qwen330ba3b")
MODELS = st.sampled_from(NAMES)
CHIPS = st.sampled_from(["NVIDIA H100 SXM5 80GB", "NVIDIA H200 SXM", "NVIDIA B200", "AMD Instinct MI355X"])
ENGINES = st.sampled_from(["vllm", "sglang", "trtllm", ""])
TOKENS = st.floats(64, 16384)
REQUESTS = st.floats(1, 2000)


@st.composite
def cases(draw):
    return served(
        name=draw(MODELS),
        chip=draw(CHIPS),
        engine=draw(ENGINES),
        tensor=draw(st.sampled_from([1.0, 2.0, 8.0])),
        data=draw(st.sampled_from([1.0, 4.0])),
        expert=draw(st.sampled_from([1.0, 8.0])),
        prompt=draw(TOKENS),
        output=draw(TOKENS),
        concurrency=draw(REQUESTS),
    )


def token_s(one) -> float:
    return serving_times(one, factors()).time_per_output_token_s[0]


@settings(deadline=None, max_examples=20)
@given(one=cases())
def test_requests_in_flight_are_their_rate_times_how_long_an_answer_takes(one):
    """Little's law; the first of an answer's tokens waits for no other."""
    times = serving_times(one, factors())
    per_s = times.output_tokens_per_s_per_accelerator * one.all_chips / one.output_tokens
    answer_s = times.time_to_first_token_s + (one.output_tokens - 1) * times.time_per_output_token_s
    assert (per_s * answer_s)[0] == pytest.approx(one.concurrency[0])


def test_prompts_mixed_into_steps_lengthen_them_and_prompts_read_apart_do_not():
    short, long = served(prompt=128.0, output=256.0), served(prompt=8192.0, output=256.0)
    assert token_s(long) > 1.5 * token_s(short)
    apart = served(prompt=8192.0, output=256.0, prefill_workers=4.0, prefill_chips=4.0)
    assert token_s(apart) < token_s(long)


def test_what_the_memory_does_not_hold_waits():
    one = served(tensor=2.0, prompt=8192.0, concurrency=64.0)
    held = most_requests(one, factors())[0]
    assert held < 64
    times = serving_times(one, factors())
    assert times.decoding_requests[0] < held * 1.01
    answer = 1024 * times.time_per_output_token_s[0]
    assert times.time_to_first_token_s[0] > (64 - held) / held * answer * 0.5


def test_weights_are_shared_by_the_chips_of_a_copy():
    one, eight = (served(tensor=tensor) for tensor in (1.0, 8.0))
    assert weights_byte_per_chip(one)[0] == pytest.approx(8 * weights_byte_per_chip(eight)[0])
    assert weights_byte_per_chip(one)[0] == pytest.approx(70.6e9, rel=0.05)  # 70.55 billion at 8 bits
    assert bool(fits(eight, factors())[0])
    assert not bool(fits(served(tensor=1.0, bits=16.0, format_name="BF16"), factors())[0])


def test_a_prompt_takes_twice_its_parameters_a_token_at_least():
    one = served(prompt=4096.0)
    floor = 2 * 69.5e9 * 4096 / 4 / chips()["NVIDIA H100 SXM5 80GB"].peak(8.0)
    assert prompt_parts(one, factors()).own_s[0] > 0.9 * floor


def test_prompts_read_apart_too_slowly_leave_those_who_write_idle():
    load: Any = {"prompt": 8192.0, "output": 256.0, "concurrency": 512.0}
    apart: Any = {"decode_workers": 2.0, "prefill_chips": 4.0}
    few, many = (served(**load, **apart, prefill_workers=count) for count in (1.0, 32.0))
    slow, fast = (serving_times(case, factors()) for case in (few, many))
    assert slow.decoding_requests[0] < 0.5 * fast.decoding_requests[0]
    assert slow.time_per_output_token_s[0] < fast.time_per_output_token_s[0]
    assert slow.time_to_first_token_s[0] > 3 * fast.time_to_first_token_s[0]


def test_an_engine_nobody_named_takes_the_mean_of_the_engines():
    names = ("trtllm", "vllm", "sglang")
    tried = {name: served(engine=name, bits=16.0, format_name="BF16") for name in (*names, "", "another")}
    eight = np.array([8.0])
    steps = {name: decode_step(one, factors(), requests=eight).total_s[0] for name, one in tried.items()}
    assert steps[""] == pytest.approx(np.prod([steps[name] for name in names]) ** (1 / 3))
    assert steps["another"] == steps[""]


def test_as_installed_the_host_takes_longer_and_nothing_else_does():
    requests, known = np.array([8.0]), factors()
    tuned, installed = (served(tuning=word) for word in ("tuned", "installed"))
    first, other = (decode_step(one, known, requests=requests) for one in (tuned, installed))
    assert other.launches_s == pytest.approx(known["installed"] * first.launches_s)
    assert other.total_s - other.launches_s == pytest.approx(first.total_s - first.launches_s)
    quick, slow = (prompt_parts(one, known) for one in (tuned, installed))
    assert slow.launches_s == pytest.approx(known["installed_first"] * quick.launches_s)
    assert token_s(served(tuning="")) == token_s(tuned) < token_s(installed)
