"""The models and accelerators a run can be computed for."""

import pytest

from data.releases import latest, load, names
from data.standing import rows
from views.training_run.choices import (
    accelerators,
    architectures,
    chip_kind,
    offered,
    trainable,
    trainable_rows,
)
from views.training_run.view import VIEW
from views.view import answer, read


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
