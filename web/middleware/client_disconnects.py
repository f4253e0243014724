"""A reader who leaves in the middle of a session or an upload is no fault: it is not written into the log.

Streamlit 1.67 takes Starlette's word for a socket that is closed already for a text frame, and closes it again, which
Starlette refuses: a traceback for each tab that was closed at the wrong moment.
"""

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnected


class ClientDisconnects:
    """ASGI middleware that ends quietly what a reader has left."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: PLR0917 - ASGI
        """Pass everything on; take a request cut short, and a websocket closed already, for their end."""
        try:
            await self.app(scope, receive, send)
        except ClientDisconnect:
            return
        except WebSocketDisconnected:
            if scope["type"] != "websocket":
                raise
