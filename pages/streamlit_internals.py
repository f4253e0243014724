"""What the server needs of Streamlit's insides: names and paths that a new version may change without a word.

Each guard below would be off, silently, after such a change; so the app does not start then.
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
    """Streamlit is not as this app knows it; the text is one line that says what changed and what to do."""


def uploads() -> Any:
    """Return what keeps the files that readers sent to this process; None where no server runs."""
    return runtime.get_instance().uploaded_file_mgr if runtime.exists() else None


def held_byte() -> dict[str, int]:
    """Return how much each session has left with this process: Streamlit keeps its files until it ends. [byte]"""
    manager = uploads()
    if manager is None:
        return {}
    return {
        session: sum(len(file.data) for file in list(files.values()))
        for session, files in list(manager.file_storage.items())
    }


def open_sessions() -> int:
    """Return how many readers have a session open with this process."""
    return runtime.get_instance()._session_mgr.num_active_sessions() if runtime.exists() else 0


def session_id() -> str:
    """Return the name of the session whose page is running; "" outside of one."""
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
    # The attribute is made when a runtime is, which is too late to refuse the start in one line.
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
"""What a guard depends on, by name, and whether it is as the guard knows it."""


def check() -> None:
    """Return when Streamlit is as the guards know it.

    Raises
    ------
    ChangedError
        When it is not.
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
