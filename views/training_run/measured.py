"""Known runs by their own recipes: how near the model comes to what was published."""

from analysis.training_run.recipes import KnownRun
from analysis.training_run.tables import known
from charts.chart import Line, Points, Role
from data import sources
from views import wording, written
from views.axes import log_axis
from views.exhibits import xy_exhibit
from views.result import Exhibit
from views.table import stated_columns, table

_COLUMNS = written.toml(__file__, name="columns.toml")


def known_exhibit(release: str, *, source: str) -> Exhibit:
    """Return known training runs by their own recipe: published and predicted speed, with what is told of each."""
    runs = known(release)
    values = [rate for run in runs for rate in (run.measured, run.predicted)]
    ends = min(values) * 0.9, max(values) * 1.1
    speeds, hours = (
        f"{sum(run.near for run in part)} of {len(part)}"
        for part in (
            [run for run in runs if run.basis == "speed"],
            [run for run in runs if run.basis != "speed"],
        )
    )

    def points(series: str, *, within: bool, role: Role) -> Points:
        part = [run for run in runs if run.near == within]
        return Points(
            series=series,
            role=role,
            x=tuple(run.measured for run in part),
            y=tuple(run.predicted for run in part),
            names=tuple(run.run for run in part),
            details=tuple((_rates(run), run.note) for run in part),
            hollow=not within,
        )

    columns = stated_columns(
        _COLUMNS["known"],
        near=lambda run: "yes" if run.near else "no",
        address=lambda run: sources.address(run.source_id),
    )
    return xy_exhibit(
        (
            Line(series="Both agree", role="context", x=ends, y=ends, dash="dotted"),
            points("Beyond 20%", within=False, role="context"),
            points("Within 20%", within=True, role="compute"),
        ),
        title=f"{speeds} published speeds and {hours} published hours are predicted within 20%",
        subtitle=(
            "Points are tokens a second per accelerator, by each run's own recipe, with its source and model held "
            "out. No constant was fitted to them, but the overlap of experts was modelled because of DeepSeek-V3."
        ),
        source=f"Sources of each run: table training_recipes. {source}",
        x=log_axis("Published [tokens/s]", ends, word=wording.significant),
        y=log_axis("Predicted [tokens/s]", ends, word=wording.significant),
        numbers=table(columns, sorted(runs, key=lambda run: abs(run.error))),
        section="sure",
    )


def _rates(run: KnownRun) -> str:
    return (
        f"published {wording.significant(run.measured, 3)}, predicted {wording.significant(run.predicted, 3)} tokens/s "
        f"({run.error:+.0%})"
    )
