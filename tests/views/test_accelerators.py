import pytest

from data.releases import latest, load
from views.accelerators import VIEW
from views.chips.choice import AcceleratorSettings
from views.chips.metrics import METRICS, PARTS
from views.view import answer


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("rule", ["all", "flagships", "frontier", "records"])
def test_every_quantity_under_every_rule_has_a_headline_that_reads_as_a_sentence(metric, rule):
    for vendor in ("all", "nvidia", "google"):
        settings = AcceleratorSettings(metric=metric, rule=rule, vendor=vendor, interval="classical")
        headline = answer(VIEW, settings).headline
        assert headline[0].isupper() or headline[0].isdigit()
        assert headline.count(" per chip") <= 1 and "per watt per" not in headline
        assert "a NVIDIA" not in headline and "a AMD" not in headline
        assert "× a year" in headline or headline.endswith("no trend can be fitted")


def test_announced_chips_are_hollow_and_not_fitted_and_the_ranking_says_what_it_cannot_rank():
    result = answer(VIEW, AcceleratorSettings())
    chart = result.exhibits[0].chart
    hollow = [mark for mark in getattr(chart, "marks", ()) if getattr(mark, "hollow", False)]
    assert hollow
    assert all("(announced)" in detail[0] for mark in hollow for detail in mark.details)
    assert "Hollow points are announced chips, which are not fitted." in chart.subtitle
    fitted = {row[0] for row in result.table.rows}
    release = load(latest())
    assert not fitted & set(release.accelerators.loc[release.accelerators["status"] == "announced", "name"])
    ranked = {row[0] for row in result.exhibits[1].table.rows}
    assert "FP4 throughput have too few" in result.exhibits[1].chart.subtitle
    assert "FP4 throughput" not in ranked


def test_the_ranking_names_slowest_and_fastest_among_parts_with_five_years_of_history():
    result = answer(VIEW, AcceleratorSettings(metric="fp4", interval="classical"))
    ranking = result.exhibits[1]
    rates = {str(row[0]): float(row[1] or 0) for row in ranking.table.rows}
    assert "FP4" not in ranking.chart.title
    parts = [label for label in rates if label in PARTS and label != "FP4 throughput"]
    slowest = min(parts, key=rates.__getitem__)
    fastest = max(parts, key=rates.__getitem__)
    assert ranking.chart.title.startswith(f"{slowest} lags at ")
    assert f"{PARTS[fastest]} leads at " in ranking.chart.title
