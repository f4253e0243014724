from types import SimpleNamespace

from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from pages import left_files
from pages.left_files import held_byte


def test_what_sessions_hold_is_counted_where_streamlit_keeps_it(monkeypatch):
    assert held_byte() == {}
    manager = MemoryUploadedFileManager("/upload")
    for name, size in (("a", 3), ("b", 4)):
        manager.add_file("one", UploadedFileRec(file_id=name, name=name, type="", data=bytes(size)))
    monkeypatch.setattr(left_files.runtime, "exists", lambda: True)
    monkeypatch.setattr(
        left_files.runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=manager)
    )
    assert held_byte() == {"one": 7}
