"""Computations on a reader's own data, run in the worker, because a large export takes seconds."""

from collections.abc import Mapping
from typing import Any

from data.epoch import ExportError
from data.releases import from_export
from panel.answer import PanelSettings, answer_of
from views.kept import OwnData
from views.registry import VIEWS
from views.settings import LONGEST_QUERY, parse
from views.view import read


def curated(models: bytes | None, hardware: bytes | None, *, files: tuple[str, str]) -> OwnData | list[str]:
    """Return a reader's export as a session stores it or, if it has errors, a list of them."""
    try:
        return OwnData(from_export(models, hardware, name="your export", files=files), files=files)
    except ExportError as refusal:
        return [str(problem) for problem in refusal.problems]


def answer_from(own: OwnData, request: Mapping[str, Any], *, path: str) -> dict[str, Any]:
    """Return the response to a page with a reader's own data: the answer as ``body``, or a ``problem``."""
    query = str(request.get("query", ""))
    settings, ignored = read(VIEWS[path], query if len(query) <= LONGEST_QUERY else "")
    wanted, _ = parse(
        PanelSettings, {name: [str(value)] for name, value in request.items() if name != "query"}
    )
    try:
        return {"body": answer_of(VIEWS[path], settings, wanted=wanted, ignored=ignored, release=own.release)}
    except ValueError as problem:
        return {"problem": str(problem)}
