"""The page /accelerators: how fast each quantity of chips grows, and which one lags."""

from dataclasses import replace

from analysis.trend.growth import Growth
from analysis.trend.rule_spread import SpreadRow, spread
from charts.chart import Role
from data.releases import Release
from views import wording, written
from views.chips import within_chip
from views.chips.choice import AcceleratorSettings, rule, subject
from views.chips.metrics import METRICS, PARTS
from views.chips.rows import candidates, history, series, spread_exhibit
from views.result import Exhibit
from views.trend import finding as trend
from views.trend import fit as fit_settings
from views.trend import rates
from views.trend.figures import growth_headline
from views.view import Finding, View
from views.wording import sentence_case

SHORTEST_SPAN_YEARS = 5.0
"""Minimum length of a quantity's history for a rank among the others. [year]"""

FEWEST_POINTS_RANKED = 5
"""Minimum number of a quantity's chips for a rank among the others."""


def build(settings: AcceleratorSettings, release: Release) -> Finding:
    """Return the finding on how fast a quantity of the chosen chips grows."""
    shown = history(release, settings, metric=METRICS[settings.metric])
    within = within_chip.sentences(release, level=settings.level)
    return trend.finding(
        replace(shown, changes=(*shown.changes, *within)),
        settings,
        since=settings.since,
        headline=lambda growth: growth_headline(subject(settings), growth),
        further=lambda growth, source: (
            _ranking(release, settings, growth=growth, source=source),
            spread_exhibit(release, settings, growth=growth, source=source),
        ),
    )


def _ranking(
    release: Release, settings: AcceleratorSettings, *, growth: Growth, source: str
) -> Exhibit | None:
    """Return an exhibit of every quantity's growth under the same choices, fastest first."""
    names = [name for name in METRICS if name != settings.metric]
    cases = [
        fit_settings.case(
            series(candidates(release, settings, metric=METRICS[name])),
            settings,
            label=sentence_case(METRICS[name].noun),
            rule=rule(settings),
            since=settings.since,
        )
        for name in names
    ]
    long_enough = [case for case in cases if case.span_years >= SHORTEST_SPAN_YEARS]
    measured = spread(long_enough, interval=growth.interval, level=growth.level)
    metric = METRICS[settings.metric]
    own = SpreadRow.of(growth.yearly, label=sentence_case(metric.noun), n=growth.n)
    roles: dict[str, Role] = {
        own.label: metric.role,
        **{case.label: METRICS[name].role for case, name in zip(cases, names, strict=True)},
    }
    rows = sorted(
        [own, *(row for row in measured if row.n >= FEWEST_POINTS_RANKED)], key=lambda row: -row.value
    )
    long_own = (
        growth.n >= FEWEST_POINTS_RANKED
        and growth.trend.last_year - growth.trend.first_year >= SHORTEST_SPAN_YEARS
    )
    parts = [row for row in rows if row.label in PARTS and (row is not own or long_own)]
    if len(parts) < 2:
        return None
    slowest, fastest = parts[-1], parts[0]
    title = (
        f"{slowest.label} lags at {wording.times(slowest.value)} a year; "
        f"{PARTS[fastest.label]} leads at {wording.times(fastest.value)}"
    )
    shown, whose = {row.label for row in rows}, wording.small_initial(settings.shown("rule"))
    missing = [case.label for case in cases if case.label not in shown]
    subtitle = (
        f"Each row shows a quantity's yearly growth among {whose}, with its "
        f"{wording.percent(growth.level)} interval."
    )
    if missing:
        few = "has" if len(missing) == 1 else "have"
        subtitle += f" {wording.listed(missing)} {few} too few rows or years for a trend."
    return rates.rates_exhibit(
        rows,
        title=title,
        subtitle=subtitle,
        emphasised=own,
        roles=roles,
        source=source,
        first_column="Quantity",
        section="finding",
    )


VIEW = View(settings=AcceleratorSettings, build=build, **written.page(__file__, path="/accelerators"))
