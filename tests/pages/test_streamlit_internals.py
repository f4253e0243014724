"""The contract with Streamlit: each name of its runtime, its paths and its page that ours uses is still there."""

import re
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
from panel.streamlit_names import ROUTES

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
STREAMLITS = Path(streamlit.__file__).parent / "static"
KNOWN_IN = ("panel/browser/streamlit.js", "panel/browser/streamlit.css", "tests/browser/streamlit_page.py")
"""The files that name parts of Streamlit's page."""
NAME = re.compile(r"(?<![\w-])(?:st[A-Z][A-Za-z]+|st-key-|data-test-script-state|__streamlit)(?!\w)")
TEXTS = ("BACKEND_BASE_URL", "HOST_CONFIG", "useExternalAuthToken", "Connection error", "katex-display")
"""What else they rely on."""


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


def test_streamlits_page_still_has_every_name_that_ours_uses():
    files = [*(STREAMLITS / "static" / "js").glob("*.js"), STREAMLITS / "index.html"]
    whole = "\n".join(file.read_text(encoding="utf-8") for file in files)
    names = set(NAME.findall(whole))
    for file in KNOWN_IN:
        lost = sorted(set(NAME.findall((ROOT / file).read_text(encoding="utf-8"))) - names)
        assert not lost, f"Streamlit {streamlit.__version__} has lost {', '.join(lost)}, which {file} names"
    assert [text for text in TEXTS if text not in whole] == []


def test_the_paths_that_streamlit_answers_are_still_those():
    routes = {**vars(starlette_routes), **vars(starlette_websocket)}
    answered = {f"/{path.partition('{')[0]}" for name, path in routes.items() if "ROUTE_" in name}
    assert set(ROUTES) <= answered


def test_no_other_file_names_a_part_of_streamlits_page_or_one_of_its_paths():
    ours = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for folder in ("panel", "pages", "web", "views", "tests/browser")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".js", ".css", ".html") and "vendor" not in path.parts
    }
    also = {file for file, text in ours.items() if NAME.search(text) or "_stcore" in text}
    assert also - {*KNOWN_IN, "panel/streamlit_names.py"} == set()


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
    start = re.escape(
        f"Streamlit {streamlit.__version__} has changed {name}, which a guard of this app depends on"
    )
    with pytest.raises(
        streamlit_internals.ChangedError, match=f"^{start}. Install the version that requirements.txt"
    ):
        streamlit_internals.check()


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
