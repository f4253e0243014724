"""How far off are the models, on measurements that set nothing?"""

from collections.abc import Iterator, Sequence

from charts.chart import BarChart
from data.releases import Release
from views import wording, written
from views.axes import linear_axis
from views.model_errors import words
from views.model_errors.bars import ERROR_COLUMNS, coverage_exhibit, error_exhibit
from views.model_errors.compared import Compared, summary
from views.model_errors.figures import figures, figures_by_model
from views.model_errors.groups import OF_A_MODEL, Group, grouped, shown, worst
from views.model_errors.recorded import rows
from views.model_errors.scatter import rows_exhibit
from views.model_errors.settings import ALL, GROUPINGS, MODELS, ModelErrorsSettings, word_of
from views.on_demand import OnDemand
from views.result import Exhibit
from views.sources import SERVING_TABLES, TRAINING_TABLES
from views.table import table
from views.view import Finding, View

NAMED = 3
"""So many groups that are furthest off are named in a note."""


def chosen(settings: ModelErrorsSettings) -> tuple[Compared, ...]:
    """Return the rows that the settings ask for."""
    wanted = settings.only.lower().split()
    return tuple(
        row
        for row in rows()
        if settings.model in (ALL, word_of(row.model)) and all(word in _searched(row) for word in wanted)
    )


def _searched(row: Compared) -> str:
    parts = (
        row.model,
        row.case,
        row.architecture,
        row.accelerator,
        row.kind,
        row.engine,
        row.way,
        row.source_id,
    )
    return " ".join((*parts, row.row_id)).lower()


def build(settings: ModelErrorsSettings, release: Release) -> Finding:
    """Return how far off the chosen predictions are; what is on record does not hang on the release."""
    found = chosen(settings)
    if not found:
        return _nothing(settings, release)
    errors = summary(found)
    models = len({row.model for row in found})
    by = "class" if settings.group == "model" and settings.model != ALL else settings.group
    if models > 1 and by != "model":
        by += OF_A_MODEL
    every = grouped(found, by)
    some = shown(every)
    source = words.source_line(found, release=release.name)
    headline = words.headline(found, errors)
    directions = words.too(found)

    def exhibits() -> Iterator[Exhibit]:
        yield error_exhibit(some, every=every, title=headline, directions=directions, source=source)
        yield coverage_exhibit(some, every=every, source=source)
        yield rows_exhibit(found, by=by, source=source)

    return Finding(
        headline=headline,
        subtitle=words.subtitle(found, errors),
        figures=figures(errors, directions=directions) if models == 1 else figures_by_model(found),
        exhibits=OnDemand(exhibits),
        settings_line=_settings_line(settings, count=len(found), release=release),
        notes=tuple(_notes(found, every, by=by)),
        sure=tuple(_sure(found)),
        changes=(
            "Errors are those of devices, models and runs that were published; a device unlike all of them may be "
            "further off, and rows of one source share its ways of measuring.",
        ),
        sources=(SERVING_TABLES, TRAINING_TABLES),
    )


def _settings_line(settings: ModelErrorsSettings, *, count: int, release: Release) -> str:
    of = "all models" if settings.model == ALL else MODELS[settings.model]
    only = f", only rows with “{settings.only}”" if settings.only else ""
    by = GROUPINGS[settings.group][0].lower()
    counted = wording.counted(count, "measurement")
    return f"Predictions of {of}{only}, by {by}: {counted}, the same for every release (here {release.name})."


def _notes(found: Sequence[Compared], groups: Sequence[Group], *, by: str) -> Iterator[str]:
    classes = grouped(found, f"class{OF_A_MODEL}") if by == "model" else groups
    far = worst(classes, count=NAMED)
    if len(far) > 1:
        told = "; ".join(
            f"{_inside_sentence(group)} ({words.percent(group.errors.size)} over {group.errors.rows:,} rows)"
            for group in far
        )
        yield f"Furthest off by median error: {told}."
    narrow = [group for group in classes if not group.pooled and group.errors.verdict == "too narrow"]
    if narrow:
        narrow.sort(key=lambda group: group.errors.inside)
        told = "; ".join(
            f"{_inside_sentence(group)} ({words.share(group.errors.inside)})" for group in narrow[:NAMED]
        )
        more = f" and {wording.counted(len(narrow) - NAMED, 'group')} more" if len(narrow) > NAMED else ""
        yield f"The 90 % intervals hold clearly less in {told}{more}."
    yield _flattered(found)


def _flattered(found: Sequence[Compared]) -> str:
    blind = words.blind({row.model for row in found})
    told = f"; {blind}" if blind else ""
    return f"Rows left out of a fit still had a part in choosing its form, which flatters these errors{told}."


def _inside_sentence(group: Group) -> str:
    return group.name.replace(". ", " ")


def _sure(found: Sequence[Compared]) -> Iterator[str]:
    yield (
        f"How each row set nothing: {words.ways(found)}. Without its chip: the fit was made again with every row of "
        "that chip, in all its variants, taken out, and the interval is that of all other chips. Without its model, "
        "its model on its chip, or its source: the same for those. Other rows of a source stay in unless it says so, "
        "and what they share makes the errors smaller than on a source nobody has heard of."
    )
    outside = sum(not row.inside for row in found)
    yield (
        f"{outside:,} of {wording.counted(len(found), 'row')} lie outside their interval; the table of rows begins "
        "with those furthest off. Tests on speeds gathered before any was predicted are in the table of blind tests."
    )


def _nothing(settings: ModelErrorsSettings, release: Release) -> Finding:
    headline = "These choices leave no measured row"
    return Finding(
        headline=headline,
        subtitle="No recorded prediction is of that model and has these words; clear them, or choose all models.",
        figures=(),
        exhibits=(
            Exhibit(
                chart=BarChart(
                    title=headline,
                    subtitle="Nothing to draw.",
                    alt=f"{headline}.",
                    source=f"Release {release.name}: no data.",
                    x=linear_axis(
                        "Error of predictions [%]", [-100.0, 100.0], word=lambda value: f"{value:g} %"
                    ),
                    base=0.0,
                ),
                table=table(ERROR_COLUMNS, ()),
            ),
        ),
        settings_line=_settings_line(settings, count=0, release=release),
        sources=(SERVING_TABLES, TRAINING_TABLES),
    )


VIEW = View(
    path="/model-errors",
    title="Model errors",
    question="How far off are the models, on measurements that set nothing?",
    settings=ModelErrorsSettings,
    build=build,
    method=written.method(__file__),
    leads_to=("/track-record", "/data"),
)
