"""Answers about rows made up for tests."""

from views.model_errors.answer import Answer
from views.model_errors.settings import ModelErrorsSettings


def about(rows, **settings) -> Answer:
    """Return the answer about some rows under settings."""
    return Answer(settings=ModelErrorsSettings(**settings), release="2026-07", rows=tuple(rows))
