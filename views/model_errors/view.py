"""How far off are the models, on measurements that set nothing?"""

from collections.abc import Iterator

from data.releases import Release
from views import wording, written
from views.exhibits import ValueAxis, empty_finding
from views.model_errors import words
from views.model_errors.answer import Answer, chosen
from views.model_errors.exhibits import ERROR_COLUMNS, coverage_exhibit, error_exhibit, rows_exhibit
from views.model_errors.figures import figures
from views.model_errors.settings import ALL, GROUPINGS, MODELS, ModelErrorsSettings
from views.on_demand import OnDemand
from views.result import Exhibit
from views.sources import SERVING_TABLES, TRAINING_TABLES
from views.view import Finding, View

SOURCES = (SERVING_TABLES, TRAINING_TABLES)


def build(settings: ModelErrorsSettings, release: Release) -> Finding:
    """Return how far off the chosen predictions are; what is on record does not depend on the release."""
    answer = Answer(settings=settings, release=release.name, rows=chosen(settings))
    if not answer.rows:
        return _nothing(answer)
    headline = words.headline(answer)

    def exhibits() -> Iterator[Exhibit]:
        yield error_exhibit(answer, title=headline, source=_settings_line(answer))
        yield coverage_exhibit(answer)
        yield rows_exhibit(answer)

    return Finding(
        headline=headline,
        subtitle=words.subtitle(answer),
        figures=figures(answer),
        exhibits=OnDemand(exhibits),
        settings_line=_settings_line(answer),
        notes=tuple(words.notes(answer)),
        sure=tuple(words.sure(answer)),
        changes=(
            "Errors are those of devices, models and runs that were published; a device unlike all of them may be "
            "further off, and rows of one source share its ways of measuring.",
        ),
        sources=SOURCES,
    )


def _settings_line(answer: Answer) -> str:
    settings = answer.settings
    of = "all models" if settings.model == ALL else MODELS[settings.model]
    only = f", only rows with “{settings.only}”" if settings.only else ""
    by = GROUPINGS[settings.group][0].lower()
    counted = wording.counted(len(answer.rows), "measurement")
    return (
        f"Predictions of {of}{only}, by {by}: {counted}, the same for every release (here {answer.release})."
    )


def _nothing(answer: Answer) -> Finding:
    return empty_finding(
        "These choices leave no measured row",
        "No recorded prediction is of that model and has these words; clear them, or choose all models.",
        axis=ValueAxis(
            title="Error of predictions [%]", word=lambda value: f"{value:g} %", span=(-100.0, 100.0)
        ),
        columns=ERROR_COLUMNS,
        source=f"Release {answer.release}: no data.",
        settings_line=_settings_line(answer),
        sources=SOURCES,
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
