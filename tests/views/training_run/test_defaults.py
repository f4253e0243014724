"""The models and accelerators to choose from; what stands where a reader gives no number is what is computed with."""

import re
from typing import Any

import pytest

from analysis.refusal import Refusal
from data.releases import latest, load, names
from data.standing import rows
from views.training_run.defaults import (
    CHIP_NUMBERS,
    Price,
    accelerators,
    architectures,
    chip_kind,
    chip_number,
    offered,
    own_machine,
    price_in_words,
    price_of,
    tokens_in_words,
    tokens_of,
    trainable,
    trainable_rows,
)
from views.training_run.inputs import inputs_of
from views.training_run.settings import TrainingRunSettings
from views.training_run.view import VIEW
from views.view import answer, read

RELEASE = latest()


@pytest.mark.parametrize("accelerator", ["h100-sxm", "b200", "mi300x", "tpu-v5p"])
@pytest.mark.parametrize("precision", ["fp16", "fp8"])
@pytest.mark.parametrize("name", CHIP_NUMBERS)
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
    given = TrainingRunSettings(accelerator=accelerator, precision=precision, **changed)
    same = inputs_of(given, load(RELEASE))
    assert same.power_w == pytest.approx(own.power_w, rel=1e-3)
    assert same.machine.peak_flop_per_s == pytest.approx(own.machine.peak_flop_per_s, rel=1e-3)
    for field in ("memory_bandwidth", "link_bandwidth", "network_bandwidth"):
        value = getattr(own.machine.chip, f"{field}_byte_per_s")
        assert getattr(same.machine.chip, f"{field}_byte_per_s") == pytest.approx(value, rel=1e-3)
    assert same.machine.chip.memory_capacity_byte == pytest.approx(
        own.machine.chip.memory_capacity_byte, rel=1e-3
    )
    assert same.machine.chip.domain_size == own.machine.chip.domain_size


def test_the_numbers_are_named_after_their_chip_in_the_unit_of_their_field():
    words = {name: chip_number(name, "B200", precision="fp16", release=RELEASE) for name in CHIP_NUMBERS}
    assert words["bandwidth"] == "from B200: 7.7 TB/s"
    assert words["memory"] == "from B200: 180 GB"
    assert words["peak"].endswith(" TFLOP/s")
    assert words["network"].endswith(" Gbit/s")
    assert words["power"].endswith(" W")


def test_what_is_not_known_of_a_chip_has_no_words():
    assert chip_number("peak", "No such chip", precision="fp16", release=RELEASE) == ""
    assert chip_number("peak", "A100 80 GB", precision="fp8", release=RELEASE) == ""
    assert (
        TrainingRunSettings(accelerator="a100-80-gb", precision="fp8").where_empty("peak") == "the chip's own"
    )


def test_a_chip_that_the_release_lacks_is_told():
    with pytest.raises(Refusal, match=r"^No such chip is not in this release; choose another accelerator"):
        own_machine("No such chip", load(RELEASE), precision="fp16")


def test_tokens_are_those_published_or_those_assumed():
    assert tokens_of("llama-3.1-405b") == (15.6e12, "as published")
    assert tokens_in_words("llama-3.1-405b") == "as published: 15,600"
    assert tokens_in_words("custom") == "assumed: 15,600"
    assert TrainingRunSettings().where_empty("tokens") == "as published: 15,600"


def test_a_price_is_the_median_of_the_table_or_assumed():
    unknown = price_of("No such chip", product="X1", release=RELEASE)
    assert unknown == Price(usd=2.5, basis="assumed: no price of the X1 in our table")
    assert price_in_words("X1", release=RELEASE) == "assumed: $2.50"
    settings = TrainingRunSettings()
    price = inputs_of(settings, load(RELEASE)).price
    assert settings.where_empty("price") == f"median on demand: ${price.usd:,.2f}"
    assert price.listed and price.basis.startswith("median of ")


@pytest.mark.parametrize("precision", ["fp16", "fp8"])
def test_numbers_of_chips_are_written_without_exponents(precision):
    numbers = {
        chip_number(name, product, precision=precision, release=RELEASE)
        for name in CHIP_NUMBERS
        for product in trainable_rows(load(RELEASE))
    }
    wafer = own_machine("H100 SXM", load(RELEASE), precision="fp16").with_chip(power_w=23_000)
    assert CHIP_NUMBERS["power"](wafer) == "34,500 W"
    assert len(numbers) > 100 and not [number for number in numbers if re.search(r"\de[+-]", number)]


@pytest.mark.parametrize("release", names())
def test_chips_to_train_on_have_what_a_run_needs_and_the_newest_come_first(release):
    chips = trainable(load(release))
    needed = ["peak_fp16_dense_flop_per_s", "memory_bandwidth_byte_per_s", "memory_capacity_byte"]
    assert chips[needed].notna().to_numpy().all()
    assert min(chips["memory_capacity_byte"].tolist()) >= 8e9
    assert "consumer" not in set(chips["segment"])
    assert chips["released_on"].is_monotonic_decreasing and chips["product"].is_unique


def test_every_chip_of_a_link_is_a_row_of_the_newest_release_with_its_year_or_said_to_be_of_an_earlier_one():
    known = trainable_rows(load(latest()))
    chips = list(accelerators().values())
    assert chips[: len(known)] == list(known)
    earlier = {chip for name in names() for chip in trainable_rows(load(name))} - set(known)
    assert set(chips[len(known) :]) == earlier == {"B100"}
    assert offered()["b100"] == ("B100 (earlier releases)", "B100")
    assert accelerators()["h100-sxm"] == offered()["h100-sxm"] == "H100 SXM"


def test_a_link_of_an_earlier_release_keeps_its_chip_when_a_later_one_leaves_it_out():
    link = "release=2025-11&accelerator=b100&accelerators=64&model=llama-3.1-8b"
    settings, ignored = read(VIEW, link)
    assert not ignored
    assert answer(VIEW, settings).headline.startswith("Llama 3.1 8B on 64 B100 takes")


def test_each_has_the_year_it_came_out():
    known = trainable_rows(load(latest()))
    assert all(int(row["released_year"]) == row["released_on"].year for row in known.values())


def test_models_come_largest_first_and_have_a_shape():
    table = rows("architectures", "name")
    sizes = [table[name]["n_parameters"] for name in architectures().values()]
    assert sizes == sorted(sizes, reverse=True) and len(sizes) > 20
    assert all(table[name]["n_layers"] > 0 for name in architectures().values())


def test_a_chip_cut_for_export_is_held_against_the_runs_of_its_sibling_and_an_unknown_one_against_none():
    assert chip_kind("H800") == chip_kind("H100 SXM") != chip_kind("A100 80 GB")
    assert chip_kind("TPU v5p") == chip_kind("TPU v4") != ""
    assert chip_kind("MI300X") == chip_kind("V100") == "" != chip_kind("MI355X")
