"""What the choices stand for: the model, the machine, tokens, batch and price."""

import re
from functools import partial
from typing import Any

import pytest

from analysis.training_run.tables import paces
from data.releases import latest, load, names
from data.standing import rows
from tests.views.reading import answer_to, value
from views.training_run import defaults
from views.training_run.inputs import (
    AS_SEARCHED,
    CHIPS_TIME,
    DEGREES,
    chosen_plan,
    inputs_of,
    model_of,
    searched_degree,
    sequences,
    years_of,
)
from views.training_run.settings import TrainingRunSettings
from views.training_run.view import VIEW

ask = partial(answer_to, VIEW, holds=True)

STATED_WITHOUT_EMBEDDINGS = {
    **dict.fromkeys(("gpt-oss-20b", "gpt-oss-120b", "Kimi K2", "DeepSeek-V2-Lite"), 1),
    **dict.fromkeys(("DeepSeek-V3.2", "GLM-5", "Mistral Large 3"), 1),
    **dict.fromkeys(("MiniMax-M2.5", "GLM-4.5", "GLM-4.5 Air"), 2),
}
"""Models whose makers' active parameters leave out the first, or the first and the output layer."""
RELEASE = latest()


def inputs(**settings):
    return inputs_of(TrainingRunSettings(**settings), load(latest()))


@pytest.mark.parametrize("word", defaults.architectures())
def test_the_model_trained_has_the_active_parameters_of_the_table(word):
    name, model = model_of(TrainingRunSettings(model=word))
    row = rows("architectures", "name")[name]
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
    assert TrainingRunSettings().where_empty("tokens") == "as published: 15,600"
    assert TrainingRunSettings(model="custom").where_empty("tokens") == "assumed: 15,600"
    assert "training tokens of Mixtral 8x7B is unknown" in " ".join(ask("model=mixtral-8x7b").notes)
    assert "training tokens of this model is unknown" in " ".join(ask("model=custom").notes)
    assert "is unknown" not in " ".join(ask("model=mixtral-8x7b&tokens=2000").notes)


def test_compute_in_place_of_tokens_gives_the_same_run():
    by_tokens = ask("model=gpt-3-175b&tokens=300")
    by_compute = ask("model=gpt-3-175b&compute=315")
    ratio = value(by_compute, "days") / value(by_tokens, "days")
    assert ratio == pytest.approx(315e21 / (6 * 174.6e9 * 300e9), rel=0.01)


def test_another_peak_brings_its_measured_rate_along_in_proportion():
    own, faster = inputs().run.machine, inputs(peak=2000).run.machine
    assert faster.peak_flop_per_s == 2e15
    assert faster.matmul_flop_per_s / own.matmul_flop_per_s == pytest.approx(2e15 / own.peak_flop_per_s)


@pytest.mark.parametrize(
    ("text", "year"), [("2024", 2024.5), ("2024-01", 2024 + 0.5 / 12), ("2025-12", 2025 + 11.5 / 12)]
)
def test_a_date_is_the_middle_of_its_year_or_month(text, year):
    assert years_of(text, machine=inputs().run.machine, known=paces(latest())) == pytest.approx([year])


def test_software_is_of_the_chips_time_unless_a_link_says_otherwise():
    """Llama 3.1 405B was trained on H100 with software of March 2024; of no other chip do we know."""
    assert inputs().software_year == pytest.approx(2024 + 2.5 / 12, abs=0.01)
    assert inputs(software=CHIPS_TIME).pace == inputs().pace
    b200 = inputs(accelerator="b200")
    newest = paces(latest()).newest("NVIDIA")
    assert b200.software_year == pytest.approx((b200.run.machine.chip.released_year + 0.5 + newest) / 2)
    assert b200.pace.spread > inputs(accelerator="b200", software="2026").pace.spread


def test_newer_software_is_faster_and_its_date_stands_under_the_chart():
    early, plain, late = ask("software=2022-06"), ask(), ask("software=2026")
    assert value(late, "days") < 0.9 * value(plain, "days") < 0.9 * value(early, "days")
    assert "Software from Jun 2022." in early.settings_line and "Software from 2026." in late.settings_line
    assert "Software from" not in plain.settings_line
    assert "Software from 2026." in late.exhibits[0].chart.source and "&software=2026&" in late.link
    assert late.figure("pace").label == "Pace of comparable runs with software from Jul 2026"
    assert value(late, "pace") > value(plain, "pace")


def test_what_the_newest_software_would_do_is_said_where_there_is_newer():
    (note,) = [note for note in ask().changes if note.startswith("With software from")]
    match = re.search(r"instead of Mar 2024, the run would take (\d+) days \((\d+)–(\d+) days", note)
    assert match
    days, low, high = map(int, match.groups())
    assert low < days < high < round(value(ask(), "days"))
    assert days == pytest.approx(value(ask("software=2026"), "days"), abs=3)
    assert not any("With software from" in note for note in ask("software=2026").changes)


def plan_of(**settings):
    chosen = TrainingRunSettings(**settings)
    return chosen_plan(chosen, inputs_of(chosen, load(latest())).run)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"accelerators": 16_500},
        {"accelerators": 131_072},
        {"model": "deepseek-v3", "accelerators": 2048},
        {"model": "llama-3.1-8b", "accelerators": 64, "accelerator": "b200"},
    ],
)
def test_a_plan_by_hand_starts_from_the_fastest_one(settings):
    (auto, tried), (by_hand, alone) = (plan_of(plan=plan, **settings) for plan in ("auto", "manual"))
    assert alone == 1 < tried
    for column in (*DEGREES.values(), "data_parallel"):
        assert by_hand.one(column) == auto.one(column), column


def test_a_degree_that_is_given_takes_the_place_of_the_fastest_plans_and_the_copies_fill_up():
    (auto, _), (by_hand, _) = plan_of(), plan_of(plan="manual", tensor=16, recompute="full")
    assert by_hand.one("tensor_parallel") == 16 and by_hand.one("recompute") == 2
    assert by_hand.one("pipeline_parallel") == auto.one("pipeline_parallel")
    assert by_hand.one("data_parallel") * 2 == auto.one("data_parallel")


def test_what_stands_for_an_empty_degree_is_that_of_the_fastest_plan_where_one_fits():
    by_hand, auto = TrainingRunSettings(plan="manual", micro_batch=2), TrainingRunSettings()
    assert by_hand.where_empty("tensor") == "8, as the fastest plan"
    assert auto.where_empty("tensor") == "as in the fastest plan"
    assert by_hand.option_label("zero", AS_SEARCHED) == "1: optimizer states (fastest plan)"
    assert auto.option_label("zero", AS_SEARCHED) == "As in the fastest plan"
    assert by_hand.option_label("zero", "3") == "3: weights too (FSDP)"
    settings = TrainingRunSettings(plan="manual", accelerators=8)
    assert searched_degree(settings, "tensor") is None
    assert settings.where_empty("tensor") == "as in the fastest plan"


@pytest.mark.parametrize("accelerator", ["h100-sxm", "b200", "mi300x", "tpu-v5p"])
@pytest.mark.parametrize("precision", ["fp16", "fp8"])
@pytest.mark.parametrize("name", defaults.CHIP_NUMBERS)
def test_giving_the_number_that_stands_in_an_empty_field_changes_nothing_but_rounding(
    *, accelerator, precision, name
):
    empty = TrainingRunSettings(accelerator=accelerator, precision=precision)
    words = empty.where_empty(name)
    try:
        own = inputs_of(empty, load(RELEASE))
    except ValueError:
        assert ": " not in words
        return
    number = float(re.findall(r"[\d,.]+", words.partition(": ")[2])[0].replace(",", ""))
    changed: dict[str, Any] = {name: number}
    changed_run = TrainingRunSettings(accelerator=accelerator, precision=precision, **changed)
    same = inputs_of(changed_run, load(RELEASE))
    assert same.power_w == pytest.approx(own.power_w, rel=1e-3)
    assert same.run.machine.peak_flop_per_s == pytest.approx(own.run.machine.peak_flop_per_s, rel=1e-3)
    rates = (f"{part}_bandwidth_byte_per_s" for part in ("memory", "link", "network"))
    for field in (*rates, "memory_capacity_byte", "domain_size"):
        value = getattr(own.run.machine.chip, field)
        assert getattr(same.run.machine.chip, field) == pytest.approx(value, rel=1e-3), field


def test_an_empty_field_shows_the_numbers_of_the_data_sheet():
    """NVIDIA H100 SXM: 989.4 TFLOP/s of 16-bit products, 3.35 TB/s, 80 GB, 450 GB/s each way in a domain of eight."""
    own = TrainingRunSettings()
    shown = [own.where_empty(name).removeprefix("from H100 SXM: ") for name in defaults.CHIP_NUMBERS]
    numbers = ["989.4 TFLOP/s", "3.35 TB/s", "80 GB", "450 GB/s", "400 Gbit/s", "8", "1,050 W"]
    assert shown == numbers


def test_what_is_not_known_of_a_chip_has_no_words():
    assert defaults.chip_number("peak", "No such chip", precision="fp16", release=RELEASE) == ""
    assert defaults.chip_number("peak", "A100 80 GB", precision="fp8", release=RELEASE) == ""
    a100 = TrainingRunSettings(accelerator="a100-80-gb", precision="fp8")
    assert a100.where_empty("peak") == "the chip's own"


def test_a_price_is_the_median_of_the_table_or_assumed():
    unknown = defaults.price_of("No such chip", product="X1", release=RELEASE)
    assert unknown == defaults.Price(usd=2.5, basis="assumed: no price of the X1 in our table")
    settings = TrainingRunSettings()
    price = inputs().price
    assert settings.where_empty("price") == f"median on demand: ${price.usd:,.2f}"
    assert price.listed and price.basis.startswith("median of ")
    assert inputs(price=2).price == defaults.Price(usd=2, basis="as given")
    assert inputs().power_w == 1.5 * 700


def test_every_chip_of_a_link_is_a_row_of_the_newest_release_with_its_year_or_said_to_be_of_an_earlier_one():
    known = defaults.trainable_rows(load(latest()))
    chips = list(defaults.accelerators().values())
    assert chips[: len(known)] == list(known)
    earlier = {chip for name in names() for chip in defaults.trainable_rows(load(name))} - set(known)
    assert set(chips[len(known) :]) == earlier == {"B100"}
    assert defaults.offered()["b100"] == ("B100 (earlier releases)", "B100")
    assert defaults.accelerators()["h100-sxm"] == defaults.offered()["h100-sxm"] == "H100 SXM"
