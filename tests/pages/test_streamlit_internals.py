"""The contract with Streamlit's insides: what guards of the server depend on is there, or the app does not start."""

import subprocess
import sys
from pathlib import Path

import pytest
import streamlit
from streamlit import config
from streamlit.runtime import Runtime
from streamlit.runtime.caching.storage.dummy_cache_storage import MemoryCacheStorageManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.runtime import RuntimeConfig
from streamlit.runtime.session_manager import SessionManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.web.server.starlette import starlette_routes, starlette_websocket

from pages import streamlit_internals
from pages.streamlit_internals import held_byte, open_sessions, session_id
from web.middleware import compress_once, own_callers, upload_quota

ROOT = Path(__file__).resolve().parent.parent.parent
CHANGES = {
    "Runtime.uploaded_file_mgr": (Runtime, "uploaded_file_mgr", None),
    "uploaded_file_mgr.file_storage": (MemoryUploadedFileManager, "__init__", lambda _self, _endpoint: None),
    "UploadedFileRec.data": (UploadedFileRec, "data", None),
    "Runtime._session_mgr": (Runtime, "__init__", lambda _self, _config: None),
    "_session_mgr.num_active_sessions": (SessionManager, "num_active_sessions", None),
    "the path /_stcore/upload_file/": (starlette_routes, "_ROUTE_UPLOAD_FILE", "_stcore/files/{session_id}"),
    "the path /_stcore/stream": (starlette_websocket, "_ROUTE_WEBSOCKET_STREAM", "_core/stream"),
    "the path /static/": (starlette_routes, "BASE_ROUTE_STATIC", "assets"),
    "config._main_script_path": (config, "_main_script_path", None),
}


def test_what_sessions_hold_is_counted_where_streamlit_keeps_it(monkeypatch):
    assert (held_byte(), open_sessions(), session_id()) == ({}, 0, "")
    manager = MemoryUploadedFileManager("/upload")
    for name, size in (("a", 3), ("b", 4)):
        manager.add_file("one", UploadedFileRec(file_id=name, name=name, type="", data=bytes(size)))
    settings = RuntimeConfig(
        script_path="x.py",
        media_file_storage=MemoryMediaFileStorage("/media"),
        uploaded_file_manager=manager,
        session_storage=MemorySessionStorage(),
        cache_storage_manager=MemoryCacheStorageManager(),
    )
    monkeypatch.setattr(Runtime, "_instance", None)
    monkeypatch.setattr(streamlit_internals.runtime, "exists", lambda: True)
    Runtime(settings)
    assert held_byte() == {"one": 7}
    assert open_sessions() == 0


def test_paths_that_are_guarded_are_those_that_are_checked():
    assert upload_quota.PREFIX == streamlit_internals.UPLOADS
    assert own_callers.SESSIONS[0] == streamlit_internals.SESSIONS
    assert compress_once.PREFIX == streamlit_internals.FILES


def test_each_internal_that_a_guard_depends_on_is_as_it_should_be_and_is_checked():
    streamlit_internals.check()
    assert set(CHANGES) == set(streamlit_internals.INTERNALS)


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_in_streamlit_that_would_switch_a_guard_off_is_named(*, monkeypatch, name):
    place, attribute, other = CHANGES[name]
    if other is None:
        monkeypatch.delattr(place, attribute)
    else:
        monkeypatch.setattr(place, attribute, other)
    with pytest.raises(streamlit_internals.ChangedError) as changed:
        streamlit_internals.check()
    assert str(changed.value) == (
        f"Streamlit {streamlit.__version__} has changed {name}, which a guard of this app depends on. Install the "
        "version that requirements.txt names, or adapt pages/streamlit_internals.py."
    )


def test_such_a_change_ends_the_start_with_one_line():
    code = (
        "from streamlit.web.server.starlette import starlette_websocket\n"
        "starlette_websocket._ROUTE_WEBSOCKET_STREAM = 'elsewhere'\n"
        "import app"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"Streamlit {streamlit.__version__} has changed the path /_stcore/stream,")
    assert ended.stderr.count("\n") == 1
