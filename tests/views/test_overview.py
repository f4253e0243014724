import pytest

from analysis.trend.selection import Rule
from data.releases import latest, load
from views import accelerators, training_compute
from views.growth_gap.settings import GapSettings
from views.overview import VIEW
from views.registry import VIEWS
from views.runs import rows as run_rows
from views.runs.choice import TrainingComputeSettings
from views.trend import fit as fit_settings
from views.view import answer, read

BANDWIDTH_OF = {
    "nvidia-flagships": "rule=flagships&vendor=nvidia",
    "flagships": "rule=flagships",
    "all": "rule=all",
}
EVERY_CHOICE = pytest.mark.parametrize(
    "settings",
    [
        GapSettings(since=since, domain=domain, chips=chips)
        for since in (2008, 2012, 2022)
        for domain in ("all", "language")
        for chips in BANDWIDTH_OF
    ],
    ids=str,
)


@EVERY_CHOICE
def test_both_rates_are_those_of_the_views_they_come_from(settings):
    result = answer(VIEW, settings)
    if len(result.figures) == 1:
        assert result.headline == "These choices leave too few points to compare two trends"
        assert "Widen the window" in result.notes[0]
        return
    years = f"since={settings.since}&to={settings.to}&level={settings.level}"
    for name, view, query in (
        ("compute_growth", training_compute.VIEW, f"domain={settings.domain}&{years}"),
        ("bandwidth_growth", accelerators.VIEW, f"{BANDWIDTH_OF[settings.chips]}&{years}"),
    ):
        own, ignored = read(view, query)
        assert not ignored
        there = answer(view, own).figure("yearly_growth")
        here = result.figure(name)
        assert (here.value, here.low, here.high, here.n) == (there.value, there.low, there.high, there.n)


def test_the_gap_is_the_ratio_of_both_rates():
    result = answer(VIEW, GapSettings())
    compute, bandwidth, apart = (
        result.figure(name).value or 0.0 for name in ("compute_growth", "bandwidth_growth", "gap_growth")
    )
    assert apart == pytest.approx(compute / bandwidth)


def test_both_trends_stand_at_one_in_the_index_year():
    result = answer(VIEW, GapSettings(since=2015, to=2030))
    first, *_, last = result.table.rows
    assert first == (2015, 1.0, 1.0, 1.0, 1.0, 1.0)
    assert last[0] == 2030
    assert all(isinstance(row[1], float) and isinstance(row[2], float) for row in result.table.rows)
    assert [row[3] for row in result.table.rows] == pytest.approx(
        [float(row[1] or 0) / float(row[2] or 1) for row in result.table.rows]
    )


def test_the_page_warns_that_a_run_is_not_a_chip_and_gives_the_gap_like_for_like():
    result = answer(VIEW, GapSettings())
    assert "sets a whole run against one chip" in result.notes[0]
    assert "Like for like it is far smaller: chip against chip" in result.notes[0]
    apart = result.figure("gap_growth")
    for name in ("chip_chip_gap_growth", "run_run_gap_growth"):
        assert (result.figure(name).high or 0) < (apart.low or 0)
    assert (
        "most of the difference is met by using more chips, for longer" in result.exhibits[0].chart.subtitle
    )


def test_most_of_the_difference_is_met_by_more_chips_for_longer():
    runs = run_rows.candidates(load(latest()), TrainingComputeSettings())
    runs = runs.assign(training_compute_flop=runs["hardware_quantity"] * runs["training_time_s"])
    runs = runs.loc[runs["training_compute_flop"].notna()]
    settings = TrainingComputeSettings(interval="classical")
    chip_time = fit_settings.fitted(
        run_rows.series(runs), settings, rule=Rule(kind="frontier", top=10), since="2012"
    )
    apart = answer(VIEW, GapSettings()).figure("gap_growth").value or 0.0
    assert chip_time.trend.yearly_growth > apart**0.5


def test_every_start_page_headline_reads_as_one_sentence():
    for settings in (
        GapSettings(chips=chips, domain=domain) for chips in BANDWIDTH_OF for domain in ("all", "language")
    ):
        headline = answer(VIEW, settings).headline
        assert headline.startswith("A frontier ")
        assert "× the compute each year; a chip gets " in headline
        assert headline.endswith(" % more bandwidth")


def test_the_start_page_is_the_first_view():
    assert next(iter(VIEWS.values())) is VIEW
    assert VIEW.name == "overview"
