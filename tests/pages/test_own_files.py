"""Files of readers: compressed once they were read, and the same when they are read again."""

import zlib

import pytest
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

from pages import own_files
from pages.own_files import content_of

EXPORT = b"Model,Publication date\n" + b"A model,2024-01-01\n" * 1000


@pytest.fixture
def manager(monkeypatch):
    manager = MemoryUploadedFileManager("/upload")
    monkeypatch.setattr(own_files, "uploads", lambda: manager)
    monkeypatch.setattr(own_files, "session_id", lambda: "one")
    return manager


def uploaded(manager, data: bytes | None = None) -> UploadedFile:
    """Return the file as a widget gives it: once sent, then as the manager has it."""
    if data is not None:
        manager.add_file("one", UploadedFileRec(file_id="a", name="m.csv", type="text/csv", data=data))
    return UploadedFile(manager.get_files("one", ["a"])[0], FileURLs())


def test_a_file_is_kept_compressed_and_read_again_whole(manager):
    assert content_of(uploaded(manager, EXPORT))() == EXPORT
    assert len(manager.get_files("one", ["a"])[0].data) < len(EXPORT) / 3
    again = uploaded(manager)
    assert (again.name, again.file_id, again.type) == ("m.csv", "a", "text/csv")
    assert content_of(again)() == content_of(again)() == EXPORT


def test_a_file_that_came_compressed_is_never_unpacked(manager):
    bomb = zlib.compress(bytes(1_000_000))
    assert content_of(uploaded(manager, bomb))() == content_of(uploaded(manager))() == bomb


def test_no_file_has_no_content():
    assert content_of(None)() is None
