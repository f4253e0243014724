"""The model of a run is told by name or by numbers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.model.architecture import Architecture
from analysis.model.names import models
from analysis.predict.columns import CaseError, CaseRow
from analysis.training_run import cases
from analysis.training_run.case_columns import COLUMNS, OPEN
from analysis.training_run.case_model import trained_model as model_of
from data import standing

ROWS = standing.table("architectures").to_dict("records")
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


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_every_model_of_ours_is_known_by_name(row):
    model = cases.parse({**RUN, "model": row["name"]}, models=KNOWN).model
    assert (model.name, model.sequence_length) == (row["name"], 2048)
    assert model.n_layers == row["n_layers"] and model.hidden_size == row["hidden_size"]


@pytest.mark.parametrize(
    "row",
    [row for row in ROWS if row["attention"] != "latent" and not row["n_linear_layers"]],
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
    name=st.sampled_from([row["name"] for row in ROWS]),
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
