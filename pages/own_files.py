"""The files a reader brings, as Streamlit keeps them: compressed once they were read, until the session ends."""

import zlib
from collections.abc import Callable

from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.streamlit_internals import session_id, uploads

QUICK = 1
"""The level of compression that takes least time; it leaves about a third of an export."""


class _Compressed(bytes):
    """What stands for the content of a file; a type of its own, which no upload can have."""


def content_of(file: UploadedFile | None) -> Callable[[], bytes | None]:
    """Return what reads a file, in any thread, when its turn has come; until then Streamlit keeps it compressed.

    The whole content is needed again when the reader brings or removes the other file. The browser goes on showing
    the file, and :func:`pages.streamlit_internals.held_byte` counts what is kept of it.
    """
    if file is None:
        return lambda: None
    name, session, manager = file.file_id, session_id(), uploads()
    if not session or not isinstance(manager, MemoryUploadedFileManager):
        return file.getvalue
    for record in manager.get_files(session, [name]):
        if not isinstance(record.data, _Compressed):
            compressed = _Compressed(zlib.compress(record.data, QUICK))
            manager.add_file(session, record._replace(data=compressed))
            file.seek(0)
            file.truncate()  # while this page waits for its turn, the whole content is not held beside

    def read() -> bytes:
        [record] = manager.get_files(session, [name])
        return zlib.decompress(record.data)

    return read
