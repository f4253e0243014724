"""A row is a training run, or says why it is none."""

import pytest

from analysis.training_run import cases
from tests.analysis.training_run.command import GPT_3, NAMES


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"overlap": "2"}, "overlap is a share from 0 to 1; got '2'."),
        ({"expert_overlap": "1.5"}, "expert_overlap is a share from 0 to 1; got '1.5'."),
        ({"gated": "maybe"}, "gated is true or false, or empty; got 'maybe'."),
        ({"tied_embeddings": "so"}, "tied_embeddings is true or false, or empty; got 'so'."),
        (
            {"dense_layers": "97", "experts": "8"},
            "a mixture has at most as many dense layers as layers; got 97 of 96",
        ),
        ({"tokens": "300"}, "fill at least one step of 3,145,728; got 300. For 300 billion give 3e\\+11."),
        ({"active_experts": "2"}, "a token goes to at most as many experts as there are"),
        ({"key_value_heads": "7"}, "every key-value head serves the same number of heads"),
    ],
)
def test_optional_columns_are_checked_too(more, said):
    row = {name: str(value) for name, value in zip(NAMES, GPT_3, strict=True)}
    with pytest.raises(cases.CaseError, match=said.replace("(", r"\(")):
        cases.parse({**row, **more})


def test_accelerators_must_divide_where_data_parallel_is_left_out():
    row = {name: str(value) for name, value in zip(NAMES, GPT_3, strict=True)}
    with pytest.raises(
        cases.CaseError, match=r"a multiple of tensor x pipeline x context parallel \(64\); got 100"
    ):
        cases.parse({**row, "data_parallel": "", "accelerators": "100"})
    assert cases.parse({**row, "data_parallel": ""}).data_parallel == 16
    assert cases.parse({**row, "accelerators": ""}).accelerators == 1024


def test_experts_may_be_spread_over_tensor_parallel_accelerators_too():
    """2 x 16 copies of data: 32 experts' devices are 16 here, each shared by two tensor-parallel accelerators."""
    row = {name: str(value) for name, value in zip(NAMES, GPT_3, strict=True)}
    more = {
        "experts": "128",
        "active_experts": "8",
        "tensor_parallel": "2",
        "accelerators": "",
        "recompute": "",
    }
    case = cases.parse({**row, **more, "expert_parallel": "32"})
    assert (case.data_parallel, case.expert_parallel) == (16, 16)
    with pytest.raises(cases.CaseError, match="experts are spread over accelerators"):
        cases.parse({**row, **more, "expert_parallel": "64"})


def test_the_software_of_a_run_is_its_own_or_left_open():
    row = {name: str(value) for name, value in zip(NAMES, GPT_3, strict=True)}
    assert cases.parse(row).software_year is None
    assert cases.parse({**row, "software": "26.01"}).software_year == pytest.approx(2026 + 0.5 / 12)
