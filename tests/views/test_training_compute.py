"""The bands of published growth rates that the views must land in, on the release of 2026-07."""

import pytest

from tests.views.reading import answer_to
from views.registry import VIEWS
from views.runs.choice import TrainingComputeSettings
from views.training_compute import VIEW
from views.view import answer, read


@pytest.mark.parametrize("rule", ["frontier", "notable", "records"])
@pytest.mark.parametrize("domain", ["all", "language"])
def test_the_headline_says_which_runs_and_how_fast(rule, domain):
    headline = answer(VIEW, TrainingComputeSettings(rule=rule, domain=domain)).headline
    assert ("of language models" in headline) == (domain == "language")
    assert headline.partition(",")[0].endswith("× a year")


def test_the_table_lists_the_fitted_runs_newest_first_with_their_ratio_to_the_trend():
    result = answer(VIEW, TrainingComputeSettings())
    dates = [str(row[2]) for row in result.table.rows]
    assert dates == sorted(dates, reverse=True)
    ratios = [row[4] for row in result.table.rows]
    assert all(isinstance(ratio, float) and 1e-3 < ratio < 1e3 for ratio in ratios)


def test_a_fit_so_short_that_its_projection_overflows_is_still_an_answer():
    chosen, ignored = read(VIEW, "confidence=likely&until=2012")
    assert not ignored
    value = answer(VIEW, chosen).figure("value")
    assert "∞" in value.interval_text


def test_whole_organizations_are_drawn_by_default_and_rows_where_there_are_too_few():
    usual = answer(VIEW, TrainingComputeSettings())
    rows = answer(VIEW, TrainingComputeSettings(interval="bootstrap"))
    assert usual.figure("yearly_growth").interval_text == "90%: 4.0–5.4×"
    assert rows.figure("yearly_growth").interval_text == "90%: 4.3–5.1×"
    assert usual.figure("yearly_growth").value == rows.figure("yearly_growth").value


@pytest.mark.parametrize(
    ("path", "query", "low", "high"),
    [
        ("/training-compute", "since=2020&domain=language", 4.2, 6.0),
        ("/training-compute", "rule=notable&since=2010", 4.0, 5.2),
        ("/training-compute", "since=2010", 4.4, 5.2),
        ("/training-compute", "domain=language&since=2017-06&until=2024-05", 6.5, 11.5),
        ("/training-compute", "rule=notable&domain=language&since=2017-06&until=2024-05", 6.5, 11.5),
        ("/accelerators", "rule=all&curation=as-exported", 1.24, 1.32),
    ],
)  # fmt: skip
def test_a_rate_lies_where_others_published_it(*, path, query, low, high):
    result = answer_to(VIEWS[path], f"{query}&release=2026-07", holds=True).figure("yearly_growth")
    assert result.value is not None and low <= result.value <= high
    assert result.low is not None and result.high is not None
    assert result.low < result.value < result.high
