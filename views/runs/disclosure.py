"""How much of the frontier is known: which share of the notable models has a compute value, and until when."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.trend.calendar_year import decimal_year, from_decimal_year
from analysis.trend.undisclosed import YearShare, known_until, shares
from charts.chart import Bar
from data.releases import Release
from views import wording, written
from views.exhibits import bar_exhibit, share_axis
from views.kept import kept
from views.result import Exhibit
from views.runs.choice import TrainingComputeSettings
from views.table import stated_columns
from views.trend import fit as fit_settings

HARDLY_IDENTIFIED_SINCE = 2020
"""A rate that begins in this year or later hangs on the years whose leading models have no value."""
FIRST_YEAR_SHOWN = 2012
HALF = 0.5

COLUMNS = stated_columns(
    written.toml(__file__, name="columns.toml")["disclosure"], year=lambda row: f"{row.year}"
)


@dataclass(frozen=True, kw_only=True)
class Disclosure:
    """How many notable models of each year have a compute value, and the month of the largest known run."""

    years: tuple[YearShare, ...]
    until: str

    @property
    def newest(self) -> YearShare:
        """Return the last year that has models."""
        return self.years[-1]

    @property
    def fullest(self) -> YearShare:
        """Return the year since 2012 in which the largest share of the models has a value."""
        recent = [year for year in self.years if year.year >= FIRST_YEAR_SHOWN] or self.years
        return max(recent, key=lambda year: year.share)


def disclosure(release: Release, settings: TrainingComputeSettings) -> Disclosure | None:
    """Return how much is known of the models that pass the filters; None where none of them has a value."""
    return _known(release, domain=settings.domain, finetunes=settings.finetunes)


@kept
def _known(release: Release, *, domain: str, finetunes: str) -> Disclosure | None:
    rows = listed(release, domain=domain, finetunes=finetunes)
    value = rows["training_compute_flop"].to_numpy(dtype=float)
    if not np.isfinite(value).any():
        return None
    year = decimal_year(rows["published_on"])
    largest = from_decimal_year(np.array([known_until(year, value)]))[0]
    return Disclosure(years=shares(year, np.isfinite(value)), until=wording.month_words(str(largest)[:7]))


def listed(release: Release, *, domain: str, finetunes: str) -> pd.DataFrame:
    """Return every dated model that is not excluded and passes the filters, with and without a compute value."""
    runs = release.training_runs
    keep = runs["published_on"].notna() & (runs["excluded"] == "")
    if domain == "language":
        keep &= runs["domain"].str.contains("Language", regex=False)
    if finetunes == "exclude":
        keep &= runs["base_model"] == ""
    return runs.loc[keep]


def share_words(year: YearShare) -> str:
    """Return the share of a year as a phrase: 24 % of 2026's notable models."""
    return f"{100 * year.share:.0f} % of {year.year}'s notable models"


def warning(release: Release, settings: TrainingComputeSettings) -> str:
    """Return the sentence that a rate since 2020 or later carries where few of its last models have a value."""
    known = disclosure(release, settings)
    window = fit_settings.window(settings.since, settings.until)
    if known is None or (window.since or 0) < HARDLY_IDENTIFIED_SINCE:
        return ""
    inside = [year for year in known.years if window.until is None or year.year < window.until]
    if not inside or inside[-1].share >= HALF:
        return ""
    return f"Only {share_words(inside[-1])} have a compute value."


def sentence(release: Release, settings: TrainingComputeSettings) -> tuple[str, ...]:
    """Return until when the frontier is known and which share has a value, as one sentence; none if all is unknown."""
    known = disclosure(release, settings)
    if known is None:
        return ()
    return (
        f"The frontier is known until {known.until}, when the largest run with a compute value was released: "
        f"{share_words(known.newest)} have one, against {100 * known.fullest.share:.0f} % of {known.fullest.year}'s, "
        "so the few points since then say little about its growth.",
    )


def exhibit(release: Release, settings: TrainingComputeSettings, *, source: str) -> Exhibit | None:
    """Return the share of the models of each year that have a compute value, as bars with their table."""
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
            text=f"{100 * year.share:.0f} %, n = {year.listed}",
            role="compute",
            emphasised=year is shown[-1],
        ),
        title=title,
        subtitle=(
            "Share of the notable models of each year with a compute value; the largest known run is of "
            f"{known.until}."
        ),
        alt=f"{title}: {', '.join(f'{year.year} {100 * year.share:.0f} %' for year in shown)}.",
        source=source,
        axis=share_axis("Share with a compute value"),
        columns=COLUMNS,
        section="sure",
    )
