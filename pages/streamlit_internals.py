"""Internals of Streamlit that the server uses: names and paths that a new version may change.

Each guard below would then be off without notice, so the app does not start.
"""

from collections.abc import Callable
from pkgutil import resolve_name
from typing import Any

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.text import WORDS
from panel.streamlit_names import FILES, STREAM, UPLOADS


class ChangedError(RuntimeError):
    """Error if Streamlit is not as this app expects. Its text is one line that names the change and the remedy."""


def uploads() -> Any:
    """Return the manager of uploaded files in this process. None if no server runs."""
    return runtime.get_instance().uploaded_file_mgr if runtime.exists() else None


def held_byte() -> dict[str, int]:
    """Return the size of each session's uploads. Streamlit keeps them until the session ends. [byte]"""
    manager = uploads()
    if manager is None:
        return {}
    return {
        session: sum(len(file.data) for file in list(files.values()))
        for session, files in list(manager.file_storage.items())
    }


def open_sessions() -> int:
    """Return the number of open sessions in this process."""
    return runtime.get_instance()._session_mgr.num_active_sessions() if runtime.exists() else 0


def session_id() -> str:
    """Return the ID of the session whose page is running. Empty if no page is."""
    run = get_script_run_ctx()
    return run.session_id if run else ""


INTERNALS: dict[str, Callable[[], bool]] = {
    "Runtime.uploaded_file_mgr": lambda: hasattr(_streamlit("runtime:Runtime"), "uploaded_file_mgr"),
    "uploaded_file_mgr.file_storage": lambda: isinstance(
        _streamlit("runtime.memory_uploaded_file_manager:MemoryUploadedFileManager")("").file_storage, dict
    ),
    "UploadedFileRec.data": lambda: hasattr(
        _streamlit("runtime.uploaded_file_manager:UploadedFileRec"), "data"
    ),
    # The attribute is created with a runtime, too late to refuse start-up in one line.
    "Runtime._session_mgr": lambda: (
        "_session_mgr" in _streamlit("runtime:Runtime").__init__.__code__.co_names
    ),
    "_session_mgr.num_active_sessions": lambda: hasattr(
        _streamlit("runtime.session_manager:SessionManager"), "num_active_sessions"
    ),
    f"the path {UPLOADS}": lambda: _route("starlette_routes:_ROUTE_UPLOAD_FILE").startswith(UPLOADS),
    f"the path {STREAM}": lambda: _route("starlette_websocket:_ROUTE_WEBSOCKET_STREAM") == STREAM,
    f"the path {FILES}": lambda: f"{_route('starlette_routes:BASE_ROUTE_STATIC')}/" == FILES,
    "config._main_script_path": lambda: hasattr(_streamlit("config"), "_main_script_path"),
}
"""Checks of the internals that guards depend on, keyed by name."""


def check() -> None:
    """Check that Streamlit has the internals that our guards depend on.

    Raises ChangedError if one of them is missing.
    """
    for name, is_as_known in INTERNALS.items():
        try:
            known = is_as_known()
        except (ImportError, AttributeError):
            known = False
        if not known:
            raise ChangedError(WORDS["changed"].format(version=st.__version__, name=name))


def _streamlit(name: str) -> Any:
    return resolve_name(f"streamlit.{name}")


def _route(name: str) -> str:
    return f"/{_streamlit(f'web.server.starlette.{name}')}"
