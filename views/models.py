"""The models a reader can choose, from the table of architectures."""

import re
from typing import Any

from analysis.model.architecture import Architecture
from data import standing
from data.by_release import ByRelease, kept_by_release


def slug(name: str) -> str:
    """Return a name as it stands in a link: Llama 3.1 70B is llama-3.1-70b."""
    return re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-")


@kept_by_release()
def names() -> dict[str, str]:
    """Return the models of the table by the word a link uses, smallest first."""
    table = standing.table("architectures").sort_values("n_parameters", kind="stable")
    return {slug(name): name for name in table["name"]}


def meanings() -> dict[str, str]:
    """Return each model's word with what it is: a dense model, or a mixture of experts."""
    return {
        word: f"{name}, {'mixture of experts' if row(word)['n_experts'] > 0 else 'dense'}"
        for word, name in names().items()
    }


def row(word: str) -> dict[str, Any]:
    """Return the row of the table that a model's word stands for."""
    return dict(standing.rows("architectures", "name")[names()[word]])


@kept_by_release()
def architecture(word: str) -> Architecture:
    """Return the model that a word stands for."""
    return Architecture.from_row(row(word))


MODEL_OPTIONS = ByRelease(lambda: {word: (names()[word], meaning) for word, meaning in meanings().items()})
"""Each model's word with its name and what it is."""
