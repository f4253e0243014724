"""Settings of /model-errors, and the recorded predictions that they select and group."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from analysis.model_errors.comparison import Comparison, from_text
from data import records
from views import written
from views.settings import choice, text
from views.view import ReleaseSettings
from views.wording import sentence_case

WORDS = written.settings(__file__)
ALL = "all"
FOLDER = records.FOLDER / "model_errors"
MONTH = FOLDER / "month.txt"


def read(folder: Path = FOLDER) -> tuple[Comparison, ...]:
    """Return every recorded row in a folder."""
    return tuple(
        row for path in sorted(folder.glob("*.csv")) for row in from_text(path.read_text(encoding="utf-8"))
    )


@cache
def rows() -> tuple[Comparison, ...]:
    """Return every recorded row. The result is cached."""
    return read()


@cache
def month() -> str:
    """Return the month of the record's last update, such as 2026-11."""
    return MONTH.read_text(encoding="utf-8").strip()


_COLUMNS = written.toml(__file__, name="columns.toml")["rows"]


def named(name: str, column: str = "model") -> str:
    """Return the displayed name of a recorded model or class, such as "prefill" for "prompts"."""
    return _COLUMNS[column]["words"].get(name, name)


def word_of(model: str) -> str:
    """Return the option that stands for a model, such as serving-time-per-token."""
    return re.sub(r"[^a-z0-9]+", "-", model.lower()).strip("-")


MODELS: dict[str, str] = {word_of(name): named(name) for name in dict.fromkeys(row.model for row in rows())}
"""Displayed names of the recorded models, keyed by option."""

FORMER = {"training-new-source": "training", "serving-full-load-new-chip": "serving-full-load"}
"""Replacements of old options, from when a model had two ways to hold out rows."""

GROUPINGS: Mapping[str, tuple[str, str]] = WORDS["group"]["options"]


@dataclass(frozen=True, kw_only=True)
class ModelErrorsSettings(ReleaseSettings):
    """Settings of /model-errors: the predictions, their grouping, and search words for their rows."""

    model: str = choice(
        ALL,
        computed={word: (sentence_case(name), f"predictions of {name}") for word, name in MODELS.items()},
        former=FORMER,
        **WORDS["model"],
    )
    group: str = choice("model", **WORDS["group"])
    only: str = text(**WORDS["only"])
