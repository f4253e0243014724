"""Training: every published run that set no constant beside what is said of it without its model on its chip."""

from typing import Any, cast

from analysis.training_run.published import PublishedRun
from analysis.trend.calendar_year import decimal_year
from data import standing
from data.releases import reference
from views import wording
from views.model_errors.compared import Compared
from views.training_run.measured import published_runs


def compared() -> tuple[Compared, ...]:
    """Return every published run that set no constant, each predicted without the runs of its model on its chip."""
    lines = cast(list[dict[str, Any]], standing.table("published_training_rates").to_dict("records"))
    pairs = zip(lines, published_runs(reference()), strict=True)
    return tuple(of_run(row, run) for row, run in pairs if run.held_out)


def of_run(row: dict[str, Any], run: PublishedRun) -> Compared:
    """Return a row of the published runs beside its prediction without its model on its chip."""
    return Compared(
        model="training",
        row_id=str(row["run_id"]),
        case=f"{run.run}, {row['n_accelerators']:,.0f} chips",
        architecture=str(row["architecture"]),
        accelerator=str(row["accelerator"]),
        kind=wording.sentence_case(run.kind),
        engine=" ".join(word for word in str(row["software"]).split() if not word[0].isdigit()),
        software_date=float(decimal_year([row["software_on"]])[0]),
        measured=run.measured,
        predicted=run.predicted,
        low=run.lowest,
        high=run.highest,
        unit="tokens/s",
        way="without its model on its chip",
        source_id=str(row["source_id"]),
        locator=str(row["locator"]),
    )
