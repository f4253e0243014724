"""Settings and finding of /growth-accounting: the factors in the growth of training compute."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.growth_accounting import FACTORS, PartGrowth, clusters_of, confident_only, growth_of_runs
from analysis.trend.calendar_year import decimal_year
from data.releases import Release
from views import wording, written
from views.growth_accounting import charts as accounting_charts
from views.growth_accounting import figures as accounting_figures
from views.growth_accounting.effective import (
    ALGORITHMS,
    NONE,
    effective_exhibit,
    effective_figures,
    effective_notes,
)
from views.growth_accounting.figures import BESIDE
from views.lazy_sequence import LazySequence
from views.result import Exhibit, Table
from views.runs import choice as run_choice
from views.runs import disclosure
from views.runs import rows as run_rows
from views.runs.choice import TrainingComputeSettings
from views.runs.rows import with_parts
from views.settings import Conflict, choice, same_as, shared
from views.table import stated_columns, table
from views.trend import finding as trend
from views.trend import fit as fit_settings
from views.trend.finding import MOST_NOTES
from views.trend.rates import Changes, changed
from views.view import Finding, ReleaseSettings, View

WORDS = written.settings(__file__)


@dataclass(frozen=True, kw_only=True)
class GrowthAccountingSettings(ReleaseSettings):
    """Settings of /growth-accounting: the training runs, the start year, and the level of intervals."""

    rule: str = same_as(TrainingComputeSettings, "rule")
    top: int = same_as(TrainingComputeSettings, "top")
    domain: str = same_as(TrainingComputeSettings, "domain")
    since: str = same_as(TrainingComputeSettings, "since", default="2018")
    until: str = same_as(TrainingComputeSettings, "until")
    confidence: str = same_as(TrainingComputeSettings, "confidence")
    interval: str = same_as(
        fit_settings.FitSettings, "interval", only=("bootstrap", "clustered"), **WORDS["interval"]
    )
    level: str = same_as(TrainingComputeSettings, "level")
    algorithms: str = choice(NONE, computed=ALGORITHMS, **WORDS["algorithms"])

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return a conflict if the window ends before it starts."""
        return fit_settings.until_before_since(self.since, self.until)


def run_settings(settings: GrowthAccountingSettings) -> TrainingComputeSettings:
    """Return the settings of /training-compute that select the same runs."""
    return shared(settings, TrainingComputeSettings)


SENSITIVITY_DRAWS = 400

OF_THESE = "Confident of these"
"""Label of the decomposition of runs whose compute is graded confident."""

CHOICES: Changes = tuple(written.toml(__file__, name="choices.toml").items())


def build(settings: GrowthAccountingSettings, release: Release) -> Finding:
    """Return the finding on the factors in the growth of training compute."""
    chosen = run_settings(settings)
    words = run_choice.rule_words(chosen)
    data_words = f"{settings.chosen_words('algorithms')}{trend.data_words(release)}"
    runs = candidates(release, settings)
    try:
        parts = fitted_parts(runs, settings)
        if "models" in release.origin:
            fit_settings.check_own(n=parts["total"].n)
    except ValueError as problem:
        return _unfitted(runs, settings, problem=str(problem), words=f"{words}. {data_words}")
    selected = runs.loc[parts["all"].rows].reset_index(drop=True)
    total = parts["total"]
    what = "whole organizations" if _clusters(runs, settings) is not None else "models"
    method = f"bootstrap of 2,000 resamples of {what}, with all factors refitted to each resample"
    source = (
        f"{words}, n = {total.n} of {len(selected)} with every part known. Least squares, "
        f"{wording.percent(total.level)} {settings.interval} interval. {data_words}"
    )
    headline = _headline(settings, parts)

    caveats = (disclosure.warning(release, chosen), *accounting_figures.notes(parts))
    notes = tuple(filter(None, (*caveats, *effective_notes(settings.algorithms))))

    def exhibits() -> Iterator[Exhibit]:
        numbers = _table(selected)
        yield accounting_charts.staircase(parts, headline=headline, source=source, numbers=numbers)
        yield accounting_charts.beside(parts, source=source)
        if settings.algorithms != NONE:
            yield effective_exhibit(total, settings.algorithms, source=source)
        cases = [*_cases(release, settings), *_confident(runs, settings).items()]
        if len(cases) > 1:
            yield accounting_charts.sensitivity([("This view", parts), *cases], source=source)

    return Finding(
        headline=headline,
        figures=(
            *accounting_figures.figures(parts, method=method),
            *effective_figures(total, settings.algorithms),
        ),
        exhibits=LazySequence(exhibits),
        settings_line=source,
        subtitle=_subtitle(parts, selected=len(selected)),
        notes=notes[:MOST_NOTES],
        sure=(
            f"The {wording.percent(total.level)} interval comes from a {method}.",
            *accounting_figures.sure(selected, parts),
            *disclosure.sentence(release, chosen),
        ),
        changes=(
            "The choice of runs and years changes how growth is split between the factors.",
            *_confident_words(_confident(runs, settings), total=total),
        ),
    )


def candidates(release: Release, settings: GrowthAccountingSettings) -> pd.DataFrame:
    """Return the runs that pass the filters, with their parts as columns, oldest first."""
    return with_parts(release, run_rows.candidates(release, run_settings(settings)))


def fitted_parts(
    runs: pd.DataFrame, settings: GrowthAccountingSettings, *, draws: int = 2000, further: bool = True
) -> dict[str, PartGrowth]:
    """Return the growth of the runs' parts. ``further`` adds quantities to compare with compute.

    Raises ValueError if too few of the selected runs have known factors.
    """
    return growth_of_runs(
        runs,
        rule=run_choice.rule(run_settings(settings)),
        window=fit_settings.window(settings.since, settings.until),
        level=int(settings.level) / 100,
        clusters=_clusters(runs, settings),
        further={name: column for name, (column, _) in BESIDE.items()} if further else {},
        draws=draws,
    )


def _clusters(runs: pd.DataFrame, settings: GrowthAccountingSettings) -> NDArray[np.object_] | None:
    """Return the organization of each run. None if rows are resampled or organizations are unknown."""
    if settings.interval != "clustered":
        return None
    window = fit_settings.window(settings.since, settings.until)
    return clusters_of(runs, rule=run_choice.rule(run_settings(settings)), window=window)


def _confident_words(cases: Mapping[str, Mapping[str, PartGrowth]], *, total: PartGrowth) -> tuple[str, ...]:
    """Return a sentence on the growth of the runs graded confident. Empty if their decomposition is unknown."""
    parts = cases.get(OF_THESE)
    if parts is None:
        return ()
    return (
        f"In the {parts['total'].n} of the {total.n} runs whose compute is graded confident, compute grows "
        f"{wording.times(parts['total'].value)} a year instead of {wording.times(total.value)}.",
    )


def _headline(settings: GrowthAccountingSettings, parts: dict[str, PartGrowth]) -> str:
    total = parts["total"]
    most = max(FACTORS, key=lambda name: parts[name].slope_per_year)
    language = "language-model " if settings.domain == "language" else ""
    whose = f"Frontier {language}compute" if settings.rule == "frontier" else f"{language}training compute"
    whose, rate = wording.sentence_case(whose), wording.times(total.value)
    if total.low <= 1 <= total.high:
        return f"{whose}: no clear trend ({rate} a year)"
    if total.value < 1:
        return f"{whose} {wording.grows(total.value)} a year"
    leads = accounting_figures.WORDS[most].leads
    # It names its years, as they are not those of the other pages on compute.
    compute = f"{language}{'compute' if settings.rule == 'frontier' else 'training compute'}"
    grown = f"Since {wording.month_words(settings.since)}, {compute} has grown {rate} a year"
    return wording.fitting(f"{grown}, led by {leads}", grown)


def _subtitle(parts: dict[str, PartGrowth], *, selected: int) -> str:
    """Return a subtitle with the total's interval, the number of runs, and utilization."""
    total, ends = parts["total"], wording.factors(parts["total"].low, parts["total"].high)
    return (
        f"The {wording.percent(total.level)} interval is {ends} a year, based on the {total.n} of {selected} selected "
        f"runs whose factors are all known. Utilization {wording.grows(parts['utilization'].value)} a year. "
        f"Before rounding, the four factors multiply to {wording.times(total.value)}."
    )


COLUMNS = stated_columns(
    written.toml(__file__, name="columns.toml")["runs"],
    used=lambda run: "yes" if run.missing == "" else f"no: {run.missing}",
)


def _table(runs: pd.DataFrame) -> Table:
    """Return a table of the selected runs, newest first, with their parts and what is missing."""
    return table(COLUMNS, [*runs.iloc[::-1].itertuples()])


def _cases(release: Release, settings: GrowthAccountingSettings) -> list[tuple[str, dict[str, PartGrowth]]]:
    """Return the decomposition under each alternative choice of runs and start year."""
    cases = []
    for label, case in changed(settings, CHOICES):
        try:
            runs = candidates(release, case)
            cases.append((label, fitted_parts(runs, case, draws=SENSITIVITY_DRAWS, further=False)))
        except ValueError:
            continue
    return cases


def _confident(runs: pd.DataFrame, settings: GrowthAccountingSettings) -> dict[str, dict[str, PartGrowth]]:
    """Return the decomposition of the runs graded confident, keyed by label. Empty if all runs are so graded."""
    known = runs.loc[runs["missing"] == "", "confidence"]
    if settings.confidence == "confident" or (known == "confident").all():
        return {}
    try:
        return {
            OF_THESE: fitted_parts(confident_only(runs), settings, draws=SENSITIVITY_DRAWS, further=False)
        }
    except ValueError:
        return {}


def _unfitted(runs: pd.DataFrame, settings: GrowthAccountingSettings, *, problem: str, words: str) -> Finding:
    window = fit_settings.window(settings.since, settings.until)
    inside = runs.loc[window.holds(decimal_year(runs["published_on"]))]
    known = int((inside["missing"] == "").sum())
    return trend.unfitted(
        headline=f"Only {wording.counted(known, 'run')} with known factors: too few for a split",
        problem=problem,
        words=words,
        points=run_rows.points(inside),
        table=_table(inside),
        to=fit_settings.LAST_YEAR,
        axis_title="Training compute [FLOP]",
        unit=run_rows.UNIT,
    )


VIEW = View(
    settings=GrowthAccountingSettings, build=build, **written.page(__file__, path="/growth-accounting")
)
