"""Places, software and work as the settings and the price lists say."""

import pytest

from data.releases import latest
from views.cost_of_tokens.inputs import engines_of, inputs_of, work_of
from views.cost_of_tokens.settings import CostOfTokensSettings
from views.view import pinned


def inputs(**choices: object):
    settings = pinned(CostOfTokensSettings(**choices))  # type: ignore[arg-type]
    assert isinstance(settings, CostOfTokensSettings)
    return settings, inputs_of(settings, latest())


def test_a_part_without_known_links_is_shared_by_no_more_than_one_instance_has():
    places = inputs()[1].places
    assert places["NVIDIA GH200"].rented.chip.domain_size == 1
    assert places["NVIDIA GB300 (Blackwell Ultra)"].rented.chip.domain_size == 72


def test_software_is_what_the_model_was_measured_with():
    settings, found = inputs()
    nvidia, amd = (found.places[name].rented.chip for name in ("NVIDIA B200", "AMD Instinct MI300X"))
    assert set(engines_of(settings, nvidia)) == {"sglang", "trtllm", "vllm"}
    assert set(engines_of(settings, amd)) == {"sglang", "vllm"}
    assert engines_of(inputs(model="qwen3-4b")[0], nvidia) == ("vllm",)


@pytest.mark.parametrize(
    ("choices", "maker", "expected"),
    [
        ({}, "NVIDIA", "FP8"),
        ({"model": "gpt-oss-120b"}, "NVIDIA", "MXFP4"),
        ({"format": "fp4"}, "NVIDIA", "NVFP4"),
        ({"format": "fp4"}, "AMD", "MXFP4"),
        ({"model": "llama-3.1-8b"}, "NVIDIA", "BF16"),
    ],
)
def test_formats_are_those_of_model_and_maker(choices, *, maker, expected):
    assert work_of(inputs(**choices)[0], maker=maker).format_name == expected


def test_a_share_of_the_prompt_is_cached_and_one_token_at_least_is_read():
    work = work_of(inputs(prompt=1, cached=99)[0], maker="NVIDIA")
    assert work.cached_tokens == 0
    assert work_of(inputs(prompt=1000, cached=25)[0], maker="NVIDIA").cached_tokens == 250


def test_one_accelerator_alone_is_tried_where_it_is_chosen():
    found = inputs(accelerator="h200")[1]
    assert list(found.places) == ["NVIDIA H200 SXM"]
    assert found.tried is not None


def test_later_years_try_every_generation_so_far():
    today, later = inputs(accelerator="h200")[1], inputs(accelerator="h200", year="2028")[1]
    assert today.tried is not None
    assert later.tried is not None
    assert len(later.tried) == 3 * len(today.tried)
    assert later.tried.deployments.bandwidth.max() > 1.4 * today.tried.deployments.bandwidth.max()
