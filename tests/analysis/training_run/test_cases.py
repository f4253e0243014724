"""A row is a training run, or says why it is none."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.model.architecture import Architecture
from analysis.model.names import models
from analysis.predict.columns import CaseError, CaseRow
from analysis.training_run import cases
from analysis.training_run.case_columns import COLUMNS, OPEN
from analysis.training_run.cases import (
    BY_NUMBERS,
    accelerator_row,
    accelerator_words,
    parse,
    precision_of,
    software_year_of,
)
from analysis.training_run.cases import trained_model as model_of
from data import releases, standing
from tests.analysis.training_run.command import GPT_3, NAMES, read, run

ROW = {name: str(value) for name, value in zip(NAMES, GPT_3, strict=True)}
ACCELERATORS = releases.load("2026-07").accelerators.to_dict("records")
H100 = {
    "peak_flop_per_s": "989.4e12",
    "memory_bandwidth_byte_per_s": "3.35e12",
    "memory_capacity_byte": "80e9",
}


def row_of(cells):
    return CaseRow(cells=cells, columns=COLUMNS)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"overlap": "2"}, "overlap is a share from 0 to 1; got '2'."),
        ({"expert_overlap": "1.5"}, "expert_overlap is a share from 0 to 1; got '1.5'."),
        ({"tied_embeddings": "so"}, "tied_embeddings is true or false, or empty; got 'so'."),
        ({"dense_layers": "97", "experts": "8"}, "a mixture has at most as many dense layers as layers; got 97 of 96"),
        ({"tokens": "300"}, "fill at least one step of 3,145,728; got 300. For 300 billion give 3e+11."),
        ({"heads": "nan"}, "heads is 1 or more; got 'nan'."),
        ({"heads": "97"}, "97 heads are no equal parts of a hidden size of 12288;"),
        ({"zero_stage": "4"}, "zero_stage is 0, 1, 2 or 3; got '4'."),
        ({"recompute": "some"}, "recompute is one of none, selective, full, or empty; got 'some'."),
        ({"accelerators": "1000"}, "accelerators is tensor x pipeline x data x context parallel (1024); got 1000."),
        ({"global_batch": "4"}, "global_batch holds at least one micro-batch for each data-parallel rank; got 4"),
        ({"active_experts": "2"}, "a token goes to at most as many experts as there are"),
        ({"key_value_heads": "7"}, "every key-value head serves the same number of heads"),
    ],
)  # fmt: skip
def test_cells_that_make_no_run_are_refused(more, said):
    with pytest.raises(CaseError, match=re.escape(said)):
        parse({**ROW, **more})


def test_accelerators_must_divide_where_data_parallel_is_left_out():
    with pytest.raises(
        CaseError, match=r"a multiple of tensor x pipeline x context parallel \(64\); got 100"
    ):
        parse({**ROW, "data_parallel": "", "accelerators": "100"})
    assert parse({**ROW, "data_parallel": ""}).data_parallel == 16
    assert parse({**ROW, "accelerators": ""}).accelerators == 1024


def test_experts_may_be_spread_over_tensor_parallel_accelerators_too():
    """2 x 16 copies of data: 32 experts' devices are 16 here, each shared by two tensor-parallel accelerators."""
    more = {
        "experts": "128",
        "active_experts": "8",
        "tensor_parallel": "2",
        "accelerators": "",
        "recompute": "",
    }
    case = parse({**ROW, **more, "expert_parallel": "32"})
    assert (case.data_parallel, case.expert_parallel) == (16, 16)
    with pytest.raises(CaseError, match="experts are spread over accelerators"):
        parse({**ROW, **more, "expert_parallel": "64"})


def test_a_name_alone_is_the_row_of_our_table():
    (row,) = (row for row in ACCELERATORS if row["product"] == "H100 SXM" and row["name"].endswith("80GB"))
    for word in ("accelerator", "device", "gpu"):
        assert (
            accelerator_row(row_of({word: "H100"}), precision="fp16", accelerators=ACCELERATORS)["product"]
            == row["product"]
        )


def test_numbers_come_before_those_of_the_name():
    row = accelerator_row(
        row_of({"accelerator": "H100", "memory_capacity_gbyte": "141"}),
        precision="fp8",
        accelerators=ACCELERATORS,
    )
    assert (row["product"], row["memory_capacity_byte"]) == ("H100 SXM", 141e9)
    words = accelerator_words(row_of({"memory_capacity_gbyte": "141"}), product="H100 SXM")
    assert words == "H100 SXM with memory_capacity_gbyte 141"
    assert accelerator_words(row_of({"accelerator": "H100"}), product="H100 SXM") == "H100 SXM"


def test_all_numbers_stand_for_an_accelerator_of_any_name_or_none():
    for name, product in (("", BY_NUMBERS), ("my chip", "my chip")):
        row = accelerator_row(
            row_of({**H100, "accelerator": name}), precision="fp8", accelerators=ACCELERATORS
        )
        assert row == {
            "product": product,
            "peak_fp8_dense_flop_per_s": 989.4e12,
            "memory_bandwidth_byte_per_s": 3.35e12,
            "memory_capacity_byte": 80e9,
        }


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"accelerator": "H100 quantum"}, "no accelerator is called 'H100 quantum'; near: H100"),
        ({"accelerator": "B52"}, "no accelerator is called 'B52'; for example"),
        ({**H100, "accelerator": "B52", "memory_capacity_byte": ""}, "no accelerator is called 'B52'; for example"),
        ({**H100, "peak_flop_per_s": "989"}, "peak_flop_per_s is 1e+11 or more; got '989'. Check its unit."),
        ({"memory_bandwidth_gbyte_per_s": "0.5"}, "memory_bandwidth_gbyte_per_s is 1 or more; got '0.5'. Check its"),
        ({**H100, "memory_capacity_byte": "80"}, "memory_capacity_byte is 1e+08 or more; got '80'. Check its unit."),
    ],
)  # fmt: skip
def test_what_is_no_accelerator_is_refused_with_what_to_give(row, words):
    with pytest.raises(CaseError) as refusal:
        accelerator_row(row_of(row), precision="fp16", accelerators=ACCELERATORS)
    assert words in str(refusal.value)


def test_a_run_is_predicted_on_an_accelerator_by_numbers(tmp_path, capsys):
    names = [*NAMES, *H100]
    bare = [("" if name == "accelerator" else cell) for name, cell in zip(NAMES, GPT_3, strict=True)]
    named = [("H100" if name == "accelerator" else cell) for name, cell in zip(NAMES, GPT_3, strict=True)]
    code, output, err = run(
        tmp_path, capsys, (*bare, *H100.values()), (*named, "", "", ""), (*bare, *list(H100.values())[:2], ""),
        names=names,
    )  # fmt: skip
    numbers, name, lacking = read(output)
    assert code == 1
    assert numbers["accelerator_used"].startswith(
        "accelerator by numbers with peak_flop_per_s 989.4e12, memory_"
    )
    assert float(numbers["step_s"]) == pytest.approx(float(name["step_s"]), rel=0.25)
    assert lacking["problem"] == "accelerator is needed; it is empty. Give a name, such as H100 SXM."
    assert "row 4: accelerator is needed" in err


@pytest.mark.parametrize(
    ("text", "precision"),
    [
        ("", None),
        ("bf16", "fp16"),
        ("BFloat16", "fp16"),
        ("fp16", "fp16"),
        ("half", "fp16"),
        ("fp8", "fp8"),
        ("MXFP8", "fp8"),
        ("FP8-CS", "fp8"),
        ("FP8-MX", "fp8"),
        ("fp8 current scaling", "fp8"),
        ("fp8_delayed", "fp8"),
        ("FP8 (blockwise)", "fp8"),
        ("e4m3", "fp8"),
        ("NVFP4", "fp4"),
        ("mxfp4", "fp4"),
        ("fp4", "fp4"),
    ],
)
def test_formats_and_their_recipes_are_understood(text, precision):
    assert precision_of(row_of({"precision": text})) == precision


@pytest.mark.parametrize("text", ["int8", "fp32", "exact", "q4_k_m"])
def test_what_runs_do_not_train_in_is_refused(text):
    with pytest.raises(
        CaseError, match=f"precision is one of fp16, bf16, fp8, mxfp8, nvfp4 .*; got '{text}'"
    ):
        precision_of(row_of({"precision": text}))


@pytest.mark.parametrize(
    ("row", "year"),
    [
        ({}, None),
        ({"software": ""}, None),
        ({"software": "26.04"}, 2026 + 3.5 / 12),
        ({"software": "container 26.04.01"}, 2026 + 3.5 / 12),
        ({"software": "Megatron Bridge 25.11"}, 2025 + 10.5 / 12),
        ({"software_date": "2026-04"}, 2026 + 3.5 / 12),
        ({"software_on": "2026-04-30"}, 2026 + 3.5 / 12),
        ({"software": "2026.3"}, 2026.3),
        ({"software": "2024"}, 2024.5),
        ({"software": "MaxText"}, None),
        ({"software": "MaxText", "software_date": "2025-06"}, 2025 + 5.5 / 12),
        ({"software": "torch 2.5"}, None),
        ({"note": "container 26.06; measured twice"}, 2026 + 5.5 / 12),
        ({"note": "26.06 tokens"}, None),
        ({"software": "25.11", "note": "container 26.06"}, 2025 + 10.5 / 12),
    ],
)
def test_versions_by_month_dates_and_years_are_understood(row, year):
    assert software_year_of(row_of(row)) == (None if year is None else pytest.approx(year))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "13",
            "software is a date, such as 2026-04 or 2026.3, or a version by year and month, such as 26.04; got '13'",
        ),
        ("2026-13", "software has a month from 01 to 12; got '2026-13'. Write 2026-04, or 26.04."),
        ("26.00", "software has a month from 01 to 12; got '26.00'"),
    ],
)
def test_what_is_no_date_is_refused_with_what_to_write(text, words):
    with pytest.raises(CaseError) as raised:
        software_year_of(row_of({"software": text}))
    assert words in str(raised.value)


ARCHITECTURES = standing.table("architectures").to_dict("records")
KNOWN = models(
    standing.table("measured_decode"),
    standing.table("architectures"),
    same_shape=standing.table("model_names"),
)
RUN = {"sequence_length": "2048", "global_batch": "512", "accelerator": "A100"}


def trained_model(cells, *, known):
    return model_of(CaseRow(cells=cells, columns=COLUMNS), known=known)


def test_a_mixture_says_its_dense_layers_and_shared_experts(tmp_path, capsys):
    """DeepSeek-V3's feed-forward layers; its total is that of the table without latent attention, within 5 %."""
    row = {name: "" for column in OPEN for name in column.names} | {
        "layers": "61",
        "hidden": "7168",
        "heads": "128",
        "head_size": "128",
        "vocabulary": "129280",
        "sequence_length": "4096",
        "global_batch": "2048",
        "accelerator": "H800",
        "gated": "yes",
        "feed_forward": "2048",
        "experts": "256",
        "active_experts": "8",
        "shared_experts": "1",
        "dense_layers": "3",
        "dense_feed_forward": "18432",
        "tied_embeddings": "no",
    }
    assert cases.parse(row).model.n_parameters == pytest.approx(671e9, rel=0.05)


@pytest.mark.parametrize("row", ARCHITECTURES, ids=lambda row: row["name"])
def test_every_model_of_ours_is_known_by_name(row):
    model = cases.parse({**RUN, "model": row["name"]}, models=KNOWN).model
    assert (model.name, model.sequence_length) == (row["name"], 2048)
    assert model.n_layers == row["n_layers"] and model.hidden_size == row["hidden_size"]


@pytest.mark.parametrize(
    "row",
    [row for row in ARCHITECTURES if row["attention"] != "latent" and not row["n_linear_layers"]],
    ids=lambda row: row["name"],
)
def test_a_row_of_our_table_is_the_same_model_as_its_name(row):
    numbers = {name: cell for name, cell in row.items() if isinstance(cell, int | float) and cell == cell}
    if row["n_experts"] == 0:
        numbers.pop("n_dense_layers")
    cells = {name: f"{cell:.0f}" for name, cell in numbers.items()}
    by_numbers = trained_model({**RUN, **cells}, known={})
    by_name = trained_model({**RUN, "model": row["name"]}, known=KNOWN)
    assert by_numbers.counted.total == by_name.counted.total
    assert by_numbers.counted.active == by_name.counted.active
    assert by_numbers.gated == by_name.gated


@settings(max_examples=60, deadline=None)
@given(
    name=st.sampled_from([row["name"] for row in ARCHITECTURES]),
    maker=st.sampled_from(["", "meta-llama/", "some org/"]),
    tuning=st.sampled_from(["", "-Instruct", " instruct", "-it"]),
    mark=st.sampled_from([" ", "-", "_", ""]),
    upper=st.booleans(),
    word=st.sampled_from(["model", "architecture"]),
)
def test_every_spelling_of_a_model_is_one_model(*, name, maker, tuning, mark, upper, word):
    spelling = maker + name.replace(" ", mark) + tuning
    spelling = spelling.upper() if upper else spelling
    assert trained_model({**RUN, word: spelling}, known=KNOWN) == trained_model(
        {**RUN, "model": name}, known=KNOWN
    )


def test_a_whole_shape_is_the_model_whatever_it_is_called():
    shape = {"n_layers": "24", "hidden_size": "2304", "n_heads": "24", "vocabulary": "51200"}
    for name in ("Llama 3 70B", "nobody's model"):
        assert trained_model({**RUN, **shape, "model": name}, known=KNOWN) == Architecture(
            n_layers=24, hidden_size=2304, n_heads=24, vocabulary_size=51200, sequence_length=2048
        )


def test_sizes_beside_a_name_change_the_model_and_its_name_says_so():
    whole, cut = (
        trained_model({**RUN, "model": "Llama 3 8B", **more}, known=KNOWN)
        for more in ({"n_layers": "32"}, {"n_layers": "16", "tied_embeddings": "yes"})
    )
    assert whole.name == "Llama 3 8B" and whole.n_layers == 32
    assert cut.name == "Llama 3 8B with n_layers 16, tied_embeddings True"
    assert cut.counted.total < 0.6 * whole.counted.total
    mixture = trained_model({**RUN, "model": "Mixtral 8x7B", "expert_ffn_size": "7168"}, known=KNOWN)
    assert mixture.feed_forward == 7168 and mixture.n_experts == 8


def test_older_names_of_sizes_mean_the_same():
    old = {"layers": "24", "hidden": "2048", "heads": "16", "vocabulary": "32000", "key_value_heads": "4"}
    new = {"n_layers": "24", "hidden_size": "2048", "n_heads": "16", "vocabulary": "32000", "n_kv_heads": "4"}
    for more, others in (
        ({"feed_forward": "5632", "gated": "yes"}, {"ffn_size": "5632", "n_ffn_matrices": "3"}),
        ({"feed_forward": "5632", "gated": "no"}, {"ffn_size": "5632", "n_ffn_matrices": "2"}),
        (
            {"feed_forward": "768", "experts": "8", "active_experts": "2", "shared_experts": "1", "dense_layers": "3",
             "dense_feed_forward": "4096"},
            {"expert_ffn_size": "768", "n_experts": "8", "n_active_experts": "2", "n_shared_experts": "1",
             "n_dense_layers": "3", "ffn_size": "4096"},
        ),
        ({}, {"n_experts": "0", "n_active_experts": "0"}),
    ):  # fmt: skip
        one, two = (trained_model({**RUN, **row}, known={}) for row in ({**old, **more}, {**new, **others}))
        assert one == two


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"layers": "", "hidden": "8"}, "layers is needed; it is empty. Give it for every case, or name a model."),
        (
            {"model": "Lama 9", "hidden": "4096"},
            "model 'Lama 9' is not in our tables (nearest: ",
        ),
        ({"model": "Lama 9", "hidden": "4096"}, "Give n_layers, n_heads, vocabulary, or a model we know."),
        ({"model": "Llama 3 8B", "n_ffn_matrices": "4"}, "n_ffn_matrices is 2, or 3 where the feed-forward layer is"),
        ({"model": "Llama 3 8B", "n_heads": "7"}, "every key-value head serves the same number of heads; got 7 heads"),
        (
            {"model": "Llama 3 8B", "n_layers": "16", "layers": "15"},
            "column n_layers: 16 is not what layers says, which is 15. Leave one of them empty.",
        ),
    ],
)  # fmt: skip
def test_what_is_no_model_is_refused_with_what_to_give(row, words):
    with pytest.raises(CaseError) as refusal:
        trained_model({**RUN, **row}, known=KNOWN)
    assert words in str(refusal.value)
