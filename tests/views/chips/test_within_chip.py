"""One answer within one chip: the same number, definition and words on every page that gives it."""

from dataclasses import replace

import numpy as np
import pytest

from data.releases import load, names
from tests.views.reading import answer_to
from views.chips import rows, within_chip
from views.chips.choice import AcceleratorSettings
from views.registry import VIEWS

FIGURES = {"/": "chip_chip_gap_growth", "/growth-gap": "chip_chip_gap", "/compute-to-memory": "yearly_growth"}


def result(link):
    path, _, query = link.partition("?")
    return answer_to(VIEWS[path], query, holds=True)


@pytest.mark.parametrize(("release", "level"), [*((name, "90") for name in names()), (names()[-1], "80")])
def test_every_page_gives_one_number_and_one_sentence(release, level):
    same = {
        (figure.value, figure.low, figure.high, figure.n)
        for path, name in FIGURES.items()
        for figure in [result(f"{path}?release={release}&level={level}").figure(name)]
    }
    assert len(same) == 1
    (sentence,) = within_chip.sentences(load(release), level=level)
    rate, low, high, n = same.pop()
    assert f"{rate:.2f}× a year ({level}% interval {low:.2f}–{high:.2f}×), over {n} data-centre" in sentence
    fleet, chips = (result(f"{path}?release={release}&level={level}") for path in ("/fleet", "/accelerators"))
    assert sentence in fleet.changes and sentence in chips.changes


def test_the_definition_counts_every_data_centre_product_since_matrix_units_came():
    chips = load("2026-07").accelerators
    counts = (
        (chips["segment"] == "data-centre")
        & (chips["released_on"] >= "2017")
        & (chips["status"] == "shipped")
        & (chips["excluded"] == "")
        & (chips["memory_kind"] != "SRAM")
        & chips["peak_fp16_dense_flop_per_s"].notna()
        & chips["memory_bandwidth_byte_per_s"].notna()
    )
    figure = result("/compute-to-memory?release=2026-07").figure("yearly_growth")
    assert figure.n == int(np.sum(counts & chips["representative"])) == 66


def test_every_listing_instead_of_every_product_moves_the_rate_by_a_hundredth():
    release = load("2026-07")
    listed = replace(release, accelerators=release.accelerators.assign(representative=True))
    chips = AcceleratorSettings(**within_chip.CHIPS, since=str(within_chip.SINCE))
    growth = rows.fitted(rows.candidates(listed, chips, metric=within_chip.RATIO), chips)
    assert (growth.n, growth.trend.yearly_growth) == (90, pytest.approx(1.074, abs=0.001))


def test_old_links_with_explicit_chips_keep_their_numbers():
    gap = result("/growth-gap?release=2026-07&chips=nvidia-flagships").figure("chip_chip_gap")
    assert (gap.value, gap.n) == (pytest.approx(1.0804, abs=1e-4), 6)
    balance = result("/compute-to-memory?release=2026-07&rule=flagships&since=2020").figure("yearly_growth")
    assert (balance.value, balance.n) == (pytest.approx(1.0297, abs=1e-4), 29)
