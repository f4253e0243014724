from dataclasses import replace

import pytest
from pandas.testing import assert_frame_equal

from data.releases import latest, load
from views.chips import rows as chip_rows
from views.chips.choice import AcceleratorSettings
from views.runs import choice as run_choice
from views.runs import rows as run_rows
from views.runs.choice import TrainingComputeSettings
from views.trend.rule_changes import FIT_ONLY, cases, changed

RELEASE = load(latest())
CHANGES = (
    ("Top 5", {"top": 5}),
    ("As it is", {}),
    ("Since 2018", {"since": "2018"}),
    ("Five at the top", {"top": 5}),
    ("Since 2029", {"since": "2029"}),
    ("Language", {"domain": "language"}),
)


def test_changes_leave_out_what_is_unchanged_in_conflict_or_said_before():
    settings = TrainingComputeSettings(until="2025")
    found = changed(settings, CHANGES)
    assert [label for label, _ in found] == ["Top 5", "Since 2018", "Language"]
    assert [case for _, case in found] == [
        replace(settings, top=5),
        replace(settings, since="2018"),
        replace(settings, domain="language"),
    ]


def test_every_case_has_the_history_rule_and_window_of_its_own_settings_and_alike_ones_are_made_once():
    made = []

    def series_of(case):
        made.append(case.domain)
        return run_rows.series(run_rows.candidates(RELEASE, case))

    settings = TrainingComputeSettings(estimator="quantile", tau=0.7)
    found = cases(settings, CHANGES, series_of=series_of, rule_of=run_choice.rule)
    assert made == ["all", "language"]
    assert [case.label for case in found] == ["Top 5", "Since 2018", "Since 2029", "Language"]
    assert [case.rule.top for case in found] == [5, 10, 10, 10]
    assert [case.window.since for case in found] == [2012, 2018, 2029, 2012]
    assert {(case.estimator, case.quantile) for case in found} == {("quantile", 0.7)}
    own = run_rows.series(run_rows.candidates(RELEASE, replace(settings, domain="language")))
    assert (found[-1].series.name == own.name).all() and (found[-1].series.value == own.value).all()
    assert len(found[0].series.name) > len(own.name)


@pytest.mark.parametrize("name", FIT_ONLY)
def test_a_setting_of_the_fit_moves_no_row(name):
    other = {"since": "2019", "until": "2022", "estimator": "theil-sen", "tau": 0.2, "top": 3}[name]
    runs, chips = TrainingComputeSettings(), AcceleratorSettings()
    assert_frame_equal(
        run_rows.candidates(RELEASE, runs), run_rows.candidates(RELEASE, replace(runs, **{name: other}))
    )
    assert_frame_equal(
        chip_rows.candidates(RELEASE, chips), chip_rows.candidates(RELEASE, replace(chips, **{name: other}))
    )
