"""Which predictions are looked at, and how they are grouped."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from views import written
from views.model_errors.recorded import rows
from views.settings import choice, text
from views.view import ReleaseSettings
from views.wording import sentence_case

WORDS = written.settings(__file__)
ALL = "all"


def word_of(model: str) -> str:
    """Return the word of a link for a model: serving-time-per-token."""
    return re.sub(r"[^a-z0-9]+", "-", model.lower()).strip("-")


MODELS: dict[str, str] = {word_of(name): name for name in dict.fromkeys(row.model for row in rows())}
"""The models on record by their word in a link."""

GROUPINGS: Mapping[str, tuple[str, str]] = WORDS["group"]["options"]


@dataclass(frozen=True, kw_only=True)
class ModelErrorsSettings(ReleaseSettings):
    """Which predictions, grouped by what, and words that their rows contain."""

    model: str = choice(
        ALL,
        computed={word: (sentence_case(name), f"predictions of {name}") for word, name in MODELS.items()},
        **WORDS["model"],
    )
    group: str = choice("model", **WORDS["group"])
    only: str = text(**WORDS["only"])
