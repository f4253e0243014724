"""Models that a reader can choose, from the table of architectures."""

import re
from typing import Any

from analysis.model.architecture import Architecture
from data import standing
from data.by_release import ByRelease, kept_by_release


def slug(name: str) -> str:
    """Return a name as written in a link: llama-3.1-70b for Llama 3.1 70B."""
    return re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-")


@kept_by_release()
def names() -> dict[str, str]:
    """Return the names of the models in the table, keyed by option, smallest model first."""
    table = standing.table("architectures").sort_values("n_parameters", kind="stable")
    return {slug(name): name for name in table["name"]}


def meanings() -> dict[str, str]:
    """Return each model's name and kind, dense or mixture of experts, keyed by option."""
    return {
        word: f"{name}, {'mixture of experts' if row(word)['n_experts'] > 0 else 'dense'}"
        for word, name in names().items()
    }


def row(word: str) -> dict[str, Any]:
    """Return a model's row in the table, by its option."""
    return dict(standing.rows("architectures", "name")[names()[word]])


@kept_by_release()
def architecture(word: str) -> Architecture:
    """Return a model's architecture, by its option."""
    return Architecture.from_row(row(word))


MODEL_OPTIONS = ByRelease(lambda: {word: (names()[word], meaning) for word, meaning in meanings().items()})
"""Name and description of each model, keyed by option."""
