import itertools

import pytest

from analysis.hardware.roofline import Roof
from analysis.hardware.workloads import placed, workloads


@pytest.mark.parametrize(
    ("batch", "prompt", "tokens"), list(itertools.product((1, 300), (1, 5000), (1, 10**7)))
)
def test_the_work_is_ordered_by_intensity_and_more_tokens_mean_more(*, batch, prompt, tokens):
    work = workloads(precision="fp16", batch=batch, prompt=prompt, tokens=tokens)
    intensities = [item.intensity for item in work]
    assert intensities == sorted(intensities)
    linear = sorted((item.tokens, item.intensity) for item in work if item.tokens and item.kind != "experts")
    assert [intensity for _, intensity in linear] == sorted(intensity for _, intensity in linear)


def test_work_under_a_roof_reaches_what_memory_feeds_and_never_more_than_the_peak():
    roof = Roof(peak_flop_per_s=989.4e12, memory_bandwidth_byte_per_s=3.35e12)
    work = workloads(precision="fp16", batch=64, prompt=2048, tokens=8192)
    for item, under in zip(work, placed(work, roof), strict=True):
        assert under.workload is item
        fed = item.intensity * roof.memory_bandwidth_byte_per_s
        assert under.bound_by == ("memory" if fed < roof.peak_flop_per_s else "compute")
        assert under.attainable_flop_per_s == min(fed, roof.peak_flop_per_s)
        assert under.share_of_peak == under.attainable_flop_per_s / roof.peak_flop_per_s
