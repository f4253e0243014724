from dataclasses import replace

import numpy as np
import pytest

from data.releases import latest, load
from views.chips import rows as chip_rows
from views.chips.choice import MEMORY_KINDS, SEGMENTS, VENDORS, AcceleratorSettings


def test_announced_and_excluded_chips_and_listings_of_the_same_product_stay_out_of_a_fit():
    release = load(latest())
    chips = chip_rows.candidates(release, AcceleratorSettings())
    assert np.all(chips["status"] == "shipped")
    assert np.all(chips["excluded"] == "")
    assert not chips["product"].duplicated().any()
    assert np.all(chips["memory_kind"] != "SRAM")
    with_sram = chip_rows.candidates(release, AcceleratorSettings(memory="any"))
    assert np.any(with_sram["memory_kind"] == "SRAM")


def test_as_exported_takes_every_listing_and_no_announcement():
    release = load(latest())
    settings = AcceleratorSettings(curation="as-exported")
    assert len(chip_rows.candidates(release, settings)) > len(
        chip_rows.candidates(release, AcceleratorSettings())
    )
    assert chip_rows.announced(release, settings).empty


@pytest.mark.parametrize("rule", ["all", "flagships"])
def test_each_filter_leaves_only_what_it_names(rule):
    release = load(latest())
    base = AcceleratorSettings(rule=rule)
    everything = chip_rows.candidates(release, base)
    for name, column, known in (
        ("vendor", "vendor", VENDORS),
        ("memory", "memory_kind", MEMORY_KINDS),
        ("kind", "segment", SEGMENTS),
    ):
        for slug, meaning in known.items():
            kept = chip_rows.candidates(release, replace(base, **{name: slug}))
            assert set(kept[column]) <= {meaning}
            if slug != "sram":
                assert len(kept) == (everything[column] == meaning).sum()
