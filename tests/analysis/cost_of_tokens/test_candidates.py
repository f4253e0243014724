from dataclasses import replace

import numpy as np
import pytest

from analysis.cost_of_tokens.candidates import Candidates, Rented, Work, candidates, engine_on, plans
from analysis.serving.tables import chips
from views.models import architecture

WORK = Work(format_name="FP8", bits=8.0, prompt_tokens=1024.0, output_tokens=1024.0)
H200 = chips()["NVIDIA H200 SXM"]
DENSE, MIXTURE = architecture("llama-3.1-70b"), architecture("deepseek-v3")


def tried(*names: str) -> Candidates:
    rented = [Rented(chip=chips()[name], usd_per_hour=2.0) for name in names]
    return candidates(MIXTURE, rented, work=WORK, engine="sglang")


def test_plans_stay_within_the_domain_and_spread_experts_of_mixtures_alone():
    assert [plan.tensor for plan in plans(DENSE, H200)] == [1, 2, 4, 8]
    assert [plan.tensor for plan in plans(DENSE, replace(H200, domain_size=1.0))] == [1]
    assert [plan.data for plan in plans(MIXTURE, H200) if plan.data > 1] == [2, 4, 8]
    rack = plans(MIXTURE, chips()["NVIDIA GB300 (Blackwell Ultra)"])
    servers = plans(MIXTURE, H200, across=True)
    assert max(plan.chips for plan in rack) == max(plan.chips for plan in servers) == 64


def test_an_engine_gives_way_where_an_accelerator_lacks_it():
    amd, tpu = chips()["AMD Instinct MI300X"], chips()["Google TPU v6e Trillium"]
    assert [engine_on(chip, "trtllm") for chip in (H200, amd, tpu)] == ["trtllm", "vllm", "vllm"]
    assert [engine_on(chip, "sglang") for chip in (H200, amd, tpu)] == ["sglang", "sglang", "vllm"]


def test_parts_are_joined_and_taken_in_their_order():
    both = tried("NVIDIA H200 SXM", "NVIDIA B200")
    joined = Candidates.joined([tried("NVIDIA H200 SXM"), tried("NVIDIA B200")])
    assert joined.deployments.accelerator == both.deployments.accelerator
    rates = [one.deployments.memory_bandwidth_byte_per_s.tolist() for one in (joined, both)]
    assert rates[0] == rates[1]
    last = both.at(np.array([-1, 0])).loaded(np.array([3.0, 4.0]))
    assert last.deployments.accelerator == ("NVIDIA B200", "NVIDIA H200 SXM")
    assert last.deployments.concurrency.tolist() == [3.0, 4.0]
    assert both.of("NVIDIA B200").sum() == len(both) / 2


def test_what_grows_is_what_an_accelerator_offers_and_asks():
    now = tried("NVIDIA H200 SXM")
    factor = {"bandwidth": 2.0, "flop": 3.0, "capacity": 4.0, "link": 5.0}
    then = now.grown(factor, rent=1.5)
    was, grown = now.deployments, then.deployments
    assert grown.memory_bandwidth_byte_per_s == pytest.approx(2 * was.memory_bandwidth_byte_per_s)
    assert grown.expert_peak_flop_per_s == pytest.approx(3 * was.expert_peak_flop_per_s)
    assert then.usd_per_hour == pytest.approx(1.5 * now.usd_per_hour)
    assert (grown.n_layers == was.n_layers).all()


def test_no_accelerator_is_told():
    with pytest.raises(ValueError, match=r"on at least one accelerator; got none. Pass one with a rent"):
        candidates(MIXTURE, [], work=WORK, engine="vllm")
