"""Models that a reader can choose, from the table of architectures."""

import re
from typing import Any

from analysis.model.architecture import Architecture
from data import standing
from data.by_release import ByRelease, kept_by_release


def slug(name: str) -> str:
    """Return a name as written in a link: Llama 3.1 70B is llama-3.1-70b."""
    return re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-")


@kept_by_release()
def names() -> dict[str, str]:
    """Return the models of the table by option, smallest first."""
    table = standing.table("architectures").sort_values("n_parameters", kind="stable")
    return {slug(name): name for name in table["name"]}


def meanings() -> dict[str, str]:
    """Return a description of each model by option: a dense model, or a mixture of experts."""
    return {
        word: f"{name}, {'mixture of experts' if row(word)['n_experts'] > 0 else 'dense'}"
        for word, name in names().items()
    }


def row(word: str) -> dict[str, Any]:
    """Return the table row of a model's option."""
    return dict(standing.rows("architectures", "name")[names()[word]])


@kept_by_release()
def architecture(word: str) -> Architecture:
    """Return the model of an option."""
    return Architecture.from_row(row(word))


MODEL_OPTIONS = ByRelease(lambda: {word: (names()[word], meaning) for word, meaning in meanings().items()})
"""The name and description of each model, by option."""
