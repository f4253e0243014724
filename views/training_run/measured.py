"""Predicted against measured: what the model says about published runs."""

from dataclasses import dataclass
from statistics import median

from analysis.training_run.published import KINDS, KindError, error_of_all
from analysis.training_run.tables import calibration, errors, published_runs
from charts.chart import Bar, Line, Points, Role
from views import wording, written
from views.axes import log_axis
from views.exhibits import ValueAxis, bar_exhibit, xy_exhibit
from views.result import Exhibit
from views.table import Getter, stated_columns, table
from views.training_run.words import percent


@dataclass(frozen=True, kw_only=True)
class _Checked:
    """A published run beside its prediction, in TFLOP/s; ``used`` where a constant was set on it."""

    run: str
    kind: str
    measured: float
    predicted: float
    used: bool

    @property
    def error(self) -> float:
        return self.predicted / self.measured - 1

    @property
    def rates(self) -> str:
        return f"measured {self.measured:.0f}, predicted {self.predicted:.0f} TFLOP/s ({self.error:+.0%})"


_COLUMNS = written.toml(__file__, name="columns.toml")
RUN_COLUMNS: tuple[Getter[_Checked], ...] = stated_columns(
    _COLUMNS["runs"], used=lambda run: "yes" if run.used else "no"
)


SOURCE = "Sources of each run: table published_training_rates."


def _checked(release: str) -> list[_Checked]:
    published = [(run, run.kind, run.flop_per_token, not run.held_out) for run in published_runs(release)]
    return [
        _Checked(
            run=run.run,
            kind=kind,
            measured=run.measured * flop / 1e12,
            predicted=run.predicted * flop / 1e12,
            used=used,
        )
        for run, kind, flop, used in (
            *published,
            *((run, run.counts, 1.0, True) for run in calibration(release)),
        )
    ]


def measured_exhibit(release: str, *, source: str) -> Exhibit:
    """Return predicted against measured rates: runs that set no constant, and the runs the model was set on."""
    unseen = error_of_all(published_runs(release))
    title = (
        f"Median error {percent(unseen.size)} on {unseen.runs} published runs that set none of its constants"
    )
    shown = _checked(release)
    set_on = [abs(run.error) for run in shown if run.used]
    values = [value for run in shown for value in (run.measured, run.predicted)]
    ends = min(values) * 0.9, max(values) * 1.1

    def points(series: str, *, used: bool, role: Role) -> Points:
        part = [run for run in shown if run.used == used]
        return Points(
            series=series,
            role=role,
            x=tuple(run.measured for run in part),
            y=tuple(run.predicted for run in part),
            names=tuple(run.run for run in part),
            details=tuple((run.rates, run.kind) for run in part),
            hollow=used,
        )

    return xy_exhibit(
        (
            Line(series="Both agree", role="context", x=ends, y=ends, dash="dotted"),
            points("Constants were set on", used=True, role="context"),
            points("Never used", used=False, role="compute"),
        ),
        title=title,
        subtitle=(
            "TFLOP/s per accelerator by the model's own operations, or as the source counts; both agree on the "
            "dotted line. Each is predicted without the runs of its model on its chip. "
            f"Grey: {len(set_on)} runs that constants were set on, median error {percent(median(set_on))}."
        ),
        alt=title,
        source=f"{SOURCE} {source}",
        x=log_axis("Measured [TFLOP/s]", ends, word=wording.significant),
        y=log_axis("Predicted [TFLOP/s]", ends, word=wording.significant),
        numbers=table(RUN_COLUMNS, shown),
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
        alt=title,
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
