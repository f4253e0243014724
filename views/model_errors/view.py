"""Finding of /model-errors: the errors of recorded predictions on held-out measurements."""

import re
from collections.abc import Iterator
from functools import partial

from analysis.intervals import Estimate
from analysis.model_errors.errors import LEVEL, Errors
from data.releases import Release
from views import wording, written
from views.exhibits import ValueAxis, empty_finding, estimate_figure, stated_figure
from views.lazy_sequence import LazySequence
from views.model_errors import words
from views.model_errors.answer import Answer, chosen
from views.model_errors.exhibits import ERROR_COLUMNS, error_exhibit, predictions_exhibit, rows_exhibit
from views.model_errors.settings import ALL, GROUPINGS, MODELS, ModelErrorsSettings, named, word_of
from views.model_errors.words import percent, short, signed
from views.result import Exhibit, Figure
from views.sources import SERVING_TABLES, TRAINING_TABLES
from views.view import Finding, View

SOURCES = (SERVING_TABLES, TRAINING_TABLES)


def build(settings: ModelErrorsSettings, release: Release) -> Finding:
    """Return the finding on the errors of the selected predictions. The errors do not depend on the release."""
    answer = Answer(settings=settings, release=release.name, rows=chosen(settings))
    if not answer.rows:
        return _nothing(answer)
    headline = words.headline(answer)

    def exhibits() -> Iterator[Exhibit]:
        yield error_exhibit(answer, title=headline, source=_settings_line(answer))
        yield rows_exhibit(answer)
        if settings.model == ALL or settings.model.startswith("serving"):
            yield predictions_exhibit(answer.release)

    return Finding(
        headline=headline,
        subtitle=words.subtitle(answer),
        figures=figures(answer),
        exhibits=LazySequence(exhibits),
        settings_line=_settings_line(answer),
        notes=tuple(words.notes(answer)),
        sure=tuple(words.sure(answer)),
        changes=(words.TEXTS["changes"],),
        sources=SOURCES,
    )


def _settings_line(answer: Answer) -> str:
    settings = answer.settings
    of = "all models" if settings.model == ALL else MODELS[settings.model]
    only = f", only rows with “{settings.only}”" if settings.only else ""
    by = GROUPINGS[settings.group][0].lower()
    counted = wording.counted(len(answer.rows), "measurement")
    return f"{wording.sentence_case(of)}{only}, by {by}: {counted}, the same for every release (here {answer.release})."


def _nothing(answer: Answer) -> Finding:
    return empty_finding(
        "No measurement matches these choices",
        "No measurement of this model contains these words. Clear them, or choose all models.",
        axis=ValueAxis(title="Error of predictions [%]", word="{:g}%".format, span=(-100.0, 100.0)),
        columns=ERROR_COLUMNS,
        source=f"Release {answer.release}: no data.",
        settings_line=_settings_line(answer),
        sources=SOURCES,
    )


_figure = partial(stated_figure, written.toml(__file__, name="figures.toml"))
EVEN = 0.005
"""Size of the median bias below which predictions count as unbiased. [1]"""


def figures(answer: Answer) -> tuple[Figure, ...]:
    """Return the figures for the rows, which belong to one model or to several."""
    if answer.several:
        return _of_several(answer)
    errors = answer.errors
    high, low = answer.directions
    side = f"too {high if errors.bias > 0 else low}"
    if abs(errors.bias) < EVEN:
        side = f"neither too {high} nor too {low}"
    return (
        _size(errors, label="Median error on a held-out source"),
        _figure(
            "bias",
            label=f"Median bias: {side}",
            value=errors.bias,
            text=signed(errors.bias),
            low=errors.low,
            high=errors.high,
            level=LEVEL,
            n=errors.rows,
        ),
        _inside(errors, label=f"Rows covered by {wording.share(LEVEL)} intervals"),
        *_counts(rows=errors.rows, sources=errors.sources),
    )


def _of_several(answer: Answer) -> tuple[Figure, ...]:
    """Return figures for several models: the extreme errors, the lowest coverage, and each model's own figures."""
    errors = answer.of_model
    near, far = (end(errors, key=lambda name: errors[name].size) for end in (min, max))
    least = min(errors, key=lambda name: errors[name].inside)
    covered = f"Covered by {wording.share(LEVEL)} intervals"
    lowest = f"Lowest coverage of {wording.share(LEVEL)} intervals: {short(least)}"
    return (
        _size(errors[near], name="nearest", label=f"Most accurate: {short(near)}"),
        _size(errors[far], name="furthest", label=f"Least accurate: {short(far)}"),
        _inside(errors[least], name="least_inside", label=re.sub("(: .*): (.*)", r"\1 (\2)", lowest)),
        *(
            figure
            for name, each in errors.items()
            for word, of in ((word_of(name).replace("-", "_"), re.sub(": (.*)", r" (\1)", named(name))),)
            for figure in (
                _size(each, name=f"median_error_{word}", label=f"Median error: {of}", key=False),
                _inside(each, name=f"inside_{word}", label=f"{covered}: {of}", key=False),
            )
        ),
        *_counts(rows=len(answer.rows), sources=len({row.source_id for row in answer.rows})),
    )


def _inside(errors: Errors, *, name: str = "inside", label: str, key: bool = True) -> Figure:
    return estimate_figure(
        name,
        Estimate(value=errors.inside, low=errors.inside_low, high=errors.inside_high),
        label=label,
        unit="1",
        level=LEVEL,
        word=wording.share,
        method="mean over sources of the share of their rows covered; Wilson's interval for that many sources",
        n=errors.rows,
        key=key,
    )


def _size(errors: Errors, *, name: str = "median_error", label: str, key: bool = True) -> Figure:
    return Figure(
        name=name,
        label=label,
        value=errors.size,
        unit="1",
        text=percent(errors.size),
        interval_text=words.rows_range(errors),
        method="median over sources of the median absolute error, predicted over measured minus one",
        n=errors.rows,
        key=key,
    )


def _counts(*, rows: int, sources: int) -> tuple[Figure, Figure]:
    return (
        _figure("rows", value=rows, text=wording.counted(rows, "prediction")),
        _figure("left_out", value=sources, text=f"{sources:,}"),
    )


VIEW = View(settings=ModelErrorsSettings, build=build, **written.page(__file__, path="/model-errors"))
