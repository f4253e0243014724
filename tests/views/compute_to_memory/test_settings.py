from dataclasses import replace

import pytest

from data.releases import load, names
from views.compute_to_memory.settings import CHIPS, ComputeToMemorySettings, chip_word
from views.compute_to_memory.view import VIEW
from views.view import read


@pytest.mark.parametrize("release", names())
def test_every_chip_of_the_roofline_is_one_row_of_the_data(release):
    parts = load(release).accelerators
    for product in CHIPS.values():
        rows = parts.loc[(parts["product"] == product) & parts["representative"]]
        assert len(rows) == 1, product


def test_the_settings_of_a_link_are_those_of_the_view():
    settings, ignored = read(VIEW, "precision=fp8&ratio=capacity&chip=b200&batch=0")
    assert isinstance(settings, ComputeToMemorySettings)
    assert (settings.precision, settings.ratio, settings.chip) == ("fp8", "capacity", "b200")
    assert settings.batch == 64 and [item.setting for item in ignored] == ["batch"]
    assert replace(settings, batch=65) != settings


def test_the_word_of_a_chip_is_its_product_without_series_form_and_memory():
    assert list(CHIPS) == [
        *("v100", "a100", "h100", "h200", "b200", "b300", "mi300x", "mi355x", "tpu-v4", "tpu-v5p"),
        *("tpu-v6e", "tpu-v7", "trainium2", "gaudi-3", "l40s", "rtx-4090"),
    ]
    assert chip_word("GeForce RTX 4090") == "rtx-4090" and chip_word("A100 80 GB") == "a100"
