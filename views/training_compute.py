"""How fast does training compute grow?"""

from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from analysis.calendar_year import decimal_year
from analysis.growth import Growth, Series
from analysis.selection import Kind, Rule
from analysis.spread import Case
from charts.chart import Mark, Points, XYChart
from data.releases import Release
from views import fit_settings, landmarks, rates, trend, wording
from views.axes import year_axis
from views.result import Cell, Column, Exhibit, Table
from views.settings import Conflict, choice, month, whole_number
from views.view import Finding, View

UNIT = "FLOP"
KINDS: dict[str, Kind] = {"frontier": "frontier", "notable": "all", "records": "records"}
CONFIDENCE_GRADES = {
    "all": ("confident", "likely", "speculative", "unknown"),
    "likely": ("confident", "likely"),
    "confident": ("confident",),
}


@dataclass(frozen=True, kw_only=True)
class TrainingComputeSettings(fit_settings.FitSettings):
    """Which training runs, since when, and how their growth is fitted."""

    rule: str = choice(
        "frontier",
        {
            "frontier": "runs among the top k by compute when they were released",
            "notable": "every notable run with known compute",
            "records": "only runs that exceeded every earlier run",
        },
        label="Which runs",
        help="A growth rate depends on which points enter it; frontier is the rule most often quoted.",
        first_row=True,
    )
    top: int = whole_number(
        10,
        low=1,
        high=100,
        label="Top k",
        help="How many runs count as the frontier at any time. Only rule=frontier uses it.",
    )
    domain: str = choice(
        "all",
        {"all": "models of every domain", "language": "models whose domains include language"},
        label="Domain",
        help="Which models are considered, before the rule picks among them.",
        first_row=True,
    )
    since: str = month(
        "2012",
        low=fit_settings.FIRST_YEAR,
        high=fit_settings.LAST_YEAR,
        label="Since",
        help="The first month or year that enters the fit. "
        "The frontier is always ranked against all earlier runs.",
        first_row=True,
    )
    finetunes: str = choice(
        "include",
        {"include": "models built on another model count too", "exclude": "only models trained from scratch"},
        label="Fine-tunes",
        help="Whether models that name a base model are considered.",
    )
    confidence: str = choice(
        "all",
        {
            "all": "every estimate",
            "likely": "estimates graded likely or confident",
            "confident": "only estimates graded confident",
        },
        label="Confidence",
        help="How sure Epoch AI is of the compute of a run; speculative may be off by a factor of ten.",
    )

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return the conflict of a window that ends before it starts, if it does."""
        return fit_settings.until_before_since(self.since, self.until)


def rule(settings: TrainingComputeSettings) -> Rule:
    """Return the selection rule that the setting names."""
    return Rule(kind=KINDS[settings.rule], top=settings.top)


def candidates(release: Release, settings: TrainingComputeSettings) -> pd.DataFrame:
    """Return the runs that pass the filters, before the rule picks among them, oldest first."""
    runs = release.training_runs
    keep = runs["training_compute_flop"].notna() & runs["published_on"].notna() & (runs["excluded"] == "")
    if settings.domain == "language":
        keep &= runs["domain"].str.contains("Language", regex=False)
    if settings.finetunes == "exclude":
        keep &= runs["base_model"] == ""
    keep &= runs["confidence"].isin(CONFIDENCE_GRADES[settings.confidence])
    return runs.loc[keep].sort_values(["published_on", "name"], kind="stable", ignore_index=True)


def series(runs: pd.DataFrame) -> Series:
    """Return compute against time of the given runs, clustered by organisation."""
    return Series(
        year=decimal_year(runs["published_on"]),
        value=runs["training_compute_flop"].to_numpy(dtype=float),
        cluster=runs["organisation"].to_numpy(dtype=object),
        name=runs["name"].to_numpy(dtype=object),
    )


def subject(settings: TrainingComputeSettings) -> str:
    """Return what grows, as the start of a headline."""
    kind = " of language models" if settings.domain == "language" else ""
    return {
        "frontier": f"Frontier training compute{kind}",
        "notable": f"Training compute{kind or ' of notable models'}",
        "records": f"The record in training compute{kind}",
    }[settings.rule]


def rule_words(settings: TrainingComputeSettings) -> str:
    """Return which runs, in words: Top-10 runs by compute at release, language models, since 2020."""
    which = {
        "frontier": f"Top-{settings.top} runs by compute at release",
        "notable": "All notable runs",
        "records": "Record-setting runs",
    }[settings.rule]
    parts = [which, "language models" if settings.domain == "language" else ""]
    parts.append("without fine-tunes" if settings.finetunes == "exclude" else "")
    parts.append(
        {"all": "", "likely": "likely or confident", "confident": "confident only"}[settings.confidence]
    )
    parts.append(fit_settings.window_words(settings.since, settings.until))
    return ", ".join(filter(None, parts))


def points(runs: pd.DataFrame, *, divisor: float = 1.0) -> Points:
    """Return the runs as named points, compute divided by ``divisor``."""
    names = tuple(runs["name"])
    return Points(
        series="Training runs",
        role="compute",
        x=tuple(decimal_year(runs["published_on"]).tolist()),
        y=tuple((runs["training_compute_flop"] / divisor).tolist()),
        names=names,
        details=tuple(
            (
                f"{wording.power_of_ten(compute, 3)} FLOP, {confidence} estimate",
                f"{organisation or 'organisation not given'}, {date:%Y-%m-%d}",
                "Source: Epoch AI" if origin == "epoch" else "Source: Scaling Gap curation",
            )
            for compute, confidence, organisation, date, origin in zip(
                runs["training_compute_flop"],
                runs["confidence"],
                runs["organisation"],
                runs["published_on"],
                runs["origin"],
                strict=True,
            )
        ),
        marked=landmarks.marked(names, landmarks.RUNS),
    )


def _table(runs: pd.DataFrame, found: Growth | None) -> Table:
    newest_first = runs.iloc[::-1]
    ratio: list[Cell] = [None] * len(runs)
    if found is not None:
        expected = found.trend.at(decimal_year(newest_first["published_on"]))
        ratio = [*(newest_first["training_compute_flop"].to_numpy(dtype=float) / expected).tolist()]
    return Table(
        columns=(
            Column(name="name", label="Model", kind="text"),
            Column(name="organisation", label="Organisation", kind="text"),
            Column(name="published_on", label="Published", kind="date"),
            Column(name="training_compute_flop", label="Training compute", unit="FLOP", kind="scientific"),
            Column(name="ratio_to_trend", label="Times the trend", unit="1"),
            Column(name="confidence", label="Confidence", kind="text"),
            Column(name="link", label="Source", kind="link"),
        ),
        rows=tuple(
            (name, organisation, f"{date:%Y-%m-%d}", compute, times, confidence, link)
            for name, organisation, date, compute, times, confidence, link in zip(
                newest_first["name"],
                newest_first["organisation"],
                newest_first["published_on"],
                newest_first["training_compute_flop"].tolist(),
                ratio,
                newest_first["confidence"],
                newest_first["link"],
                strict=True,
            )
        ),
    )


def _alternatives(settings: TrainingComputeSettings) -> list[tuple[str, TrainingComputeSettings]]:
    """Return the sensible rules, each the chosen one changed in one respect, no two alike."""
    changes: tuple[tuple[str, dict[str, Any]], ...] = (
        ("Top 10 at release", {"rule": "frontier", "top": 10}),
        ("Top 5 at release", {"rule": "frontier", "top": 5}),
        ("Every notable run", {"rule": "notable"}),
        ("Record setters", {"rule": "records"}),
        ("All domains", {"domain": "all"}),
        ("Language models", {"domain": "language"}),
        ("Without fine-tunes", {"finetunes": "exclude"}),
        ("Without speculative estimates", {"confidence": "likely"}),
        ("Since 2010", {"since": "2010"}),
        ("Since 2018", {"since": "2018"}),
        ("Since 2020", {"since": "2020"}),
        ("Least squares", {"estimator": "least-squares"}),
        ("Theil-Sen", {"estimator": "theil-sen"}),
    )
    kept: dict[TrainingComputeSettings, str] = {}
    for label, change in changes:
        case = replace(settings, **change)
        if case != settings and not case.conflicts():
            kept.setdefault(case, label)
    return [(label, case) for case, label in kept.items()]


def spread_exhibit(
    release: Release, settings: TrainingComputeSettings, found: Growth, *, source: str
) -> Exhibit | None:
    """Return the rate under all sensible rules beside that of the settings; None if no other can be fitted."""
    cases = [
        Case(
            label=label,
            series=series(candidates(release, case)),
            rule=rule(case),
            window=fit_settings.window(case.since, case.until),
            estimator=case.estimator,
            quantile=case.tau,
        )
        for label, case in _alternatives(settings)
    ]
    return rates.spread_exhibit(found, cases, role="compute", source=source)


def build(settings: TrainingComputeSettings, release: Release) -> Finding:
    """Return how fast training compute grows under the settings."""
    runs = candidates(release, settings)
    data_words = f"Data: Epoch AI (CC BY 4.0), curated, release {release.name}."
    try:
        found = fit_settings.fitted(series(runs), settings, rule=rule(settings), since=settings.since)
    except ValueError as problem:
        return _unfitted(runs, settings, problem=str(problem), words=f"{rule_words(settings)}. {data_words}")
    chosen = runs.loc[found.selected].reset_index(drop=True)
    level = wording.percent(found.level)
    fit_words = fit_settings.fit_words(settings, found)
    source = f"{rule_words(settings)}, n = {found.n}. {fit_words} {data_words}"
    rate = found.trend.yearly_growth
    headline = f"{subject(settings)} {trend.grows(found)}"
    bands, lines = trend.trend_marks(
        found,
        series="Training compute",
        role="compute",
        to=settings.to,
        end_label=("Compute per run", f"{wording.times(rate)} a year"),
    )
    rival, rival_notes = trend.rival_line(series(runs), found, to=settings.to)
    marks: tuple[Mark, ...] = (*bands, *rival, *lines, points(chosen))
    chart = XYChart(
        title=headline,
        subtitle=(
            f"Training compute per run in FLOP, log scale; dark band {level} confidence of the trend, light "
            f"band {level} for a new run. {trend.pace(found)}"
        ),
        alt=(
            f"{headline}: {found.n} runs, up to "
            f"{wording.quantity(float(chosen['training_compute_flop'].max()), UNIT)}, with trend, intervals "
            f"and projection to {settings.to}."
        ),
        source=source,
        x=year_axis(found.trend.first_year, max(found.trend.last_year, settings.to)),
        y=trend.value_axis("Training compute [FLOP]", marks, UNIT),
        marks=marks,
    )
    further = spread_exhibit(release, settings, found, source=source)
    return Finding(
        headline=headline,
        figures=trend.figures(found, to=settings.to, unit=UNIT),
        exhibits=(Exhibit(chart=chart, table=_table(chosen, found)), *([further] if further else [])),
        settings_line=source,
        notes=(*found.notes, *rival_notes, *trend.reach_notes(found, to=settings.to)),
    )


def _unfitted(runs: pd.DataFrame, settings: TrainingComputeSettings, *, problem: str, words: str) -> Finding:
    inside = runs.loc[
        fit_settings.window(settings.since, settings.until).holds(decimal_year(runs["published_on"]))
    ]
    return trend.unfitted(
        headline=f"These choices leave {wording.counted(len(inside), 'run')}: no trend can be fitted",
        problem=problem,
        words=words,
        points=points(inside),
        table=_table(inside, None),
        to=settings.to,
        axis_title="Training compute [FLOP]",
        unit=UNIT,
    )


VIEW = View(
    path="/training-compute",
    title="Training compute",
    question="How fast does training compute grow?",
    settings=TrainingComputeSettings,
    build=build,
    method=(
        "Growth is the slope of log10(training compute) against the decimal year of publication. The runs "
        "pass the filters (domain, fine-tunes, confidence) first; the rule then picks among them over "
        "their whole history; the window (since, until) keeps what is fitted.",
        "The bootstrap interval draws the runs anew with replacement, picks the frontier again and fits "
        "again, so it carries the chance in who is on the frontier, which a plain bootstrap of the picked "
        "runs leaves out.",
        "The compute of many runs is an estimate, graded by Epoch AI as confident, likely or speculative; "
        "the last may be off by an order of magnitude, and confidence=likely drops it. A run is a whole "
        "training run on many chips: its growth cannot be compared with the growth of one chip without "
        "saying so.",
    ),
)
