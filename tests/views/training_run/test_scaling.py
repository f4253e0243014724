"""What more accelerators do to a run's length, and where they stop helping."""

import pytest

from analysis.training_run.more_accelerators import RunOnNumber
from charts.chart import XYChart
from tests.views.training_run.answers import ask, columns, lines, value
from views.training_run.scaling import scaling_exhibit, what_grows


def run_on(accelerators, days, **shares):
    """Return a run on a number of accelerators, its wall clock split as given, the rest matrix products."""
    return RunOnNumber(
        accelerators=accelerators,
        days=days,
        mfu=0.4,
        shares={"matrix_s": 1 - sum(shares.values()), **shares},
        days_growing=days,
        batch_growing_token=1e6 * accelerators,
    )


def test_doubling_that_gains_little_is_told_apart_from_doubling_that_slows_the_run():
    little, slower = ask("link=900"), ask("accelerators=32768")
    assert (
        "Doubling 16,384 accelerators makes the run less than 1.5 times faster; this run uses 16,384."
        in little.changes
    )
    assert "Doubling 32,768 accelerators makes the run slower; this run uses 32,768." in slower.changes
    titles = [each.chart.title for result in (little, slower) for each in result.exhibits]
    beyond = [title for title in titles if title.startswith("Beyond")]
    assert beyond[0].startswith("Beyond 16,384 accelerators, doubling them makes the run less than 1.5 times")
    assert beyond[0].endswith("; beyond 32,768, slower")
    assert beyond[1].startswith("Beyond 32,768 accelerators, doubling them makes the run slower, mostly")
    (scaling,) = [each for each in ask("accelerators=131072").exhibits if "Beyond" in each.chart.title]
    assert isinstance(scaling.chart, XYChart)
    assert scaling.chart.subtitle.startswith("Days on the fastest plan with all accelerators in use")


def test_the_run_itself_lies_on_the_curve_and_the_ideal_keeps_the_work():
    (scaling,) = [each for each in ask().exhibits if "doubling them" in each.chart.title]
    cells = columns(scaling)
    by_number = dict(zip(cells["accelerators"], cells["days"], strict=True))
    assert by_number[16384] == pytest.approx(value(ask(), "days"))
    ideal = lines(scaling)["Ideal: twice as many, twice as fast"]
    work = [number * days for number, days in zip(ideal.x, ideal.y, strict=True)]
    assert work == pytest.approx([work[0]] * len(work))
    assert all(line.end_label for line in lines(scaling).values())


def test_what_grows_most_is_counted_in_accelerator_days():
    """On twice as many, the bubble's days grow from 1 to 2 and failures' from 4 to 4.8: 3 against 5.6 of the first."""
    steps = [
        run_on(8, 10.0, bubble_s=0.1, failure=0.4),
        run_on(16, 8.0, bubble_s=0.25, failure=0.6),
    ]
    assert what_grows(steps, 8) == "failure"
    exhibit = scaling_exhibit(steps, source="")
    assert exhibit is not None
    assert exhibit.chart.title.endswith("less than 1.5 times faster, mostly because of failures")


def test_where_doubling_always_helps_it_is_said_and_one_number_draws_nothing():
    steps = [run_on(8, 10.0), run_on(16, 5.1), run_on(32, 2.6)]
    exhibit = scaling_exhibit(steps, source="")
    assert exhibit is not None
    assert exhibit.chart.title == "Doubling the accelerators still helps at every number drawn"
    assert scaling_exhibit(steps[:1], source="") is None
