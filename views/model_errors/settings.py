"""Which predictions are looked at, and how they are grouped."""

import re
from dataclasses import dataclass

from views.model_errors.recorded import rows
from views.settings import choice, text
from views.view import ReleaseSettings
from views.wording import sentence_case

ALL = "all"


def word_of(model: str) -> str:
    """Return the word of a link for a model: serving-time-per-token."""
    return re.sub(r"[^a-z0-9]+", "-", model.lower()).strip("-")


MODELS: dict[str, str] = {word_of(name): name for name in dict.fromkeys(row.model for row in rows())}
"""The models on record by their word in a link."""

GROUPINGS: dict[str, tuple[str, str]] = {
    "model": ("Model or class", "the models; where one model is chosen, its classes of device or run"),
    "chip": ("Chip", "chips and devices"),
    "architecture": ("Language model", "language models"),
    "engine": ("Engine", "engines, such as llama.cpp or vLLM"),
    "software-date": ("Software date", "half years in which the software was out"),
    "way": ("How rows set nothing", "what each prediction was made without"),
    "source": ("Source", "sources of the measurements"),
}


@dataclass(frozen=True, kw_only=True)
class ModelErrorsSettings(ReleaseSettings):
    """Which predictions, grouped by what, and words that their rows contain."""

    model: str = choice(
        ALL,
        {
            ALL: ("All models", "every model's predictions"),
            **{word: (sentence_case(name), f"predictions of {name}") for word, name in MODELS.items()},
        },
        label="Model",
        help="Whose predictions are compared with measurements.",
        first_row=True,
    )
    group: str = choice(
        "model",
        GROUPINGS,
        label="Group by",
        help="What rows are grouped by; groups of fewer than five rows are shown together.",
        first_row=True,
    )
    only: str = text(
        label="Only rows with",
        help="Keeps rows whose model, chip, class, engine or source contains these words.",
        first_row=True,
    )
