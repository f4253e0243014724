"""How fast do chips' bandwidth, throughput, links, power and price grow, and which part lags?"""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis.calendar_year import decimal_year
from analysis.growth import Growth, Series
from analysis.selection import Kind, Rule
from analysis.spread import Case, spread
from charts.chart import Mark, Points, Role, XYChart
from data.releases import Release, as_exported
from views import fit_settings, landmarks, rates, trend, wording
from views.axes import year_axis
from views.chip_metrics import METRICS, PARTS, Metric
from views.result import Cell, Column, Exhibit, Table
from views.settings import Conflict, choice, month, whole_number
from views.view import Finding, View
from views.wording import sentence_case

SHORTEST_SPAN_YEARS = 5.0
"""A quantity with a shorter history is not ranked against the others. [year]"""

FEWEST_POINTS_RANKED = 5
"""A quantity known for fewer chips is not ranked against the others."""

VENDORS = {
    "nvidia": "NVIDIA",
    "amd": "AMD",
    "google": "Google",
    "intel": "Intel",
    "amazon": "Amazon",
    "huawei": "Huawei",
    "cambricon": "Cambricon",
    "baidu": "Baidu",
}
MEMORY_KINDS = {"hbm": "HBM", "gddr": "GDDR", "lpddr": "LPDDR", "ddr": "DDR", "sram": "SRAM"}
KINDS: dict[str, Kind] = {"all": "all", "flagships": "all", "frontier": "frontier", "records": "records"}
SEGMENTS = {"data-centre": "data-centre", "consumer": "consumer", "workstation": "workstation"}


@dataclass(frozen=True, kw_only=True)
class AcceleratorSettings(fit_settings.FitSettings):
    """Which quantity of which chips, since when, and how its growth is fitted."""

    metric: str = choice(
        "memory-bandwidth",
        {name: metric.meaning for name, metric in METRICS.items()},
        label="Quantity",
        help="What of a chip is followed over time. Throughput is dense, never with sparsity.",
        first_row=True,
    )
    rule: str = choice(
        "all",
        {
            "all": "every product",
            "flagships": "each vendor's leading data-centre product of a generation",
            "frontier": "products among the top k in this quantity at release",
            "records": "only products that exceeded every earlier one",
        },
        label="Which chips",
        help="A growth rate depends on which points enter it.",
        first_row=True,
    )
    top: int = whole_number(
        10,
        low=1,
        high=100,
        label="Top k",
        help="How many chips count as the frontier at any time. Only rule=frontier uses it.",
    )
    vendor: str = choice(
        "all",
        {"all": "every vendor", **{slug: f"only {name}" for slug, name in VENDORS.items()}},
        label="Vendor",
        help="Whose chips are considered.",
        first_row=True,
    )
    since: str = month(
        "2008",
        low=fit_settings.FIRST_YEAR,
        high=fit_settings.LAST_YEAR,
        label="Since",
        help="The first month or year that enters the fit.",
        first_row=True,
    )
    memory: str = choice(
        "off-chip",
        {
            "off-chip": "every chip but those whose only listed memory is on-chip SRAM",
            "any": "every chip, on-chip SRAM too",
            **{slug: f"only {name}" for slug, name in MEMORY_KINDS.items()},
        },
        label="Memory kind",
        help="On-chip SRAM is not comparable with memory beside the chip and is left out unless asked for.",
    )
    kind: str = choice(
        "all",
        {"all": "chips of every market", **{slug: f"only {name} chips" for slug, name in SEGMENTS.items()}},
        label="Market",
        help="What the chip is sold for.",
    )
    curation: str = choice(
        "curated",
        {
            "curated": "errors corrected, one row per product, missing chips added",
            "as-exported": "the rows of Epoch AI's export as they are, one per listing",
        },
        label="Curation",
        help="Whether our corrections apply; /data lists every one with its reason.",
    )

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return the conflict of a window that ends before it starts, if it does."""
        return fit_settings.until_before_since(self.since, self.until)


def rule(settings: AcceleratorSettings) -> Rule:
    """Return the selection rule that the setting names; flagships are a filter, so all of them count."""
    return Rule(kind=KINDS[settings.rule], top=settings.top)


def candidates(
    release: Release, settings: AcceleratorSettings, *, metric: Metric | None = None
) -> pd.DataFrame:
    """Return the chips that pass the filters and have the quantity (column ``value``), oldest first.

    ``metric`` takes the place of the one that the settings name, for quantities that only other views have.
    """
    exported = settings.curation == "as-exported"
    chips = as_exported(release) if exported else release.accelerators
    chips = chips.assign(value=(metric or METRICS[settings.metric]).of(chips))
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
    """Return announced chips with the quantity and a date: drawn hollow, never fitted."""
    if settings.curation == "as-exported":
        return release.accelerators.iloc[:0].assign(value=pd.Series(dtype=float))
    status = release.accelerators["status"].replace({"announced": "shipped", "shipped": "announced"})
    shipping = release.accelerators.assign(status=status)
    return candidates(replace(release, accelerators=shipping), replace(settings, rule="all"), metric=metric)


def series(chips: pd.DataFrame) -> Series:
    """Return the quantity against time of the given chips, clustered by vendor."""
    return Series(
        year=decimal_year(chips["released_on"]),
        value=chips["value"].to_numpy(dtype=float),
        cluster=chips["vendor"].to_numpy(dtype=object),
        name=chips["name"].to_numpy(dtype=object),
    )


def rule_words(settings: AcceleratorSettings) -> str:
    """Return which chips, in words: NVIDIA flagships, data-centre, HBM, since 2012."""
    vendor = "" if settings.vendor == "all" else f"{VENDORS[settings.vendor]} "
    which = {
        "all": f"All {vendor}accelerators",
        "flagships": f"{vendor}data-centre flagships",
        "frontier": f"Top-{settings.top} {vendor}accelerators at release",
        "records": f"Record-setting {vendor}accelerators",
    }[settings.rule]
    memory = {"off-chip": "", "any": "on-chip memory too"}.get(settings.memory) or MEMORY_KINDS.get(
        settings.memory, ""
    )
    parts = [
        sentence_case(which),
        "" if settings.kind == "all" else settings.kind,
        memory,
        "as exported, uncorrected" if settings.curation == "as-exported" else "",
        fit_settings.window_words(settings.since, settings.until),
    ]
    return ", ".join(filter(None, parts))


def subject(settings: AcceleratorSettings) -> str:
    """Return what grows, as the start of a headline."""
    noun = METRICS[settings.metric].noun
    vendor = "" if settings.vendor == "all" else f"{VENDORS[settings.vendor]} "
    one = wording.a(f"{vendor}chip")
    per = f"of {one}" if " per " in noun else f"per {vendor}chip"
    return {
        "all": f"{sentence_case(noun)} {per}",
        "flagships": f"{sentence_case(noun)} of {vendor}flagship chips",
        "frontier": f"Frontier {noun} {per}",
        "records": f"The record in {noun} of {one}",
    }[settings.rule]


def points(
    chips: pd.DataFrame,
    *,
    metric: Metric,
    role: Role | None = None,
    divisor: float = 1.0,
    hollow: bool = False,
) -> Points:
    """Return the chips as named points, the quantity divided by ``divisor``."""
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
                f"{confidence} confidence" if confidence else "confidence not graded",
                "Source: Epoch AI" if origin == "epoch" else "Source: Scaling Gap curation",
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
        marked=landmarks.marked(names, landmarks.CHIPS),
        hollow=hollow,
    )


def table(chips: pd.DataFrame, metric: Metric, found: Growth | None) -> Table:
    """Return the chips as a table, newest first, with the quantity and how far from the trend it lies."""
    newest_first = chips.iloc[::-1]
    ratio: list[Cell] = [None] * len(chips)
    if found is not None:
        expected = found.trend.at(decimal_year(newest_first["released_on"]))
        ratio = [*(newest_first["value"].to_numpy(dtype=float) / expected).tolist()]
    columns = (
        "name",
        "vendor",
        "released_on",
        "memory_generation",
        "segment",
        "value",
        "confidence",
        "datasheet_link",
    )
    return Table(
        columns=(
            Column(name="name", label="Chip", kind="text"),
            Column(name="vendor", label="Vendor", kind="text"),
            Column(name="released_on", label="Released", kind="date"),
            Column(name="memory_generation", label="Memory", kind="text"),
            Column(name="segment", label="Market", kind="text"),
            Column(name=metric.column, label=sentence_case(metric.noun), unit=metric.unit, kind="scientific"),
            Column(name="ratio_to_trend", label="Times the trend", unit="1"),
            Column(name="confidence", label="Confidence", kind="text"),
            Column(name="datasheet_link", label="Source", kind="link"),
        ),
        rows=tuple(
            (name, vendor, f"{date:%Y-%m-%d}", memory, segment, float(value), times, confidence, link)
            for (name, vendor, date, memory, segment, value, confidence, link), times in zip(
                newest_first.loc[:, list(columns)].itertuples(index=False, name=None), ratio, strict=True
            )
        ),
    )


def _span(case: Case) -> float:
    """Return how many years the points of a case span inside its window. [year]"""
    years = case.series.year[case.window.holds(case.series.year)]
    return float(np.ptp(years)) if len(years) else 0.0


def _ranking(
    release: Release, settings: AcceleratorSettings, found: Growth, *, source: str
) -> Exhibit | None:
    """Return how fast every quantity grows under the same choices, fastest first: who lags."""
    names = [name for name in METRICS if name != settings.metric]
    cases = []
    for name in names:
        case = replace(settings, metric=name)
        cases.append(
            Case(
                label=sentence_case(METRICS[name].noun),
                series=series(candidates(release, case)),
                rule=rule(case),
                window=fit_settings.window(case.since, case.until),
                estimator=case.estimator,
                quantile=case.tau,
            )
        )
    long_enough = [case for case in cases if _span(case) >= SHORTEST_SPAN_YEARS]
    measured = spread(long_enough, interval=found.interval, level=found.level)
    metric = METRICS[settings.metric]
    own = rates.own_row(found, label=sentence_case(metric.noun))
    roles: dict[str, Role] = {
        own.label: metric.role,
        **{case.label: METRICS[name].role for case, name in zip(cases, names, strict=True)},
    }
    rows = sorted(
        [own, *(row for row in measured if row.n >= FEWEST_POINTS_RANKED)], key=lambda row: -row.yearly_growth
    )
    long_own = (
        found.n >= FEWEST_POINTS_RANKED
        and found.trend.last_year - found.trend.first_year >= SHORTEST_SPAN_YEARS
    )
    parts = [row for row in rows if row.label in PARTS and (row is not own or long_own)]
    if len(parts) < 2:
        return None
    slowest, fastest = parts[-1], parts[0]
    title = (
        f"Slowest part of a chip: {PARTS[slowest.label]} ({wording.times(slowest.yearly_growth)} a year); "
        f"fastest: {PARTS[fastest.label]} ({wording.times(fastest.yearly_growth)})"
    )
    shown = {row.label for row in rows}
    missing = [case.label for case in cases if case.label not in shown]
    subtitle = (
        f"Growth a year per chip under the same choices, with its {wording.percent(found.level)} interval."
    )
    if missing:
        subtitle += f" Too few points or years for {', '.join(missing)}."
    return rates.rates_exhibit(
        rows,
        title=title,
        subtitle=subtitle,
        emphasised=own,
        roles=roles,
        source=source,
        first_column="Quantity",
    )


def build(settings: AcceleratorSettings, release: Release) -> Finding:
    """Return how fast a quantity of the chosen chips grows."""
    metric = METRICS[settings.metric]
    chips = candidates(release, settings)
    state = "as exported" if settings.curation == "as-exported" else "curated"
    data_words = f"Data: Epoch AI (CC BY 4.0), {state}, release {release.name}."
    axis_title = f"{sentence_case(metric.noun)} [{metric.unit}]"
    try:
        found = fit_settings.fitted(series(chips), settings, rule=rule(settings), since=settings.since)
    except ValueError as problem:
        inside = chips.loc[
            fit_settings.window(settings.since, settings.until).holds(decimal_year(chips["released_on"]))
        ]
        return trend.unfitted(
            headline=f"These choices leave {wording.counted(len(inside), 'chip')}: no trend can be fitted",
            problem=str(problem),
            words=f"{rule_words(settings)}. {data_words}",
            points=points(inside, metric=metric),
            table=table(inside, metric, None),
            to=settings.to,
            axis_title=axis_title,
            unit=metric.unit,
        )
    chosen = chips.loc[found.selected].reset_index(drop=True)
    coming = announced(release, settings)
    source = f"{rule_words(settings)}, n = {found.n}. {fit_settings.fit_words(settings, found)} {data_words}"
    rate, level = found.trend.yearly_growth, wording.percent(found.level)
    headline = f"{subject(settings)} {trend.grows(found)}"
    bands, lines = trend.trend_marks(
        found,
        series=axis_title,
        role=metric.role,
        to=settings.to,
        end_label=(f"{sentence_case(metric.noun)}", f"{wording.times(rate)} a year"),
    )
    rival, rival_notes = trend.rival_line(series(chips), found, to=settings.to)
    hollow = (points(coming, metric=metric, hollow=True),) if len(coming) else ()
    marks: tuple[Mark, ...] = (*bands, *rival, *lines, points(chosen, metric=metric), *hollow)
    dates = [
        found.trend.first_year,
        found.trend.last_year,
        float(settings.to),
        *np.concatenate([mark.x for mark in hollow] or [[]]),
    ]
    chart = XYChart(
        title=headline,
        subtitle=(
            f"{sentence_case(metric.noun)} ({metric.meaning}), log scale; dark band {level} confidence of "
            f"the trend, light band {level} for a new "
            f"chip.{' Hollow: announced, not fitted.' if len(coming) else ''} {trend.pace(found)}"
        ),
        alt=(
            f"{headline}: {found.n} chips, up to "
            f"{wording.quantity(float(chosen['value'].max()), metric.unit)}, with trend, intervals and "
            f"projection to {settings.to}."
        ),
        source=source,
        x=year_axis(min(dates), max(dates)),
        y=trend.value_axis(axis_title, marks, metric.unit),
        marks=marks,
    )
    ranking = _ranking(release, settings, found, source=source)
    return Finding(
        headline=headline,
        figures=trend.figures(found, to=settings.to, unit=metric.unit),
        exhibits=(Exhibit(chart=chart, table=table(chosen, metric, found)), *([ranking] if ranking else [])),
        settings_line=source,
        notes=(*found.notes, *rival_notes, *trend.reach_notes(found, to=settings.to)),
    )


VIEW = View(
    path="/accelerators",
    title="Accelerators",
    question="How fast do chips grow, and which part lags?",
    settings=AcceleratorSettings,
    build=build,
    method=(
        "Growth is the slope of log10(quantity) against the decimal year of release, one row per product: "
        "variants that differ only in form or label count once. Throughput is dense, on matrix units where "
        "a chip has them, and keeps its precision in the name; link bandwidth is per direction.",
        "Chips whose only listed memory is on-chip SRAM are left out by default: tens of TB/s over a "
        "fraction of a gigabyte answer another question. Announced chips are drawn hollow and never enter "
        "a fit.",
        "A rate over all products mixes small and large ones; flagships compares each vendor's best of a "
        "generation with its predecessor, and frontier the leading products at each time. The rates "
        "differ, so the rule stands beside every rate.",
    ),
)
