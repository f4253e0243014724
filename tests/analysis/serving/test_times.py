from dataclasses import replace

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
    throughput,
    weights_byte_per_chip,
)
from tests.analysis.serving.served import factors, served

MODELS = st.sampled_from(
    ["llama3.18b", "llama3.170b", "deepseekv3", "gptoss120b", "minimaxm2.5", "qwen330ba3b"]
)
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


@settings(deadline=None, max_examples=40)
@given(one=cases(), times=st.floats(1, 8))
def test_more_bandwidth_is_never_slower(one, times):
    faster = replace(one, bandwidth=one.bandwidth * times)
    before, after = serving_times(one, factors()), serving_times(faster, factors())
    assert after.time_per_output_token_s[0] <= before.time_per_output_token_s[0] * (1 + 1e-9)
    assert after.time_to_first_token_s[0] <= before.time_to_first_token_s[0] * (1 + 1e-9)


@settings(deadline=None, max_examples=40)
@given(one=cases(), times=st.floats(1, 8))
def test_more_requests_in_flight_never_speed_a_token_up(one, times):
    assert token_s(replace(one, concurrency=one.concurrency * times)) >= token_s(one) * (1 - 1e-9)


@settings(deadline=None, max_examples=40)
@given(one=cases(), times=st.floats(1, 4))
def test_a_longer_prompt_never_brings_the_first_token_sooner(one, times):
    longer = replace(
        one,
        prompt_tokens=one.prompt_tokens * times,
        prompt_attention_flop=one.prompt_attention_flop * times**2,
        cache_read_byte=one.cache_read_byte * times,
        cache_kept_byte=one.cache_kept_byte * times,
    )
    first = [serving_times(case, factors()).time_to_first_token_s[0] for case in (one, longer)]
    assert first[1] >= first[0] * (1 - 1e-9)


@settings(deadline=None, max_examples=40)
@given(one=cases())
def test_all_times_are_positive_and_finite(one):
    times = serving_times(one, factors())
    for value in vars(times).values():
        assert np.all(np.isfinite(value)) and np.all(value > 0)


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


def test_few_tokens_touch_few_experts():
    one = served(name="deepseekv3", chip="NVIDIA H200 SXM", tensor=8.0)
    step = decode_step(one, factors(), requests=np.array([1.0, 8.0, 4096.0]))
    assert step.weights_s[0] < 0.3 * step.weights_s[2]
    assert step.total_s[0] < step.total_s[1] < step.total_s[2]


def test_weights_are_shared_by_the_chips_of_a_copy():
    one, eight = (served(tensor=tensor) for tensor in (1.0, 8.0))
    assert weights_byte_per_chip(one)[0] == pytest.approx(8 * weights_byte_per_chip(eight)[0])
    assert weights_byte_per_chip(one)[0] == pytest.approx(70.6e9, rel=0.05)  # 70.55 billion at 8 bits
    assert bool(fits(eight, factors())[0])
    assert not bool(fits(served(tensor=1.0, bits=16.0, format_name="BF16"), factors())[0])


def test_attention_in_data_parallel_groups_reads_its_own_copy():
    tensor = served(name="deepseekv3", chip="NVIDIA B200", tensor=8.0, expert=8.0)
    data = served(name="deepseekv3", chip="NVIDIA B200", tensor=1.0, data=8.0, expert=8.0)
    many = np.array([1024.0])
    assert (
        decode_step(data, factors(), requests=many).cache_s
        < decode_step(tensor, factors(), requests=many).cache_s
    )
    assert weights_byte_per_chip(data)[0] > weights_byte_per_chip(tensor)[0]


def test_drafted_tokens_shorten_the_time_of_a_token_at_few_requests():
    plain, drafted = (
        served(name="deepseekv3", chip="NVIDIA B200", tensor=8.0, concurrency=2.0, drafted=tokens)
        for tokens in (0.0, 2.0)
    )
    assert 0.4 < token_s(drafted) / token_s(plain) < 0.9


def test_a_prompt_takes_twice_its_parameters_a_token_at_least():
    one = served(prompt=4096.0)
    floor = 2 * 69.5e9 * 4096 / 4 / chips()["NVIDIA H100 SXM5 80GB"].peak(8.0)
    assert prompt_parts(one, factors()).own_s[0] > 0.9 * floor


def test_throughput_is_what_littles_law_says():
    one = served(output=101.0, concurrency=10.0)
    rate = throughput(one, token_s=np.array([0.02]), first_s=np.array([1.0]), concurrency=np.array([10.0]))
    assert rate[0] == pytest.approx(10 * 101 / 3.0 / 4)


def test_further_copies_share_the_requests():
    one, two = served(concurrency=16.0), served(concurrency=32.0, decode_workers=2.0)
    first, second = serving_times(one, factors()), serving_times(two, factors())
    assert second.time_per_output_token_s[0] == pytest.approx(first.time_per_output_token_s[0], rel=0.02)
    assert second.output_tokens_per_s_per_accelerator[0] == pytest.approx(
        first.output_tokens_per_s_per_accelerator[0], rel=0.02
    )


def test_prompts_read_apart_too_slowly_leave_those_who_write_idle():
    few, many = (
        served(
            prompt=8192.0,
            output=256.0,
            concurrency=512.0,
            decode_workers=2.0,
            prefill_chips=4.0,
            prefill_workers=workers,
        )
        for workers in (1.0, 32.0)
    )
    slow, fast = (serving_times(case, factors()) for case in (few, many))
    assert slow.decoding_requests[0] < 0.5 * fast.decoding_requests[0]
    assert slow.time_per_output_token_s[0] < fast.time_per_output_token_s[0]
    assert slow.time_to_first_token_s[0] > 3 * fast.time_to_first_token_s[0]


def test_software_newer_than_any_measured_counts_as_the_newest():
    next_year, decade = (serving_times(served(year=year), factors()) for year in (2026.6, 2036.0))
    assert next_year.time_to_first_token_s == pytest.approx(decade.time_to_first_token_s)


def test_an_engine_nobody_named_takes_the_mean_of_the_engines():
    names = ("trtllm", "vllm", "sglang")
    steps = {
        name: decode_step(
            served(engine=name, bits=16.0, format_name="BF16"), factors(), requests=np.array([8.0])
        ).total_s[0]
        for name in (*names, "", "another")
    }
    assert steps[""] == pytest.approx(np.prod([steps[name] for name in names]) ** (1 / 3))
    assert steps["another"] == steps[""]
