"""Training, harder: every published run that set no constant beside what is said of it without its whole source."""

from dataclasses import replace
from typing import Any, cast

from analysis.training_run.pace import Traits
from analysis.training_run.published import PublishedRun, left_out
from data import standing
from data.releases import reference
from views.model_errors.compared import Compared
from views.model_errors.of_training import of_run
from views.training_run.measured import unpaced_runs


def without_sources(runs: tuple[PublishedRun, ...]) -> tuple[PublishedRun, ...]:
    """Return the runs, each predicted at the pace of all other sources; what they share is told by the run itself."""
    source = {id(run.traits): run.source_id for run in runs}

    def of(traits: Traits) -> tuple[str, ...]:
        return (source[id(traits)],)

    return left_out(runs, groups=of)


def compared() -> tuple[Compared, ...]:
    """Return every published run that set no constant, each predicted without the runs of its source.

    Runs of one source share its machines and ways of measuring, so this is how far off a run of a source is that nobody
    has heard of.
    """
    lines = cast(list[dict[str, Any]], standing.table("published_training_rates").to_dict("records"))
    pairs = zip(lines, without_sources(unpaced_runs(reference())), strict=True)
    return tuple(
        replace(of_run(row, run), model="training, new source", way="without its source")
        for row, run in pairs
        if run.held_out
    )
