"""What the chosen techniques do to each measure, before over after."""

from dataclasses import dataclass

from analysis.techniques.worth import LEAST_CHANGE, Effect
from charts.chart import Bar, BarChart
from views import wording
from views.axes import linear_axis
from views.result import Exhibit
from views.table import Getter, column, table
from views.techniques.measures import MEASURES, Measure
from views.techniques.words import change_words


@dataclass(frozen=True, kw_only=True)
class _Row:
    """A measure, and the effect it is read off."""

    measure: Measure
    effect: Effect


COLUMNS: tuple[Getter[_Row], ...] = (
    column("measure", lambda row: wording.sentence_case(row.measure.words), label="Measure", kind="text"),
    column("unit", lambda row: row.measure.unit, label="Unit", kind="text"),
    column(
        "before",
        lambda row: float(getattr(row.effect.before, row.measure.field)),
        label="Before",
        kind="scientific",
    ),
    column(
        "after",
        lambda row: float(getattr(row.effect.after, row.measure.field)),
        label="After",
        kind="scientific",
    ),
    column("saving", lambda row: row.effect.saving(row.measure.field), label="Before / after", unit="x"),
)


def before_after_exhibit(effect: Effect, *, label: str, time_words: str, source: str) -> Exhibit:
    """Return what the chosen techniques do to each measure, as factors of before."""
    savings = {name: effect.saving(measure.field) for name, measure in MEASURES.items()}
    words = {name: measure.words for name, measure in MEASURES.items()} | {"time": time_words}
    changed = [
        change_words(saving, words[name])
        for name, saving in savings.items()
        if abs(saving - 1) >= LEAST_CHANGE
    ]
    title = f"{label}: {', '.join(changed) or 'nothing changes'}"
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle="Before divided by after, per token on one chip; 1× is no change, below 1× is a cost.",
            alt=f"{title}.",
            source=source,
            x=linear_axis("Before / after", [0.0, 1.0, *savings.values()], word=wording.factor_tick),
            base=1.0,
            bars=tuple(
                Bar(
                    label=wording.sentence_case(words[name]),
                    value=savings[name],
                    text=wording.times(savings[name]),
                    role="compute" if name == "flop" else "links" if name == "links" else "memory",
                    emphasised=name == "time",
                )
                for name in MEASURES
            ),
        ),
        table=table(COLUMNS, [_Row(measure=measure, effect=effect) for measure in MEASURES.values()]),
    )
