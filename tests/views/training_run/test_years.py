"""The same run on the chips of later years, each part along its own trend."""

import pytest

from analysis.training_run.more_accelerators import PARTS
from data.releases import latest, load, names
from tests.views.training_run.answers import ask, columns, lines, value
from views.training_run.inputs import inputs_of
from views.training_run.settings import TrainingRunSettings
from views.training_run.years import YEARS, later_exhibit, yearly_growths


@pytest.mark.parametrize("release", names())
def test_every_part_of_a_chip_grows_and_throughput_fastest(release):
    growths = yearly_growths(release)
    assert tuple(growths) == PARTS
    assert all(1 < growth < 2.5 for growth in growths.values())
    assert max(growths, key=lambda part: growths[part]) == "fp16"


def test_the_run_gets_shorter_and_wastes_more_of_the_chips_every_year():
    (later,) = [each for each in ask().exhibits if each.chart.title.startswith("On chips")]
    cells = columns(later)
    assert cells["years_ahead"] == tuple(range(YEARS + 1))
    assert cells["days"][0] == pytest.approx(value(ask(), "days"))
    assert cells["mfu"][0] == pytest.approx(value(ask(), "mfu"))
    for name in ("days", "mfu"):
        assert list(cells[name]) == sorted(cells[name], reverse=True)


def test_throughput_alone_would_shorten_it_by_its_own_growth_which_no_run_beats():
    (later,) = [each for each in ask().exhibits if each.chart.title.startswith("On chips")]
    alone, own = lines(later)["Ideal: every part grows as fast as throughput"], lines(later)["This run"]
    growth = yearly_growths(latest())["fp16"]
    assert alone.y[-1] == pytest.approx(own.y[0] / growth**YEARS)
    assert all(run >= ideal * (1 - 1e-9) for run, ideal in zip(own.y, alone.y, strict=True))


def test_a_run_that_no_plan_fits_today_has_no_later_years():
    release = load(latest())
    inputs = inputs_of(TrainingRunSettings(model="deepseek-v3"), release)
    assert later_exhibit(release, inputs, used=8, rents="steady", source="") is None


def test_cost_is_that_of_the_run_today_and_falls_most_where_rents_fall():
    costs = {}
    for rents in ("as-last-year", "steady", "next-generation"):
        (later,) = [
            each for each in ask(f"rents={rents}").exhibits if each.chart.title.startswith("On chips")
        ]
        cells = columns(later)
        assert cells["cost_usd"][0] == pytest.approx(value(ask(), "cost_usd"), rel=1e-3)
        assert all(
            low <= cost * (1 + 1e-9) and cost <= high * (1 + 1e-9)
            for low, cost, high in zip(
                cells["cost_low_usd"], cells["cost_usd"], cells["cost_high_usd"], strict=True
            )
        )
        costs[rents] = cells["cost_usd"][-1]
    assert costs["next-generation"] < costs["steady"] < costs["as-last-year"]
