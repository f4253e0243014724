"""What the choices stand for: the model, the machine, tokens, batch and price."""

import pytest

from data.releases import latest, load
from data.standing import rows
from tests.views.training_run.answers import ask, value
from views.training_run.choices import architectures
from views.training_run.inputs import inputs_of, model_of, sequences
from views.training_run.settings import TrainingRunSettings

STATED_WITHOUT_EMBEDDINGS = {
    "gpt-oss-20b": 1,
    "gpt-oss-120b": 1,
    "Kimi K2": 1,
    "DeepSeek-V2-Lite": 1,
    "DeepSeek-V3.2": 1,
    "GLM-5": 1,
    "MiniMax-M2.5": 2,
    "Mistral Large 3": 1,
    "GLM-4.5": 2,
    "GLM-4.5 Air": 2,
}
"""Models whose makers' active parameters leave out the first, or the first and the output layer."""


def inputs(**settings):
    return inputs_of(TrainingRunSettings(**settings), load(latest()))


@pytest.mark.parametrize("word", architectures())
def test_the_model_trained_has_the_parameters_of_the_table(word):
    name, model = model_of(TrainingRunSettings(model=word))
    row = rows("architectures", "name")[name]
    assert model.counted.total == pytest.approx(row["n_parameters"], rel=0.02)
    left_out = STATED_WITHOUT_EMBEDDINGS.get(name, 0) * model.embedding_parameters
    assert model.counted.active - left_out == pytest.approx(row["n_active_parameters"], rel=0.022)


@pytest.mark.parametrize(
    ("batch", "sequence", "number"), [(0.01, 8192, 1), (0.0131, 8192, 2), (16.8, 8192, 2048)]
)
def test_a_batch_is_brought_to_whole_sequences(*, batch, sequence, number):
    assert sequences(TrainingRunSettings(batch=batch, sequence=sequence)) == number


def test_a_model_has_its_own_tokens_and_one_without_says_what_is_assumed():
    assert value(ask("model=gpt-3-175b"), "days") == value(ask("model=gpt-3-175b&tokens=300"), "days")
    assert value(ask(), "days") == value(ask("tokens=15600"), "days")
    assert any(
        "Mixtral 8x7B was trained on is not in our table" in note for note in ask("model=mixtral-8x7b").notes
    )
    assert any(note.startswith("How many tokens this model was") for note in ask("model=custom").notes)
    assert not any("not in our table" in note for note in ask("model=mixtral-8x7b&tokens=2000").notes)


def test_compute_in_place_of_tokens_gives_the_same_run():
    by_tokens = ask("model=gpt-3-175b&tokens=300")
    by_compute = ask("model=gpt-3-175b&compute=315")
    ratio = value(by_compute, "days") / value(by_tokens, "days")
    assert ratio == pytest.approx(315e21 / (6 * 174.6e9 * 300e9), rel=0.01)


def test_the_readers_numbers_of_a_chip_take_the_place_of_its_own_in_their_units():
    chip = inputs(bandwidth=8, memory=141, link=900, network=800, domain=72).machine.chip
    assert chip.memory_bandwidth_byte_per_s == 8e12
    assert chip.memory_capacity_byte == 141e9
    assert chip.link_bandwidth_byte_per_s == 900e9
    assert chip.network_bandwidth_byte_per_s == 100e9
    assert chip.domain_size == 72


def test_another_peak_brings_its_measured_rate_along_in_proportion():
    own, faster = inputs().machine, inputs(peak=2000).machine
    assert faster.peak_flop_per_s == 2e15
    assert faster.matmul_flop_per_s / own.matmul_flop_per_s == pytest.approx(2e15 / own.peak_flop_per_s)


def test_power_is_one_and_a_half_times_the_chips_and_a_price_says_where_it_is_from():
    plain = inputs()
    assert plain.power_w == 1.5 * 700
    assert plain.price_basis.startswith("median of ")
    assert (inputs(price=2).price_usd, inputs(price=2).price_basis) == (2, "as given")
    unknown = inputs(accelerator="tpu-v2")
    assert (unknown.price_usd, unknown.price_basis[:7]) == (2.5, "assumed")


def test_only_so_many_accelerators_are_taken_as_can_be_had():
    assert inputs(available=4096).accelerators == 4096
    assert inputs(available=100_000).accelerators == 16384


def test_a_chip_that_a_release_lacks_and_a_rate_that_a_chip_lacks_are_refused():
    with pytest.raises(LookupError, match="MTIA 300 is not in this release; choose another accelerator"):
        inputs_of(TrainingRunSettings(accelerator="mtia-300"), load("2025-11"))
    with pytest.raises(ValueError, match="V100 has no FP8 rate in this release"):
        inputs(accelerator="v100", precision="fp8")
