"""Flagship models without a compute value: assumed values, and bounds of the growth rate."""

from collections.abc import Iterator
from functools import partial
from itertools import groupby

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from analysis.trend.calendar_year import decimal_year
from analysis.trend.growth import Series, Window
from analysis.trend.undisclosed import AssumedRate, assumed_rates, joined
from charts.chart import Bar, Points
from data import standing
from data.releases import Release
from views import wording, written
from views.exhibits import GROWTH_AXIS, bar_exhibit
from views.kept import kept
from views.result import Exhibit
from views.runs import rows as run_rows
from views.runs.choice import TrainingComputeSettings, rule
from views.table import stated_columns
from views.trend import fit as fit_settings

ASSUMED_FLOP = (1e25, 5e25, 1e26, 3e26, 1e27)
STARTS = (2012, 2018, 2020, 2023)
COLUMNS = stated_columns(
    written.toml(__file__, name="columns.toml")["undisclosed"], since=lambda row: f"{row.since:.0f}"
)


def models(release: Release, settings: TrainingComputeSettings) -> pd.DataFrame:
    """Return the flagship models in the chosen domain and window that lack a compute value, up to the newest run.

    The result is shared and read-only.
    """
    return _models(release, domain=settings.domain, until=_until(settings))


@kept
def _models(release: Release, *, domain: str, until: float | None) -> pd.DataFrame:
    flagships = standing.table("undisclosed_models")
    runs = release.training_runs
    known = runs.loc[runs["training_compute_flop"].notna(), "name"]
    keep = ~flagships["name"].isin(known) & (flagships["published_on"] <= runs["published_on"].max())
    if domain == "language":
        keep &= flagships["domain"].str.contains("Language", regex=False)
    keep &= Window(until=until).holds(decimal_year(flagships["published_on"]))
    return flagships.loc[keep].reset_index(drop=True)


def _until(settings: TrainingComputeSettings) -> float | None:
    return fit_settings.window(settings.since, settings.until).until


def series(flagships: pd.DataFrame, value: ArrayLike) -> Series:
    """Return the assumed compute of each flagship model as a series. [FLOP]"""
    return Series(
        year=decimal_year(flagships["published_on"]),
        value=np.broadcast_to(np.asarray(value, dtype=np.float64), (len(flagships),)),
        cluster=flagships["organisation"].to_numpy(dtype=object),
        name=flagships["name"].to_numpy(dtype=object),
    )


def _ends(flagships: pd.DataFrame) -> tuple[Series, Series]:
    """Return the flagship models as two series: at minimum and at maximum compute."""
    return series(flagships, flagships["low_flop"]), series(flagships, flagships["high_flop"])


def bounds(release: Release, settings: TrainingComputeSettings, *, known: Series) -> tuple[Series, ...]:
    """Return two histories, with all flagships at minimum and at maximum compute. Empty unless bounds are chosen."""
    flagships = models(release, settings)
    if settings.undisclosed != "bounds" or flagships.empty:
        return ()
    return tuple(joined(known, end) for end in _ends(flagships))


def points(release: Release, settings: TrainingComputeSettings) -> Points | None:
    """Return the flagship models as hollow points at their bounds. None unless the trend includes them."""
    if settings.undisclosed != "bounds":
        return None
    flagships = models(release, settings)
    window = fit_settings.window(settings.since, settings.until)
    flagships = flagships.loc[window.holds(decimal_year(flagships["published_on"]))]
    if flagships.empty:
        return None
    ends = [("least", flagships["low_flop"]), ("most", flagships["high_flop"])]
    years = tuple(decimal_year(flagships["published_on"]).tolist())
    return Points(
        series="Without a compute value",
        role="compute",
        x=years * len(ends),
        y=tuple(float(flop) for _, flops in ends for flop in flops),
        names=tuple(f"{name}, at {end}" for end, _ in ends for name in flagships["name"]),
        details=tuple(
            (f"{wording.power_of_ten(flop)} FLOP assumed, none published", f"{organisation}, {date:%Y-%m-%d}")
            for _, flops in ends
            for flop, organisation, date in zip(
                flops, flagships["organisation"], flagships["published_on"], strict=True
            )
        ),
        hollow=True,
    )


def catch(release: Release, settings: TrainingComputeSettings) -> str:
    """Return a sentence on the treatment of flagship models. Empty unless the trend includes some."""
    flagships = models(release, settings)
    if settings.undisclosed != "bounds" or flagships.empty:
        return ""
    low, high = float(np.min(flagships["low_flop"])), float(np.max(flagships["high_flop"]))
    named = f"{wording.counted(len(flagships), 'flagship')} without a value"
    ends = f"{wording.power_of_ten(low)} to {wording.power_of_ten(high)} FLOP"
    return f"The interval also covers {named}, assumed at {ends}."


def sensitivity(release: Release, settings: TrainingComputeSettings, *, source: str) -> Exhibit | None:
    """Return an exhibit of the growth rate by window and assumed compute. None if flagships are ignored."""
    if settings.undisclosed == "ignore":
        return None
    flagships = models(release, settings)
    rates = tuple(_rates(release, settings, flagships=flagships)) if len(flagships) else ()
    if not rates:
        return None
    by_window = {
        int(since): [row.yearly_growth for row in group]
        for since, group in groupby(rates, key=lambda row: row.since)
    }
    ranges = {since: (min(growths), max(growths)) for since, growths in by_window.items()}
    words = {
        since: wording.interval(wording.times(low), wording.times(high))
        for since, (low, high) in ranges.items()
    }
    first, last = next(iter(words)), list(words)[-1]
    title = f"Since {first} the rate is {words[first]} a year under every assumption"
    if last != first:
        title = f"Since {first} the rate is {words[first]} a year; since {last}, {words[last]}"
    return bar_exhibit(
        list(ranges),
        lambda since: Bar(
            label=f"Since {since}",
            start=ranges[since][0],
            value=ranges[since][1],
            text=words[since],
            role="compute",
        ),
        title=title,
        subtitle=(
            f"Each row shows the lowest and highest yearly growth from one start year, with {len(flagships)} flagships "
            f"excluded or all set to one value from {wording.power_of_ten(ASSUMED_FLOP[0])} to "
            f"{wording.power_of_ten(ASSUMED_FLOP[-1])} FLOP."
        ),
        alt=f"{title}: {', '.join(f'since {since} {rate}' for since, rate in words.items())}.",
        source=source,
        axis=GROWTH_AXIS,
        base=1.0,
        dots=True,
        columns=COLUMNS,
        listed=rates,
        section="finding" if settings.undisclosed == "sensitivity" else "changes",
    )


def _rates(
    release: Release, settings: TrainingComputeSettings, *, flagships: pd.DataFrame
) -> Iterator[AssumedRate]:
    until = _until(settings)
    return assumed_rates(
        run_rows.series(run_rows.candidates(release, settings)),
        further=partial(series, flagships),
        values=ASSUMED_FLOP,
        windows=[
            Window(since=float(start), until=until) for start in STARTS if until is None or start < until
        ],
        rule=rule(settings),
        estimator=settings.estimator,
        quantile=settings.tau,
    )


def sentence(release: Release, settings: TrainingComputeSettings) -> tuple[str, ...]:
    """Return a paragraph on the flagship models' assumed compute. Empty if they are ignored."""
    flagships = models(release, settings)
    if settings.undisclosed == "ignore" or flagships.empty:
        return ()
    names = ", ".join(flagships["name"])
    least, most = (_reasons(flagships, end) for end in ("low", "high"))
    return (
        f"The compute of some flagships is assumed, not measured: {names}. The lowest is {least}; the highest "
        f"is {most}.",
    )


def _reasons(flagships: pd.DataFrame, end: str) -> str:
    different = flagships[[f"{end}_flop", f"{end}_reason"]].drop_duplicates()
    return "; ".join(
        f"{wording.power_of_ten(float(flop))} FLOP ({reason})"
        for flop, reason in different.itertuples(index=False, name=None)
    )
