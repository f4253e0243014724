"""Restriction of requests to our host names, and of sessions to our own pages."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from panel.streamlit_names import SESSIONS
from web.reach import HEALTH
from web.settings import WORDS, Settings

CONVERSATIONS = (SESSIONS, "/mcp")
"""Paths of sessions that other sites' pages must not open: Streamlit's and the tools'."""


class OwnCallers:
    """ASGI middleware that rejects foreign host names (DNS rebinding) and sessions from foreign pages.

    Streamlit would compare an unknown origin with this machine's external address, and block the whole process while it
    requests that. The origin is therefore checked here and not passed on.
    """

    def __init__(self, app: ASGIApp, *, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: PLR0917 - ASGI
        """Pass the request on, or respond with 400 (host name) or 403 (origin)."""
        if scope["type"] not in ("http", "websocket") or scope["path"] == HEALTH:
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not self._is_our_name(headers.get("host", "")):
            await _refuse(scope, receive, send=send, status=400, line=WORDS["callers"]["name"])
            return
        origin = headers.get("origin")
        if origin is not None and scope["path"].startswith(CONVERSATIONS):
            if not self._is_our_origin(origin, headers.get("host", "")):
                await _refuse(scope, receive, send=send, status=403, line=WORDS["callers"]["page"])
                return
            scope = {**scope, "headers": [pair for pair in scope["headers"] if pair[0] != b"origin"]}
        await self.app(scope, receive, send)

    def _is_our_name(self, host: str) -> bool:
        if not self.settings.allowed_hosts:
            return True
        name = _hostname(f"//{host}")
        return any(
            name.endswith(allowed[1:]) if allowed.startswith("*.") else name == allowed
            for allowed in self.settings.allowed_hosts
        )

    def _is_our_origin(self, origin: str, host: str) -> bool:
        origin = origin.lower()
        return origin == self.settings.public_url.lower() or origin.partition("://")[2] == host.lower()


def _hostname(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


async def _refuse(scope: Scope, receive: Receive, *, send: Send, status: int, line: str) -> None:
    session = scope["type"] == "websocket"
    refusal = (
        WebSocketClose(1008, line.strip()[:100]) if session else PlainTextResponse(line, status_code=status)
    )
    await refusal(scope, receive, send)
