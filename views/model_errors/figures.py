"""The key figures: the size of the error, its bias, and how often intervals hold."""

import re
from collections.abc import Sequence

from analysis.model_errors import LEVEL, Errors
from views import wording
from views.model_errors import words
from views.model_errors.compared import Compared, summary
from views.result import Figure

EVEN = 0.005
"""A smaller median error is to neither side. [1]"""


def _inside(errors: Errors, *, name: str = "inside", label: str, key: bool = True) -> Figure:
    return Figure(
        name=name,
        label=label,
        value=errors.inside,
        unit="1",
        text=words.share(errors.inside),
        low=errors.inside_low,
        high=errors.inside_high,
        level=LEVEL,
        interval_text=wording.at_level(
            LEVEL, low=words.share(errors.inside_low), high=words.share(errors.inside_high)
        ),
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
        text=words.percent(errors.size),
        interval_text=f"nine in ten from {words.signed(errors.low)} to {words.signed(errors.high)}",
        method="Median of the size of predicted over measured less one.",
        n=errors.rows,
        key=key,
    )


def _counts(*, rows: int, groups: int) -> tuple[Figure, ...]:
    return (
        Figure(
            name="rows",
            label="Predictions compared with a measurement",
            value=rows,
            unit="1",
            text=wording.counted(rows, "prediction"),
            key=False,
        ),
        Figure(
            name="left_out",
            label="Chips, models or sources left out one by one",
            value=groups,
            unit="1",
            text=f"{groups:,}",
            key=False,
        ),
    )


def figures_by_model(rows: Sequence[Compared]) -> tuple[Figure, ...]:
    """Return the figures of rows of several models: the nearest, the furthest, the least held, and each for itself."""
    of_model: dict[str, list[Compared]] = {}
    for row in rows:
        of_model.setdefault(row.model, []).append(row)
    errors = {name: summary(kept) for name, kept in of_model.items()}
    near, far = (end(errors, key=lambda name: errors[name].size) for end in (min, max))
    least = min(errors, key=lambda name: errors[name].inside)
    return (
        _size(errors[near], name="nearest", label=f"Nearest: {_short(near)}"),
        _size(errors[far], name="furthest", label=f"Furthest: {_short(far)}"),
        _inside(
            errors[least],
            name="least_inside",
            label=f"Fewest rows in {words.share(LEVEL)} intervals: {_short(least)}",
        ),
        *(
            figure
            for name, each in errors.items()
            for figure in (
                _size(each, name=f"median_error_{_word(name)}", label=f"Median size: {name}", key=False),
                _inside(each, name=f"inside_{_word(name)}", label=f"Rows inside: {name}", key=False),
            )
        ),
        *_counts(rows=len(rows), groups=sum(each.groups for each in errors.values())),
    )


def _short(model: str) -> str:
    return model.removeprefix("serving: ")


def _word(model: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", model.lower()).strip("_")


def figures(errors: Errors, *, directions: tuple[str, str]) -> tuple[Figure, ...]:
    """Return the figures of the chosen rows, all of one model."""
    high, low = directions
    side = f"too {high if errors.bias > 0 else low}"
    if abs(errors.bias) < EVEN:
        side = f"neither too {high} nor too {low}"
    return (
        _size(errors, label="Median size of the error"),
        Figure(
            name="bias",
            label=f"Median error: {side}",
            value=errors.bias,
            unit="1",
            text=words.signed(errors.bias),
            low=errors.low,
            high=errors.high,
            level=LEVEL,
            method="Median of predicted over measured less one; the ends hold nine rows in ten.",
            n=errors.rows,
        ),
        _inside(errors, label=f"Rows inside their {words.share(LEVEL)} interval"),
        *_counts(rows=errors.rows, groups=errors.groups),
    )
