"""The app's own icon, so that a browser's tab neither shows Streamlit's nor asks elsewhere for one."""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse

PATH = "/favicon.png"
FILE = Path(__file__).with_name("icon.png")


async def icon(_request: Request) -> FileResponse:
    """Return the icon where Streamlit's page looks for one."""
    return FileResponse(FILE, headers={"Cache-Control": "public, max-age=86400"})
