"""Every published training run that set no constant beside predictions without its like, and without its source."""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.model_errors.comparison import Comparison
from analysis.training_run.pace import NINE_IN_TEN, Traits
from analysis.training_run.published import PublishedRun, left_out
from analysis.trend.calendar_year import decimal_year


def of_training(lines: Sequence[Mapping[str, Any]], runs: Sequence[PublishedRun]) -> tuple[Comparison, ...]:
    """Return the held-out runs, each predicted without the runs of its model on its chip.

    ``lines`` are those of the table ``published_training_rates``, ``runs`` the same, each without its like.
    """
    return _held_out(lines, runs, model="training", held_out_by="without its model on its chip")


def of_training_by_source(
    lines: Sequence[Mapping[str, Any]], runs: Sequence[PublishedRun]
) -> tuple[Comparison, ...]:
    """Return the held-out runs, each predicted without the runs of its source; ``runs`` are not paced yet.

    Runs of one source share its machines and ways of measuring, so this is how far off a run of a source is that nobody
    has heard of.
    """
    return _held_out(
        lines, without_sources(runs), model="training, new source", held_out_by="without its source"
    )


def without_sources(runs: Sequence[PublishedRun]) -> tuple[PublishedRun, ...]:
    """Return the runs, each predicted at the pace of all other sources."""
    source = {id(run.traits): run.source_id for run in runs}

    def of(traits: Traits) -> tuple[str, ...]:
        return (source[id(traits)],)

    return left_out(runs, groups=of)


def _held_out(
    lines: Sequence[Mapping[str, Any]], runs: Sequence[PublishedRun], *, model: str, held_out_by: str
) -> tuple[Comparison, ...]:
    return tuple(
        Comparison(
            model=model,
            row_id=str(row["run_id"]),
            case=f"{run.run}, {row['n_accelerators']:,.0f} chips",
            architecture=str(row["architecture"]),
            accelerator=str(row["accelerator"]),
            kind=f"{run.kind[:1].upper()}{run.kind[1:]}",
            engine=" ".join(word for word in str(row["software"]).split() if not word[0].isdigit()),
            software_date=float(decimal_year([row["software_on"]])[0]),
            measured=run.measured,
            predicted=run.predicted,
            low=run.bounds(NINE_IN_TEN)[0],
            high=run.bounds(NINE_IN_TEN)[1],
            unit="tokens/s",
            held_out_by=held_out_by,
            source_id=str(row["source_id"]),
            locator=str(row["locator"]),
        )
        for row, run in zip(lines, runs, strict=True)
        if run.held_out
    )
