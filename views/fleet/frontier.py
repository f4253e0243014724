"""How much of all chips one leading run used, and how much of what they can compute in a year the largest took."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.fleet import DrawnSeries, in_use
from analysis.fleet.share import Share, run_share, year_share
from analysis.trend.calendar_year import decimal_year
from analysis.units import YEAR_S
from charts.chart import Bar, BarChart
from data.releases import Release
from views import wording
from views.axes import log_axis
from views.chips.metrics import peak_16_bit
from views.chips.shipments import counted
from views.fleet.settings import NEVER, FleetSettings
from views.kept import kept
from views.result import Exhibit, Table
from views.runs.spread import error_sd
from views.table import column, table

USUAL_S = 90 * 86400.0
"""How long a run is taken to have trained where that is not known; those known trained for 48 to 180 days."""


@dataclass(frozen=True, kw_only=True)
class LeadingRun:
    """A leading run: its chips over all chips, the same in FLOP/s, and its compute over a year's of all chips.

    Each share is (value, low, high), None where it is not known; ``year`` is set for the largest run of a year.
    """

    name: str
    published_on: pd.Timestamp
    grade: str
    chips: float | None
    of_chips: tuple[float, float, float] | None
    of_flop_per_s: tuple[float, float, float] | None
    year: int | None = None
    of_year: tuple[float, float, float] | None = None


def fleets(release: Release, settings: FleetSettings) -> tuple[DrawnSeries, DrawnSeries] | None:
    """Return all chips in use, by number and in dense 16-bit FLOP/s; None where no part states that."""
    units, flop = counted(release, "units"), counted(release, "fp16")
    if not len(flop.shipments):
        return None
    retired = None if settings.retire == NEVER else float(settings.retire)
    number, throughput = (
        in_use(one.shipments, one.units, retired_after_years=retired) for one in (units, flop)
    )
    whole = len(throughput.end_year) == len(number.end_year)
    return (number, throughput) if whole else None


def of_years(release: Release, settings: FleetSettings) -> list[tuple[str, int, Share]]:
    """Return the largest run of each year, the year, and its share of what all chips could compute in it."""
    both = fleets(release, settings)
    if both is None:
        return []
    runs = _own_compute(release.training_runs)
    year = runs["published_on"].dt.year
    found = []
    for at in range(round(float(both[1].end_year[0])), round(float(both[1].end_year[-1]))):
        of_year = runs.loc[(year == at) & runs["training_compute_flop"].notna()]
        if len(of_year):
            largest = of_year.loc[[of_year["training_compute_flop"].idxmax()]]
            error = float(error_sd(largest)[0])
            compute = float(largest["training_compute_flop"].iloc[0])
            share = year_share(both[1], year=at, compute_flop=compute, error_sd=error)
            found.append((str(largest["name"].iloc[0]), at, share))
    return found


@kept
def leading_runs(release: Release, *, settings: FleetSettings) -> tuple[LeadingRun, ...]:
    """Return the leading runs whose number of chips is known, oldest first, and the largest of each year."""
    both = fleets(release, settings)
    if both is None:
        return ()
    level = int(settings.level) / 100
    largest = {name: (year, share) for name, year, share in of_years(release, settings)}
    runs = _leading(
        release.training_runs,
        also=tuple(largest),
        first=float(both[0].end_year[0]),
        until=float(both[0].end_year[-1]),
    )
    chips = runs["hardware_quantity"].to_numpy(dtype=float)
    parts: Any = release.accelerators.drop_duplicates("name")
    peak = dict(zip(parts["name"], peak_16_bit(parts), strict=True))
    each = np.array([float(peak.get(name, np.nan)) for name in runs["hardware"]])
    end = decimal_year(runs["published_on"])
    start = end - runs["training_time_s"].fillna(USUAL_S).to_numpy(dtype=float) / YEAR_S
    of_chips, of_flop = (
        run_share(fleet, used=used, start_year=start, end_year=end)
        for fleet, used in zip(both, (chips, chips * each), strict=True)
    )

    def rows() -> Iterator[LeadingRun]:
        for place, row in enumerate(runs.to_dict("records")):
            year, share = largest.get(row["name"], (None, None))
            yield LeadingRun(
                name=row["name"],
                published_on=row["published_on"],
                grade=row["confidence"],
                chips=None if np.isnan(chips[place]) else float(chips[place]),
                of_chips=_ends(of_chips, place=place, level=level),
                of_flop_per_s=_ends(of_flop, place=place, level=level),
                year=year,
                of_year=None if share is None else _ends(share, place=0, level=level),
            )

    return tuple(rows())


def _own_compute(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs that were not built on another: those count the other's compute, too."""
    kept_runs: Any = runs.loc[
        (runs["base_model"] == "") & (runs["excluded"] == "") & runs["published_on"].notna()
    ]
    return kept_runs


def _leading(runs: pd.DataFrame, *, also: Sequence[str], first: float, until: float) -> pd.DataFrame:
    own = _own_compute(runs)
    when = decimal_year(own["published_on"])
    leads = own["frontier_flag"].astype(bool) & own["hardware_quantity"].notna()
    keep: Any = own.loc[(leads & (when > first) & (when <= until)) | own["name"].isin(also)]
    return keep.sort_values("published_on", kind="stable")


def _ends(share: Share, *, place: int, level: float) -> tuple[float, float, float] | None:
    low, high = share.interval(level)
    found = (float(share.value[place]), float(low[place]), float(high[place]))
    return None if np.isnan(found[0]) else found


def largest_known(release: Release) -> tuple[str, float]:
    """Return the name and compute of the largest run known. [FLOP]"""
    runs = _own_compute(release.training_runs)
    at = runs["training_compute_flop"].idxmax()
    return str(runs.loc[at, "name"]), float(runs.loc[at, "training_compute_flop"])


def percent(share: float) -> str:
    """Return a small share in words: 1.4 %, 0.06 %."""
    return f"{wording.significant(100 * share)} %"


def frontier_exhibit(runs: Sequence[LeadingRun], settings: FleetSettings, *, source: str) -> Exhibit | None:
    """Return how much of all chips each leading run used, and how much of a year the largest took."""
    of_chips = [(run, run.of_chips) for run in runs if run.of_chips]
    of_year = [(run, run.of_year) for run in runs if run.of_year]
    if not of_chips or not of_year:
        return None
    some, year = ([share[0] for _, share in shares] for shares in (of_chips, of_year))
    ranges = wording.interval(percent(min(some)), percent(max(some)))
    title = (
        f"A leading run took {ranges} of all AI chips, "
        f"{wording.interval(percent(min(year)), percent(max(year)))} of a year's compute"
    )
    sure = ""
    last, of_last = of_year[-1]
    if last.of_chips:
        title = (
            f"The largest run of {last.year}, {last.name}, took {percent(last.of_chips[0])} of all AI chips, "
            f"{percent(of_last[0])} of a year's compute"
        )
        sure = (
            f" Runs since {runs[0].published_on.year} took {ranges} of the chips. The compute of {last.name} is "
            f"graded {last.grade}: {wording.interval(percent(of_last[1]), percent(of_last[2]))} of the year's."
        )
    bars = (
        *(
            Bar(
                label=run.name,
                value=100 * share[0],
                low=100 * share[1],
                high=100 * share[2],
                text=percent(share[0]),
                role="memory",
                emphasised=run.year is not None,
                detail=(
                    f"{run.chips:,.0f} chips",
                    f"{percent(run.of_flop_per_s[0])} of all FLOP/s"
                    if run.of_flop_per_s
                    else "kind of chip unknown",
                ),
            )
            for run, share in of_chips
        ),
        *(
            Bar(
                label=f"Year {run.year}: {run.name}",
                value=100 * share[0],
                low=100 * share[1],
                high=100 * share[2],
                text=percent(share[0]),
                role="compute",
                detail=(f"compute graded {run.grade}",),
            )
            for run, share in of_year
        ),
    )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=(
                "Orange: chips of a run over all in use while it trained. Blue: compute of the largest known run "
                f"over a year of all chips at their 16-bit peak. Lines: {settings.level} % intervals; log "
                f"scale.{sure}"
            ),
            alt=f"{title}.",
            source=source,
            x=log_axis(
                "Share of all chips [%]",
                [end for bar in bars for end in (bar.low or bar.value, bar.high or bar.value)],
                word=lambda value: f"{value:g} %",
            ),
            base=0.0,
            dots=True,
            bars=bars,
        ),
        table=_table(runs),
        section="finding",
    )


def _table(runs: Sequence[LeadingRun]) -> Table:
    def of(name: str, place: int) -> Callable[[LeadingRun], float | None]:
        def cell(run: LeadingRun) -> float | None:
            share = getattr(run, name)
            return share[place] if share else None

        return cell

    labels = {
        "of_chips": "Of all chips",
        "of_year": "Of the year's compute",
        "of_flop_per_s": "Of all FLOP/s",
    }
    return table(
        (
            column("run", lambda run: run.name, label="Run", kind="text"),
            *(
                column(f"share_{name}{end}", of(name, place), label=f"{label}{said}", unit="1")
                for name, label in labels.items()
                for place, (end, said) in enumerate((("", ""), ("_low", ", low"), ("_high", ", high")))
            ),
            column("chips", lambda run: run.chips, label="Chips"),
            column(
                "published_on",
                lambda run: run.published_on.date().isoformat(),
                label="Published",
                kind="text",
            ),
            column("grade", lambda run: run.grade, label="Confidence in compute", kind="text"),
        ),
        runs,
    )
