"""Immutable files, Streamlit's and ours. Each is compressed once and then served from memory.

Streamlit serves 7.5 MB of scripts uncompressed, because compressing them for each client would cost more than it saves,
and keeps a file open during the transfer. Names include a hash of the content, so a copy stays valid while the process
lives.
"""

from functools import cache
from mimetypes import guess_type
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from panel.assets import assets
from panel.streamlit_names import FILES
from views.compute_pool import ComputePool
from web import delivery
from web.renderings import MEBIBYTE, Renderings


class ImmutableFiles(delivery.FileRoute):
    """Route for immutable files. Requests for them never wait for a computation."""

    def __init__(self, folder: Path) -> None:
        files = files_below(folder).items()
        self.files = {path: file for path, file in files if path.startswith(FILES)} | assets()
        pool = ComputePool("files")
        super().__init__(self.files, renderings=Renderings(ordinary=pool, keep_byte=32 * MEBIBYTE))

    async def file(self, request: Request) -> Response:
        """Return the requested file."""
        path = request.scope["path"]
        script = "text/javascript" if path.endswith(".js") else ""
        media_type = script or guess_type(path)[0] or "application/octet-stream"
        text = "; charset=utf-8" if media_type.startswith("text/") else ""
        return await delivery.deliver(
            request,
            identity=delivery.tag("file", path),
            make=self.files[path].read_bytes,
            renderings=self.renderings,
            headers={"Content-Type": f"{media_type}{text}", "Cache-Control": delivery.FOR_GOOD},
            kind="file",
            open_to_all=False,
        )


@cache
def files_below(folder: Path) -> dict[str, Path]:
    """Return the files of Streamlit's page, keyed by address."""
    return {f"/{path.relative_to(folder).as_posix()}": path for path in folder.rglob("*") if path.is_file()}
