from analysis.hardware.workloads import workloads
from views.compute_to_memory.words import SIZES, work_assumes, work_name


def test_every_kind_of_work_has_its_own_name_and_says_what_it_assumes():
    work = workloads(precision="fp16", batch=1_000, prompt=2_000, tokens=3_000)
    names = [work_name(item) for item in work]
    assert len(set(names)) == len(work) == 9
    assert {"Decode, batch 1,000", "Experts, batch 1,000", "Prefill, 2,000 tokens"} < set(names)
    assumed = [work_assumes(item) for item in work]
    assert (
        "1,000 requests share each reading of the weights" in assumed and "3,000 tokens per device" in assumed
    )
    assert all(item and "{" not in item for item in assumed)


def test_the_sizes_are_those_of_the_layers():
    assert "8,192" in SIZES
