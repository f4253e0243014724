"""Chips in trend views: filtered rows, their series, points and table."""

from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd

from analysis.intervals import DrawnRate
from analysis.trend.calendar_year import decimal_year
from analysis.trend.growth import Growth, Series, Window, growth
from analysis.trend.selection import Rule
from charts.chart import Points, Role
from data.by_release import kept_by_release
from data.releases import Release, load
from views import wording, written
from views.chips import choice as chip_choice
from views.chips.choice import MEMORY_KINDS, SEGMENTS, VENDORS, AcceleratorSettings, rule
from views.chips.metrics import METRICS, Metric, fp16_engine
from views.kept import kept
from views.result import Exhibit, Table
from views.table import Getter, column, stated_columns
from views.table import table as as_table
from views.trend import finding as trend
from views.trend import fit as fit_settings
from views.trend import rates
from views.trend.finding import TrendHistory
from views.trend.marks import landmarks_among
from views.trend.rates import Changes, cases
from views.wording import sentence_case

CATCHES = {
    "all": "“All products” mixes small and large chips, so the trend is not that of flagships.",
    "flagships": "Each vendor's best chip of a generation is compared with its predecessor.",
    "frontier": "Only chips among the leaders at their release are counted.",
    "records": "Only chips that beat every earlier one are counted.",
}
"""Caveat on the growth rate, keyed by selection rule."""

COLUMNS = written.toml(__file__, name="columns.toml")
NAMES: tuple[Getter[str], ...] = (column("name", lambda name: name, label="Chip", kind="text"),)
"""Columns of a table of names, for too few chips for a trend."""


@kept
def candidates(
    release: Release, settings: AcceleratorSettings, *, metric: Metric | None = None
) -> pd.DataFrame:
    """Return the chips that pass the filters and have the quantity (column ``value``), oldest first.

    ``metric`` replaces the one in the settings, for quantities that only other views have.
    """
    exported = settings.curation == "as-exported"
    chips = release.exported_accelerators if exported else release.accelerators
    chips = chips.assign(value=(metric or METRICS[settings.metric]).of(chips), fp16_engine=fp16_engine(chips))
    keep = chips["value"].notna() & chips["released_on"].notna()
    if not exported:
        keep &= chips["representative"] & (chips["status"] == "shipped") & (chips["excluded"] == "")
    if settings.rule == "flagships":
        keep &= chips["flagship"]
    if settings.vendor != "all":
        keep &= chips["vendor"] == VENDORS[settings.vendor]
    if settings.memory == "off-chip":
        keep &= chips["memory_kind"] != "SRAM"
    elif settings.memory != "any":
        keep &= chips["memory_kind"] == MEMORY_KINDS[settings.memory]
    if settings.kind != "all":
        keep &= chips["segment"] == SEGMENTS[settings.kind]
    return chips.loc[keep].sort_values(["released_on", "name"], kind="stable", ignore_index=True)


def announced(
    release: Release, settings: AcceleratorSettings, *, metric: Metric | None = None
) -> pd.DataFrame:
    """Return announced chips with the quantity and a date. They are never fitted."""
    if settings.curation == "as-exported":
        return release.accelerators.iloc[:0].assign(value=pd.Series(dtype=float))
    status = release.accelerators["status"].replace({"announced": "shipped", "shipped": "announced"})
    shipping = release.accelerators.assign(status=status)
    return candidates(replace(release, accelerators=shipping), replace(settings, rule="all"), metric=metric)


def series(chips: pd.DataFrame) -> Series:
    """Return a quantity of the chips as a series over time, clustered by vendor."""
    return Series(
        year=decimal_year(chips["released_on"]),
        value=chips["value"].to_numpy(dtype=float),
        cluster=chips["vendor"].to_numpy(dtype=object),
        name=chips["name"].to_numpy(dtype=object),
    )


def fitted(chips: pd.DataFrame, settings: AcceleratorSettings) -> Growth:
    """Return the growth of the chips' quantity under the settings.

    Raises ValueError if the window has too few points for the estimator or the interval.
    """
    rule = chip_choice.rule(settings)
    return fit_settings.fitted(series(chips), settings, rule=rule, since=settings.since)


def points(
    chips: pd.DataFrame,
    *,
    metric: Metric,
    role: Role | None = None,
    divisor: float = 1.0,
    hollow: bool = False,
) -> Points:
    """Return the chips as named points of a chart, with the quantity divided by ``divisor``."""
    names = tuple(chips["product"].where(chips["product"] != "", chips["name"]))
    state = " (announced)" if hollow else ""
    return Points(
        series="Announced chips" if hollow else "Chips",
        role=role or metric.role,
        x=tuple(decimal_year(chips["released_on"]).tolist()),
        y=tuple((chips["value"] / divisor).tolist()),
        names=names,
        details=tuple(
            (
                f"{wording.quantity(value, metric.unit)}{state}",
                ", ".join(filter(None, [vendor, memory, f"{date:%Y-%m-%d}"])),
                f"Graded {confidence}" if confidence else "Confidence not graded",
                trend.origin_words(origin),
            )
            for value, vendor, memory, date, confidence, origin in zip(
                chips["value"],
                chips["vendor"],
                chips["memory_generation"],
                chips["released_on"],
                chips["confidence"],
                chips["origin"],
                strict=True,
            )
        ),
        marked=landmarks_among(names, kind="accelerators"),
        hollow=hollow,
        rows="accelerators",
    )


def table(chips: pd.DataFrame, growth: Growth | None, *, metric: Metric) -> Table:
    """Return the chips as a table, newest first, with their ratio to the trend."""
    quantity: Getter[Any] = column(
        metric.column,
        lambda chip: float(chip.value),
        label=sentence_case(metric.noun),
        unit=metric.unit,
        kind="scientific",
    )
    engine = ("engine",) if "16" in metric.noun else ()
    return as_table(
        (
            *stated_columns(COLUMNS["chip"]),
            quantity,
            *(stated for part in ("trend", *engine, "source") for stated in stated_columns(COLUMNS[part])),
        ),
        trend.newest_first(chips, growth, date="released_on", value="value"),
    )


def history(release: Release, settings: AcceleratorSettings, *, metric: Metric) -> TrendHistory:
    """Return the history of the chosen chips' quantity, including announced chips."""
    chips = candidates(release, settings, metric=metric)
    coming = announced(release, settings, metric=metric)
    state = "as exported" if settings.curation == "as-exported" else "curated"
    axis = f"{sentence_case(metric.noun)} [{metric.unit}]"
    return TrendHistory(
        rows=chips,
        series=series(chips),
        rule=chip_choice.rule(settings),
        points=partial(points, metric=metric),
        table=partial(table, metric=metric),
        point="chip",
        name=axis,
        short=sentence_case(metric.noun),
        drawn=f"{sentence_case(metric.noun)}: {metric.meaning}",
        axis=axis,
        unit=metric.unit,
        role=metric.role,
        which=chip_choice.rule_words(settings),
        data=trend.data_words(release, state=state),
        own="hardware" in release.origin,
        announced=points(coming, metric=metric, hollow=True) if len(coming) else None,
        years=(float(settings.to),),
        catch=CATCHES.get(settings.rule, ""),
        sure=("Throughput and bandwidth are vendors' peak figures; real work achieves less.",),
        changes=("The rate depends on which chips are included in the fit.",),
    )


SENSIBLE: Changes = tuple(written.toml(__file__, name="rules.toml").items())


def spread_exhibit(
    release: Release, settings: AcceleratorSettings, *, growth: Growth, source: str
) -> Exhibit | None:
    """Return an exhibit of the growth rate under all plausible rules. None if no other rule can be fitted."""
    others = cases(settings, SENSIBLE, series_of=lambda case: series(candidates(release, case)), rule_of=rule)
    metric = METRICS[settings.metric]
    subject = f"{sentence_case(metric.noun)} per chip"
    return rates.spread_exhibit(growth, others, subject=subject, role=metric.role, source=source)


SINCE = 2016
DRAWS = 300
QUANTITIES = {
    "bandwidth": "memory-bandwidth",
    "flop": "fp16",
    "capacity": "memory-capacity",
    "link": "chip-link",
}
"""Option of the metric for each quantity."""


def flagships(release: str, metric: str) -> Series:
    """Return a quantity of a frozen release's flagships as a series over time."""
    choice = AcceleratorSettings(metric=metric, rule="flagships")
    return series(candidates(load(release), choice, metric=METRICS[metric]))


@kept_by_release(4)
def chip_growths(release: str) -> dict[str, DrawnRate]:
    """Return the growth of each quantity of a release's flagships since 2016, bootstrapped over chips."""
    growths = {}
    for quantity, metric in QUANTITIES.items():
        fit = growth(
            flagships(release, metric),
            rule=Rule(kind="all"),
            window=Window(since=SINCE),
            interval="bootstrap",
            draws=DRAWS,
        )
        growths[quantity] = DrawnRate(
            value=fit.trend.yearly_growth,
            low=fit.growth_low,
            high=fit.growth_high,
            n=fit.n,
            draws=10.0**fit.draw_slope,
        )
    return growths
