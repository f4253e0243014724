"""Published training speeds the model was not set on: how far off it is, kind by kind."""

from statistics import median

import pytest

from analysis.training_run.published import KINDS, error_of_all, kind_of
from charts.chart import BarChart
from data.releases import latest
from tests.views.training_run.answers import ask
from views.training_run.choices import chip_kind
from views.training_run.measured import errors, published_runs, runs_set_on

# What held-out runs stay within, kind by kind, as measured when the table was made and a little room.
WITHIN = {
    "A100 up to 8,192 tokens": 0.07,
    "H100 up to 8,192 tokens": 0.20,
    "longer sequences on A100": 0.05,
    "longer sequences on H100": 0.70,
    "thousands of A100 or H100": 0.10,
    "8-bit products or Blackwell": 0.22,
    "mixtures of experts": 0.35,
    "TPU": 0.25,
}


def test_held_out_runs_stay_within_what_the_page_says_of_their_kind():
    by_kind = errors(latest())
    assert tuple(by_kind) == KINDS
    for kind, error in by_kind.items():
        assert error.size < WITHIN[kind], error
        assert error.low <= error.middle <= error.high
        assert max(abs(error.low), abs(error.high)) <= abs(error.worst) + 1e-12
    assert error_of_all(published_runs(latest())).size < 0.14


def test_software_of_2023_on_the_h100_is_slower_than_predicted_and_nvidias_of_2024_and_later_faster():
    rates = [rate for rate in published_runs(latest()) if rate.held_out]
    early = [rate.error for rate in rates if rate.run.startswith("MPT") and "H100" in rate.kind]
    late = [rate.error for rate in rates if rate.run.startswith("Nemotron-4 340B, BF16")]
    late += [rate.error for rate in rates if rate.run.startswith("Llama") and ", H100, " in rate.run]
    assert len(early) > 25 and median(early) > 0.1
    assert len(late) > 6 and median(late) < -0.1


def test_held_out_runs_are_those_no_constant_was_set_on():
    """Fused attention before Hopper was set on long sequences on A100 80 GB; the A100 40 GB rows test it."""
    by_kind = [rate for rate in published_runs(latest()) if rate.kind == "longer sequences on A100"]
    assert sum(not rate.held_out for rate in by_kind) == 11
    assert median(abs(rate.error) for rate in by_kind if rate.held_out) < 0.05


@pytest.mark.parametrize(
    ("run", "kind"),
    [
        ({}, "H100 up to 8,192 tokens"),
        ({"product": "A100 40 GB"}, "A100 up to 8,192 tokens"),
        ({"product": "H800", "sequence_token": 8193}, "longer sequences on H100"),
        ({"accelerators": 2048, "sequence_token": 65536}, "thousands of A100 or H100"),
        ({"precision": "fp8", "accelerators": 4096}, "8-bit products or Blackwell"),
        ({"product": "GB300"}, "8-bit products or Blackwell"),
        ({"experts": 8, "precision": "fp8"}, "mixtures of experts"),
        ({"product": "TPU v6e", "experts": 8}, "TPU"),
        ({"product": "MI300X"}, None),
        ({"product": "V100", "experts": 8}, None),
    ],
)
def test_a_run_is_of_the_kind_farthest_from_what_the_constants_were_set_on(run, kind):
    plain = {
        "product": "H100 SXM",
        "precision": "fp16",
        "sequence_token": 8192,
        "accelerators": 64,
        "experts": 1,
    }
    described = {**plain, **run}
    product = described.pop("product")
    assert kind_of(chip_kind=chip_kind(product), **described) == kind


def test_the_runs_constants_were_set_on_are_within_ten_percent_median_and_twenty_worst():
    runs = runs_set_on(latest())
    sizes = sorted(abs(predicted / was - 1) for _, was, predicted, _ in runs)
    assert len(runs) >= 13
    assert sizes[len(sizes) // 2] < 0.10
    assert sizes[-1] < 0.20


def test_the_page_names_its_error_on_runs_that_set_no_constant_and_draws_both_kinds_of_run():
    (check,) = [each for each in ask().exhibits if "published runs that set none" in each.chart.title]
    assert check.chart.title == ("Median error 12 % on 163 published runs that set none of its constants")
    used = [row[5] for row in check.table.rows]
    assert (used.count("no"), used.count("yes")) == (163, 28)
    _, kinds = [each for each in ask().exhibits if each.chart.title.startswith("Median error")]
    assert isinstance(kinds.chart, BarChart)
    assert [bar.label for bar in kinds.chart.bars if bar.emphasised] == ["Thousands of A100 or H100"]
