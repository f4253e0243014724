import re

import pytest

from analysis.model.architecture import Architecture
from analysis.predict.columns import CaseError, CaseRow
from analysis.training_run import cases
from analysis.training_run.tables import tables
from data import standing
from data.releases import latest
from tests.analysis.training_run.command import GPT_3, NAMES

ROW = {name: str(value) for name, value in zip(NAMES, GPT_3, strict=True)}
KNOWN = tables(latest())
ARCHITECTURES = standing.table("architectures").to_dict("records")
RUN = {"sequence_length": "2048", "global_batch": "512", "accelerator": "A100"}
NAMED = {**RUN, "model": "Llama 3 8B"}
H100 = dict(peak_flop_per_s="989.4e12", memory_bandwidth_byte_per_s="3.35e12", memory_capacity_byte="80e9")


def row_of(cells):
    return CaseRow(cells=cells, dialect=cases.DIALECT)


def model_of(cells, *, known=KNOWN.models):
    return cases.trained_model(row_of({**RUN, **cells}), known=known)


def accelerator(*, precision="fp16", **cells):
    return cases.accelerator_row(row_of(cells), precision=precision, accelerators=KNOWN.accelerators)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({**ROW, "overlap": "2"}, "overlap is a share from 0 to 1; got '2'."),
        ({**ROW, "expert_overlap": "1.5"}, "expert_overlap is a share from 0 to 1; got '1.5'."),
        ({**ROW, "tied_embeddings": "so"}, "tied_embeddings is true or false, or empty; got 'so'."),
        ({**ROW, "dense_layers": "97", "experts": "8"}, "at most as many dense layers as layers; got 97 of 96"),
        ({**ROW, "tokens": "300"}, "fill at least one step of 3,145,728; got 300. For 300 billion give 3e+11."),
        ({**ROW, "heads": "97"}, "97 heads do not divide a hidden size of 12288;"),
        ({**ROW, "zero_stage": "4"}, "zero_stage is 0, 1, 2 or 3; got '4'."),
        ({**ROW, "recompute": "some"}, "recompute is one of none, selective, full, or empty; got 'some'."),
        ({**ROW, "accelerators": "1000"}, "is tensor x pipeline x data x context parallel (1024); got 1000."),
        ({**ROW, "data_parallel": "", "accelerators": "100"}, "multiple of tensor x pipeline x context parallel (64)"),
        ({**ROW, "global_batch": "4"}, "at least one micro-batch for each data-parallel rank; got 4"),
        ({**ROW, "active_experts": "2"}, "a token goes to at most as many experts as there are"),
        ({**ROW, "precision": "int8"}, "precision is one of fp16, bf16, fp8, mxfp8, nvfp4 or another recipe"),
        ({**ROW, "precision": "q4_k_m"}, "of these, or empty; got 'q4_k_m'"),
        ({**ROW, "software": "13"}, "software is a date, such as 2026-04 or 2026.3, or a version by year"),
        ({**ROW, "software": "2026-13"}, "software has a month from 01 to 12; got '2026-13'. Write 2026-04, or 26.04."),
        ({**RUN, "hidden": "8"}, "n_layers is needed; it is empty. Give it for every case, or name a model."),
        ({**RUN, "model": "Lama 9", "hidden": "4096"}, "model 'Lama 9' is not in our tables (nearest: "),
        ({**RUN, "model": "Lama 9", "hidden": "4096"}, "Give n_layers, n_heads, vocabulary, or a model we know."),
        ({**NAMED, "n_ffn_matrices": "4"}, "n_ffn_matrices is 2, or 3 where the feed-forward layer is gated; got '4'"),
        ({**NAMED, "n_heads": "7"}, "every key-value head serves the same number of heads; got 7 heads"),
        ({**NAMED, "n_layers": "16", "layers": "15"}, "n_layers: 16 is not what layers says, which is 15. Leave"),
    ],
)  # fmt: skip
def test_what_is_no_run_is_refused_with_what_to_give(row, words):
    with pytest.raises(CaseError, match=re.escape(words)):
        cases.parse(row, models=KNOWN.models)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"accelerator": "H100 quantum"}, "no accelerator is called 'H100 quantum'; near: H100"),
        ({**H100, "accelerator": "B52", "memory_capacity_byte": ""}, "no accelerator is called 'B52'; for example"),
        ({**H100, "peak_flop_per_s": "989"}, "peak_flop_per_s is 1e+11 or more; got '989'. Check its unit."),
        ({"memory_bandwidth_gbyte_per_s": "0.5"}, "memory_bandwidth_gbyte_per_s is 1 or more; got '0.5'. Check its"),
        ({**H100, "memory_capacity_byte": "80"}, "memory_capacity_byte is 1e+08 or more; got '80'. Check its unit."),
    ],
)  # fmt: skip
def test_what_is_no_accelerator_is_refused_with_what_to_give(row, words):
    with pytest.raises(CaseError, match=re.escape(words)):
        accelerator(**row)


def test_the_copies_of_data_follow_from_the_accelerators_or_give_them():
    assert cases.parse({**ROW, "data_parallel": ""}).data_parallel == 16
    assert cases.parse({**ROW, "accelerators": ""}).accelerators == 1024


def test_experts_may_be_spread_over_tensor_parallel_accelerators_too():
    """2 x 16 copies of data: 32 experts' devices are 16 here, each shared by two tensor-parallel accelerators."""
    more = dict(experts="128", active_experts="8", tensor_parallel="2", accelerators="", recompute="")
    case = cases.parse({**ROW, **more, "expert_parallel": "32"})
    assert (case.data_parallel, case.expert_parallel) == (16, 16)
    with pytest.raises(CaseError, match="experts are spread over accelerators"):
        cases.parse({**ROW, **more, "expert_parallel": "64"})  # fmt: skip


def test_numbers_come_before_those_of_the_name():
    row = accelerator(accelerator="H100", memory_capacity_gbyte="141", precision="fp8")
    assert (row["product"], row["memory_capacity_byte"]) == ("H100 SXM", 141e9)
    words = cases.accelerator_words(row_of({"memory_capacity_gbyte": "141"}), product="H100 SXM")
    assert words == "H100 SXM with memory_capacity_gbyte 141"
    assert cases.accelerator_words(row_of({"accelerator": "H100"}), product="H100 SXM") == "H100 SXM"


def test_all_numbers_stand_for_an_accelerator_of_any_name_or_none():
    for name, product in (("", cases.BY_NUMBERS), ("my chip", "my chip")):
        memory = {name: float(H100[name]) for name in ("memory_bandwidth_byte_per_s", "memory_capacity_byte")}
        row = {"product": product, "peak_fp8_dense_flop_per_s": 989.4e12, **memory}
        assert accelerator(**H100, accelerator=name, precision="fp8") == row


def test_formats_and_their_recipes_are_understood():
    words = {
        None: ("",),
        "fp16": ("bf16", "BFloat16", "fp16", "half"),
        "fp8": (
            "fp8",
            "MXFP8",
            "FP8-CS",
            "FP8-MX",
            "fp8 current scaling",
            "fp8_delayed",
            "FP8 (blockwise)",
            "e4m3",
        ),
        "fp4": ("NVFP4", "mxfp4", "fp4"),
    }
    for precision, recipes in words.items():
        assert {cases.precision_of(row_of({"precision": recipe})) for recipe in recipes} == {precision}


@pytest.mark.parametrize(
    ("row", "year"),
    [
        ({"software": ""}, None),
        ({"software": "26.04"}, 2026 + 3.5 / 12),
        ({"software": "container 26.04.01"}, 2026 + 3.5 / 12),
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
    assert cases.software_year_of(row_of(row)) == (None if year is None else pytest.approx(year))


@pytest.mark.parametrize(
    "row",
    [row for row in ARCHITECTURES if row["attention"] != "latent" and not row["n_linear_layers"]],
    ids=lambda row: row["name"],
)
def test_a_row_of_our_table_is_the_same_model_as_its_name(row):
    numbers = {name: cell for name, cell in row.items() if isinstance(cell, int | float) and cell == cell}
    if row["n_experts"] == 0:
        numbers.pop("n_dense_layers")
    by_numbers = model_of({name: f"{cell:.0f}" for name, cell in numbers.items()}, known={})
    by_name = model_of({"model": row["name"]})
    assert (by_name.name, by_name.n_layers) == (row["name"], row["n_layers"])
    assert by_numbers.counted == by_name.counted
    assert by_numbers.gated == by_name.gated


def test_a_whole_shape_is_the_model_whatever_it_is_called():
    shape = {"n_layers": "24", "hidden_size": "2304", "n_heads": "24", "vocabulary": "51200"}
    for name in ("Llama 3 70B", "nobody's model"):
        assert model_of({**shape, "model": name}) == Architecture(
            n_layers=24, hidden_size=2304, n_heads=24, vocabulary_size=51200, sequence_length=2048
        )


def test_sizes_beside_a_name_change_the_model_and_its_name_says_so():
    whole, cut = (
        model_of({"model": "Llama 3 8B", **more})
        for more in ({"n_layers": "32"}, {"n_layers": "16", "tied_embeddings": "yes"})
    )
    assert whole.name == "Llama 3 8B" and whole.n_layers == 32
    assert cut.name == "Llama 3 8B with n_layers 16, tied_embeddings True"
    assert cut.counted.total < 0.6 * whole.counted.total
    mixture = model_of({"model": "Mixtral 8x7B", "expert_ffn_size": "7168"})
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
        assert model_of({**old, **more}, known={}) == model_of({**new, **others}, known={})


def test_an_empty_cell_and_an_absent_column_leave_it_open():
    for row in map(row_of, ({}, {"micro_batch": ""}, {"micro_batch": "  "})):
        whole, choice = cases.whole_of(row, "micro_batch"), cases.choice_of(row, "recompute")
        assert whole is choice is cases.flag_of(row, "gated") is None


def test_cells_are_read_by_any_name_of_their_column():
    for name, column in cases.DIALECT.by_name.items():
        if column.whole:
            assert {cases.whole_of(row_of({called: " 4 "}), name) for called in column.names} == {4}
    assert cases.number_of(row_of({"tokens": "15.6e12"}), "tokens") == 15.6e12
    assert cases.choice_of(row_of({"recompute": " Full "}), "recompute") == "full"
    flags = [cases.flag_of(row_of({"gated": word}), "gated") for word in ("1", "Yes", "TRUE", "0", "no")]
    assert flags == [True, True, True, False, False]


@pytest.mark.parametrize(
    ("read", "column", "text", "words"),
    [
        (cases.number_of, "tokens", "many", "tokens is a number; got 'many'."),
        (cases.number_of, "tokens", "0", "tokens is 1 or more; got '0'."),
        (cases.number_of, "overlap", "-1", "overlap is 0 or more; got '-1'."),
        (
            *(cases.number_of, "network_bandwidth_byte_per_s", "inf"),
            "network_bandwidth_byte_per_s is 1 or more; got 'inf'.",
        ),
        (cases.whole_of, "zero_stage", "1.5", "zero_stage is a whole number; got '1.5'."),
        (cases.whole_of, "global_batch", "", "global_batch is needed; it is empty. Give it for every case."),
        (cases.flag_of, "gated", "maybe", "gated is true or false, or empty; got 'maybe'."),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told_with_its_column(*, read, column, text, words):
    with pytest.raises(CaseError) as refusal:
        read(row_of({column: text}), column)
    assert str(refusal.value) == words
