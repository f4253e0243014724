"""Predicted against measured: what the model says about published runs."""

from statistics import median

from analysis.training_run.published import KINDS, CalibrationRun, KindError, PublishedRun, error_of_all
from analysis.training_run.tables import calibration, errors, published_runs
from charts.chart import Bar, Line, Points, Role
from views import wording, written
from views.axes import log_axis
from views.exhibits import ValueAxis, bar_exhibit, xy_exhibit
from views.result import Exhibit
from views.table import stated_columns, table
from views.training_run.words import percent

_COLUMNS = written.toml(__file__, name="columns.toml")
SOURCE = "Sources of each run: table published_training_rates."


def _measured(run: PublishedRun | CalibrationRun) -> float:
    return run.measured * run.flop_per_token / 1e12


def _predicted(run: PublishedRun | CalibrationRun) -> float:
    return run.predicted * run.flop_per_token / 1e12


def measured_exhibit(release: str, *, source: str) -> Exhibit:
    """Return predicted against measured rates: runs that set no constant, and the runs the model was set on."""
    runs = (*published_runs(release), *calibration(release))
    unseen = error_of_all(published_runs(release))
    title = (
        f"Median error {percent(unseen.size)} on {unseen.runs} published runs that set none of its constants"
    )
    set_on = [abs(run.error) for run in runs if not run.held_out]
    values = [*map(_measured, runs), *map(_predicted, runs)]
    ends = min(values) * 0.9, max(values) * 1.1

    def rates(run: PublishedRun | CalibrationRun) -> str:
        measured, predicted = f"{_measured(run):.0f}", f"{_predicted(run):.0f}"
        return f"measured {measured}, predicted {predicted} TFLOP/s ({run.error:+.0%})"

    def points(series: str, *, held_out: bool, role: Role) -> Points:
        part = [run for run in runs if run.held_out == held_out]
        return Points(
            series=series,
            role=role,
            x=tuple(map(_measured, part)),
            y=tuple(map(_predicted, part)),
            names=tuple(run.run for run in part),
            details=tuple((rates(run), run.kind) for run in part),
            hollow=not held_out,
        )

    columns = stated_columns(
        _COLUMNS["runs"],
        measured_tflop_per_s=_measured,
        predicted_tflop_per_s=_predicted,
        used=lambda run: "no" if run.held_out else "yes",
    )

    return xy_exhibit(
        (
            Line(series="Both agree", role="context", x=ends, y=ends, dash="dotted"),
            points("Constants were set on", held_out=False, role="context"),
            points("Never used", held_out=True, role="compute"),
        ),
        title=title,
        subtitle=(
            "TFLOP/s per accelerator by the model's own operations, or as the source counts; both agree on the "
            "dotted line. Each is predicted without the runs of its model on its chip. "
            f"Grey: {len(set_on)} runs that constants were set on, median error {percent(median(set_on))}."
        ),
        source=f"{SOURCE} {source}",
        x=log_axis("Measured [TFLOP/s]", ends, word=wording.significant),
        y=log_axis("Predicted [TFLOP/s]", ends, word=wording.significant),
        numbers=table(columns, runs),
        section="sure",
    )


def kinds_exhibit(release: str, *, kind: str | None, source: str) -> Exhibit:
    """Return how far off the model is by kind of run, on held-out runs only; ``kind`` is that of the reader's run."""
    kinds = tuple(errors(release).values())
    best, worst = (end(kinds, key=lambda error: error.size) for end in (min, max))
    title = f"Median error {percent(best.size)} on {best.kind}, {percent(worst.size)} on {worst.kind}"
    return bar_exhibit(
        kinds,
        lambda error: Bar(
            label=wording.sentence_case(error.kind),
            value=100 * error.size,
            text=f"{percent(error.size)} ({error.runs})",
            role="compute" if error.kind in KINDS[:2] else "memory",
            emphasised=error.kind == kind,
            detail=(range_words(error),),
        ),
        title=title,
        subtitle=(
            "Median size of the error by kind of run (in brackets: runs), on runs that set no constant, each "
            "predicted without the runs of its model on its chip."
        ),
        source=f"{SOURCE} {source}",
        axis=ValueAxis(
            title="Median error [%]", word=lambda value: f"{value:g} %", span=(0.0, 100 * worst.size * 1.1)
        ),
        columns=stated_columns(_COLUMNS["kinds"]),
        section="sure",
    )


def range_words(error: KindError) -> str:
    """Return where the errors lie, in words: eight in ten of 57 predictions from 10 % too slow to 5 % too fast."""
    part = "eight in ten" if error.runs >= 10 else "all"

    def side(share: float) -> str:
        return f"{100 * abs(share):.0f} % too {'fast' if share >= 0 else 'slow'}"

    return f"{part} of {error.runs} predictions lie between {side(error.low)} and {side(error.high)}"
