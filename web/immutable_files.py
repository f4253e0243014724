"""Immutable files, Streamlit's and ours, each read and compressed once and then answered from memory.

Streamlit sends 7.5 MB of scripts uncompressed because compressing them anew for each reader costs more than it gives,
and holds a file open for as long as a reader takes. Their names carry a hash of their content, so one copy stays right
while the process lives.
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
    """Our route for immutable files, which wait for no answer that is being computed."""

    def __init__(self, folder: Path) -> None:
        files = files_below(folder).items()
        self.files = {path: file for path, file in files if path.startswith(FILES)} | assets()
        pool = ComputePool("files")
        super().__init__(self.files, renderings=Renderings(ordinary=pool, keep_byte=32 * MEBIBYTE))

    async def file(self, request: Request) -> Response:
        """Return the file that a request asks for."""
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
    """Return the files of Streamlit's page by their addresses."""
    return {f"/{path.relative_to(folder).as_posix()}": path for path in folder.rglob("*") if path.is_file()}
