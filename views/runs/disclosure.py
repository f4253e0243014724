"""Disclosure of notable models' compute."""

from dataclasses import dataclass
from statistics import median

import numpy as np
import pandas as pd

from analysis.trend.calendar_year import decimal_year
from analysis.trend.undisclosed import YearShare, shares
from charts.chart import Bar
from data import standing
from data.releases import Release
from views import wording, written
from views.exhibits import bar_exhibit, share_axis
from views.kept import kept
from views.result import Exhibit
from views.runs.choice import TrainingComputeSettings
from views.table import stated_columns
from views.trend import fit as fit_settings

HARDLY_IDENTIFIED_SINCE = 2020
"""Start year from which a rate includes years whose leading models do not disclose compute."""
FIRST_YEAR_SHOWN = 2012
HALF = 0.5

COLUMNS = stated_columns(
    written.toml(__file__, name="columns.toml")["disclosure"], year=lambda row: f"{row.year}"
)


@dataclass(frozen=True, kw_only=True)
class Disclosure:
    """The yearly share of notable models with a compute value, and the largest run with one.

    ``within`` is the factor within which the compute of that run is known.
    """

    years: tuple[YearShare, ...]
    until: str
    largest: str
    grade: str
    within: float

    @property
    def newest(self) -> YearShare:
        """Return the last year with models."""
        return self.years[-1]

    @property
    def usual(self) -> float:
        """Return the median yearly share since 2012 of models with a compute value. [1]"""
        recent = [year for year in self.years if year.year >= FIRST_YEAR_SHOWN] or self.years
        return median(year.share for year in recent)


def disclosure(release: Release, settings: TrainingComputeSettings) -> Disclosure | None:
    """Return the disclosure of the filtered models' compute. None if no model has a value."""
    return _known(release, domain=settings.domain, finetunes=settings.finetunes)


@kept
def _known(release: Release, *, domain: str, finetunes: str) -> Disclosure | None:
    rows = listed(release, domain=domain, finetunes=finetunes)
    value = rows["training_compute_flop"].to_numpy(dtype=float)
    if not np.isfinite(value).any():
        return None
    dated = rows.sort_values("published_on", kind="stable")
    largest = dated.loc[dated["training_compute_flop"].idxmax()]
    grade = str(largest["confidence"])
    return Disclosure(
        years=shares(decimal_year(rows["published_on"]), np.isfinite(value)),
        until=wording.month_words(f"{largest['published_on']:%Y-%m}"),
        largest=str(largest["name"]),
        grade=grade,
        within=float(standing.rows("confidence_grades", "grade")[grade]["within_factor"]),
    )


def listed(release: Release, *, domain: str, finetunes: str) -> pd.DataFrame:
    """Return all dated models that pass the filters, with or without a compute value."""
    runs = release.training_runs
    keep = runs["published_on"].notna() & (runs["excluded"] == "")
    if domain == "language":
        keep &= runs["domain"].str.contains("Language", regex=False)
    if finetunes == "exclude":
        keep &= runs["base_model"] == ""
    return runs.loc[keep]


def share_words(year: YearShare) -> str:
    """Return a year's share of models with a compute value, as text: 24% of 2026's notable models."""
    return f"{100 * year.share:.0f}% of {year.year}'s notable models"


def warning(release: Release, settings: TrainingComputeSettings) -> str:
    """Return a warning if few recent models have a compute value. Empty for rates that start before 2020."""
    known = disclosure(release, settings)
    window = fit_settings.window(settings.since, settings.until)
    if known is None or (window.since or 0) < HARDLY_IDENTIFIED_SINCE:
        return ""
    inside = [year for year in known.years if window.until is None or year.year < window.until]
    if not inside or inside[-1].share >= HALF:
        return ""
    return f"Only {share_words(inside[-1])} have a compute value."


def sentence(release: Release, settings: TrainingComputeSettings) -> tuple[str, ...]:
    """Return sentences on the largest run and the share of models with a compute value. May be empty."""
    known = disclosure(release, settings)
    if known is None:
        return ()
    return (
        f"The largest run with a compute value is {known.largest}, from {known.until}. The compute estimate for "
        f"{known.largest} is graded “{known.grade}”: it may be wrong by a factor of about {known.within:g}.",
        f"{wording.sentence_case(share_words(known.newest))} have a compute value, against {100 * known.usual:.0f}% "
        f"in the median year since {FIRST_YEAR_SHOWN}, so the newest points say little about growth.",
    )


def exhibit(release: Release, settings: TrainingComputeSettings, *, source: str) -> Exhibit | None:
    """Return an exhibit of each year's share of models with a compute value. None if no model has one."""
    known = disclosure(release, settings)
    if known is None:
        return None
    shown = [year for year in known.years if year.year >= FIRST_YEAR_SHOWN]
    if not shown:
        return None
    title = f"{wording.sentence_case(share_words(shown[-1]))} have a compute value"
    return bar_exhibit(
        shown,
        lambda year: Bar(
            label=f"{year.year}",
            value=year.share,
            text=f"{100 * year.share:.0f}%, n = {year.listed}",
            role="compute",
            emphasised=year is shown[-1],
        ),
        title=title,
        subtitle=(
            "Each bar is the share of a year's notable models with a compute value. The largest run with a "
            f"value is from {known.until}."
        ),
        alt=f"{title}: {', '.join(f'{year.year} {100 * year.share:.0f}%' for year in shown)}.",
        source=source,
        axis=share_axis("Share with a compute value"),
        columns=COLUMNS,
        section="sure",
    )
