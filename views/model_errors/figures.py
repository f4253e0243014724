"""The key figures: the size of the error, its bias, and how often intervals hold."""

import re
from functools import partial

from analysis.intervals import Estimate
from analysis.model_errors.errors import LEVEL, Errors
from views import wording, written
from views.exhibits import estimate_figure, stated_figure
from views.model_errors.answer import Answer
from views.model_errors.words import percent, share, short, signed
from views.result import Figure

_figure = partial(stated_figure, written.toml(__file__, name="figures.toml"))
EVEN = 0.005
"""A smaller median error is to neither side. [1]"""


def figures(answer: Answer) -> tuple[Figure, ...]:
    """Return the figures of the rows of one model, or those of several by model."""
    if answer.several:
        return _of_several(answer)
    errors = answer.errors
    high, low = answer.directions
    side = f"too {high if errors.bias > 0 else low}"
    if abs(errors.bias) < EVEN:
        side = f"neither too {high} nor too {low}"
    return (
        _size(errors, label="Median size of the error"),
        _figure(
            "bias",
            label=f"Median error: {side}",
            value=errors.bias,
            text=signed(errors.bias),
            low=errors.low,
            high=errors.high,
            level=LEVEL,
            n=errors.rows,
        ),
        _inside(errors, label=f"Rows inside their {share(LEVEL)} interval"),
        *_counts(rows=errors.rows, groups=errors.groups),
    )


def _of_several(answer: Answer) -> tuple[Figure, ...]:
    """Return the figures of several models: the nearest, the furthest, the least inside, and each for itself."""
    errors = answer.of_model
    near, far = (end(errors, key=lambda name: errors[name].size) for end in (min, max))
    least = min(errors, key=lambda name: errors[name].inside)
    return (
        _size(errors[near], name="nearest", label=f"Nearest: {short(near)}"),
        _size(errors[far], name="furthest", label=f"Furthest: {short(far)}"),
        _inside(
            errors[least],
            name="least_inside",
            label=f"Fewest rows in {share(LEVEL)} intervals: {short(least)}",
        ),
        *(
            figure
            for name, each in errors.items()
            for figure in (
                _size(each, name=f"median_error_{_word(name)}", label=f"Median size: {name}", key=False),
                _inside(each, name=f"inside_{_word(name)}", label=f"Rows inside: {name}", key=False),
            )
        ),
        *_counts(rows=len(answer.rows), groups=sum(each.groups for each in errors.values())),
    )


def _word(model: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", model.lower()).strip("_")


def _inside(errors: Errors, *, name: str = "inside", label: str, key: bool = True) -> Figure:
    return estimate_figure(
        name,
        Estimate(value=errors.inside, low=errors.inside_low, high=errors.inside_high),
        label=label,
        unit="1",
        level=LEVEL,
        word=share,
        method="Wilson's interval, with rows of one chip, model or source counted by how alike they lie.",
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
        interval_text=f"nine in ten from {signed(errors.low)} to {signed(errors.high)}",
        method="Median of the size of predicted over measured less one.",
        n=errors.rows,
        key=key,
    )


def _counts(*, rows: int, groups: int) -> tuple[Figure, Figure]:
    return (
        _figure("rows", value=rows, text=wording.counted(rows, "prediction")),
        _figure("left_out", value=groups, text=f"{groups:,}"),
    )
