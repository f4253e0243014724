"""The key figures: the size of the error, its bias, and how often intervals hold."""

from analysis.model_errors import LEVEL, Errors
from views import wording
from views.model_errors import words
from views.result import Figure

EVEN = 0.005
"""A smaller median error is to neither side. [1]"""


def figures(errors: Errors, *, directions: tuple[str, str], models: int = 1) -> tuple[Figure, ...]:
    """Return the figures of the chosen rows, which are of so many models."""
    high, low = directions
    side = f"too {high if errors.bias > 0 else low}"
    if abs(errors.bias) < EVEN:
        side = f"neither too {high} nor too {low}"
    return (
        Figure(
            name="median_error",
            label="Median size of the error" if models == 1 else f"Median size of the error, {models} models",
            value=errors.size,
            unit="1",
            text=words.percent(errors.size),
            interval_text=f"nine in ten from {words.signed(errors.low)} to {words.signed(errors.high)}",
            method="Median of the size of predicted over measured less one.",
            n=errors.rows,
        ),
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
        Figure(
            name="inside",
            label=f"Rows inside their {words.share(LEVEL)} interval",
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
        ),
        Figure(
            name="rows",
            label="Predictions compared with a measurement",
            value=errors.rows,
            unit="1",
            text=wording.counted(errors.rows, "prediction"),
            key=False,
        ),
        Figure(
            name="left_out",
            label="Chips, models or sources left out one by one",
            value=errors.groups,
            unit="1",
            text=f"{errors.groups:,}",
            key=False,
        ),
    )
