"""What was predicted before its measurement was entered, beside what was measured."""

from collections.abc import Iterator

from charts.chart import Bar
from data import records
from data.records import Prediction
from views import wording, written
from views.exhibits import ValueAxis, bars_exhibit
from views.result import Exhibit
from views.table import stated_columns, table

COLUMNS = stated_columns(
    written.toml(__file__, name="columns.toml")["predictions"],
    inside=lambda row: "yes" if row.is_inside else "no",
)


def predictions_exhibit(release: str) -> Exhibit:
    """Return each prediction with its interval, and what was measured since, if anything."""
    rows = records.predictions()
    known = [row for row in rows if row.measured_tokens_per_s is not None]
    met = {row.measured_tokens_per_s for row in known if row.is_inside}
    all_measured = {row.measured_tokens_per_s for row in known}
    title = f"Intervals predicted beforehand cover {len(met)} of {len(all_measured)} measurements"
    return bars_exhibit(
        tuple(bar for row in rows for bar in _bars(row)),
        title=title,
        subtitle=f"Tokens a second of {rows[0].model} on one {rows[0].accelerator} were predicted with "
        f"{wording.percent(rows[0].level)} intervals, then measured. Each case states the deployment it assumes.",
        source="Predictions are in data/derived/predictions.csv; measurements are of MLPerf Inference 6.1, preview. "
        f"The same for every release, here {release}.",
        axis=ValueAxis(title="Tokens a second of one chip", word=lambda value: f"{value:,g}", log=True),
        dots=True,
        numbers=table(COLUMNS, rows),
        section="sure",
    )


def _bars(row: Prediction) -> Iterator[Bar]:
    name = wording.sentence_case(row.case.partition(", ")[2])
    yield Bar(
        label=f"{name}: predicted",
        value=row.predicted_tokens_per_s,
        low=row.predicted_low_tokens_per_s,
        high=row.predicted_high_tokens_per_s,
        text=wording.significant(row.predicted_tokens_per_s),
        role="compute",
        detail=(row.assumed, f"{row.made_with}, {row.predicted_on}"),
    )
    if row.measured_tokens_per_s is not None:
        yield Bar(
            label=f"{name}: measured",
            value=row.measured_tokens_per_s,
            text=wording.significant(row.measured_tokens_per_s),
            role="memory",
            emphasised=True,
            detail=(row.measured_by,),
        )
