"""A reader who leaves in the middle of an answer is no fault: their closed socket is not written into the log.

Streamlit 1.67 takes Starlette's word for a socket that is closed already for a text frame, and closes it again, which
Starlette refuses: a traceback for each tab that was closed at the wrong moment.
"""

from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnected


class GoneReaders:
    """ASGI middleware that ends a session quietly whose socket is gone."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: PLR0917 - ASGI
        """Pass everything on; of a websocket, take that it is closed for its end."""
        try:
            await self.app(scope, receive, send)
        except WebSocketDisconnected:
            if scope["type"] != "websocket":
                raise
