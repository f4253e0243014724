"""What stands where a reader gives no number is what the run is computed from."""

import re
from typing import Any

import pytest

from data.releases import latest, load
from views.training_run.as_it_comes import (
    CHIP_NUMBERS,
    chip_number,
    own_machine,
    price_in_words,
    price_of,
    tokens_in_words,
    tokens_of,
)
from views.training_run.inputs import inputs_of
from views.training_run.settings import TrainingRunSettings

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
    with pytest.raises(
        LookupError, match=r"^No such chip is not in this release; choose another accelerator"
    ):
        own_machine("No such chip", load(RELEASE), precision="fp16")


def test_tokens_are_those_published_or_those_assumed():
    assert tokens_of("llama-3.1-405b") == (15.6e12, "as published")
    assert tokens_in_words("llama-3.1-405b") == "as published: 15,600"
    assert tokens_in_words("custom") == "assumed: 15,600"
    assert TrainingRunSettings().where_empty("tokens") == "as published: 15,600"


def test_a_price_is_the_median_of_the_table_or_assumed():
    price, basis = price_of("No such chip", product="X1", release=RELEASE)
    assert (price, basis) == (2.5, "assumed: no price of the X1 in our table")
    assert price_in_words("X1", release=RELEASE) == "assumed: $2.50"
    settings = TrainingRunSettings()
    listed = inputs_of(settings, load(RELEASE))
    assert settings.where_empty("price") == f"median on demand: ${listed.price_usd:,.2f}"
    assert listed.price_basis.startswith("median of ")
