"""Published training speeds and whole runs, each predicted without its own source."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from analysis.model_errors.comparison import Comparison
from analysis.training_run.pace import NINE_IN_TEN, Traits
from analysis.training_run.published import PublishedRun, left_out
from analysis.training_run.recipes import KnownRun
from analysis.trend.calendar_year import decimal_year

SPEEDS, WHOLE_RUNS = "training", "training: whole runs"
"""The predicted quantities: speed per accelerator, and the same derived from total accelerator-hours."""


def of_training(
    lines: Sequence[Mapping[str, Any]],
    runs: Sequence[PublishedRun],
    *,
    recipes: Mapping[str, Mapping[str, Any]],
    known: Sequence[KnownRun],
) -> tuple[Comparison, ...]:
    """Return the held-out runs, each predicted without runs of its source. ``runs`` are not yet corrected for pace.

    ``lines`` are those of the table ``published_training_rates``, ``recipes`` those of ``training_recipes`` by key, and
    ``known`` their predictions. Runs of one source share machines and methods, so the errors are those for a run from a
    new source.
    """
    published = [
        _comparison(row, run, chips=row["n_accelerators"], kind=run.kind)
        for row, run in zip(lines, without_sources(runs), strict=True)
        if run.held_out
    ]
    sources_seen = {row.source_id for row in published}
    by_recipe = [
        _comparison(recipes[run.run_id], run, chips=run.accelerators, kind="known runs")
        for run in known
        if run.source_id not in sources_seen or run.basis != "speed"
    ]
    return (*published, *by_recipe)


def without_sources(runs: Sequence[PublishedRun]) -> tuple[PublishedRun, ...]:
    """Return the runs, each predicted with the pace of all other sources."""
    source = {id(run.traits): run.source_id for run in runs}

    def of(traits: Traits) -> tuple[str, ...]:
        return (source[id(traits)],)

    return left_out(runs, groups=of)


def _comparison(
    row: Mapping[str, Any], run: PublishedRun | KnownRun, *, chips: float, kind: str
) -> Comparison:
    low, high = run.bounds(NINE_IN_TEN)
    time_s = row.get("accelerator_time_s", math.nan)
    return Comparison(
        model=SPEEDS if math.isnan(time_s) else WHOLE_RUNS,
        row_id=str(row["run_id"]),
        case=f"{run.run}, {chips:,.0f} chips",
        architecture=str(row["architecture"]),
        accelerator=str(row["accelerator"]),
        kind=f"{kind[:1].upper()}{kind[1:]}",
        engine=" ".join(word for word in str(row["software"]).split() if not word[0].isdigit()),
        software_date=float(decimal_year([row["software_on"]])[0]),
        measured=run.measured,
        predicted=run.predicted,
        low=low,
        high=high,
        unit="tokens/s",
        held_out_by="without its source",
        source_id=str(row["source_id"]),
        locator=str(row["locator"]),
    )
