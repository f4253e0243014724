"""Views for language models that use tools, over the Model Context Protocol at `/mcp`, if MCP=on.

It is read-only: tools list the views, return the settings of one, or answer one with figures, pinned link and picture.
Computations use the same pools as files.
"""

import base64
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from data.package import fingerprint
from data.releases import latest, names
from views import citation, written
from views.resolve import LinkError, view_and_settings
from views.result import as_json
from views.settings import LONGEST_QUERY
from views.short_link.letters import ShortLinkError
from views.view import EVERY, ReleaseSettings, View, answer, link, pinned
from web import delivery
from web.api import described
from web.forms import FORMS, Order
from web.renderings import Busy, Renderings
from web.settings import Settings
from web.site import client_of, origin

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer
    from mcp.types import CallToolResult

PATH = "/mcp"
LONGEST_REQUEST_BYTE = 65_536
PATIENCE_S = 30.0
WORDS = written.toml(__file__, name="model_context.toml")
PARTS = ("headline", "subtitle", "settings", "settings_line", "release", "notes", "sources", "versus")
FIGURE = ("name", "label", "value", "unit", "low", "high", "level", "text")


def needed() -> None:
    """Check that the package of the protocol is installed. If not, raise ValueError with the remedy."""
    if find_spec("mcp") is None:
        raise ValueError(WORDS["missing"])


class ModelContext(delivery.PathRoute):
    """Route for `/mcp` with its tools. Sessions are stateless, so any replica answers any request."""

    paths = (PATH,)

    def __init__(self, views: Mapping[str, View], *, settings: Settings, renderings: Renderings) -> None:
        self.views = views
        self.settings = settings
        self.renderings = renderings

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: PLR0917 - ASGI
        """Respond to a message of the protocol."""
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        if scope["method"] != "POST":
            line = "This address speaks the Model Context Protocol (streamable HTTP): send its messages by POST.\n"
            await PlainTextResponse(line, status_code=405, headers={"Allow": "POST"})(scope, receive, send)
            return
        # The SDK would log each client disconnect as an error of its own.
        body = b""
        async for part in Request(scope, receive).stream():
            body += part
            if len(body) > LONGEST_REQUEST_BYTE:  # too long already: the rest is not read
                break
        waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def again() -> Message:
            return waiting.pop() if waiting else await receive()

        manager = StreamableHTTPSessionManager(
            app=self.server._lowlevel_server,
            json_response=True,
            stateless=True,
            max_request_body_size=LONGEST_REQUEST_BYTE,
        )
        async with manager.run():
            await manager.handle_request(scope, again, send)

    @cached_property
    def server(self) -> "MCPServer[Any]":
        """Return the server with its tools and their descriptions for models."""
        from mcp.server.mcpserver import Context, MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
        from mcp.types import CallToolResult, ToolAnnotations

        reading = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
        server: MCPServer[Any] = MCPServer(
            "Scaling Gap", instructions=WORDS["instructions"], log_level="WARNING"
        )

        @server.tool(title="List the views", annotations=reading)
        def list_views() -> dict[str, Any]:
            """List every view (its address, its title and the question it answers) and the data releases."""
            listed = [
                {"view": view.path, "title": view.title, "question": view.question}
                for view in self.views.values()
            ]
            return {"views": listed, "releases": list(names()), "newest_release": latest()}

        @server.tool(title="Settings of a view", annotations=reading)
        def settings_of(view: str) -> dict[str, Any]:
            """Return the settings of a view as JSON Schema, with the meaning, allowed values and default of each."""
            if view not in self.views:
                raise ToolError(f"There is no view {view!r}; there are {', '.join(self.views)}.")
            return described(self.views[view])["settings"]

        @server.tool(title="Answer a view", annotations=reading)
        async def answer_view(
            *, view: str, ctx: Context, settings: dict[str, str] | None = None, picture: bool = False
        ) -> CallToolResult:
            """Answer a view: headline, figures with intervals, frozen link, citation, sources.

            view is an address that list_views gives; settings are those of settings_of, as text, and what is left
            out stands at its default; picture adds the chart as PNG.
            """
            return await self.answered(
                f"{view}?{urlencode(settings or {})}", ctx.request_context.request, picture=picture
            )

        @server.tool(title="Answer a link", annotations=reading)
        async def answer_link(*, link: str, ctx: Context, picture: bool = False) -> CallToolResult:
            """Answer a link of this site, long or short (/v/...), that somebody quoted."""
            return await self.answered(link, ctx.request_context.request, picture=picture)

        return server

    async def answered(self, text: str, request: Any, *, picture: bool) -> "CallToolResult":
        """Return the answer of a view as data and text, with its picture if requested.

        Raises mcp.server.mcpserver.exceptions.ToolError if the link is invalid, with what is allowed, or the server is
        busy.
        """
        from mcp.server.mcpserver.exceptions import ToolError
        from mcp.types import CallToolResult, ContentBlock, ImageContent, TextContent

        if len(text) > LONGEST_QUERY:
            raise ToolError(f"A link has at most {LONGEST_QUERY:,} characters here; got {len(text):,}.")
        try:
            view, chosen = view_and_settings(text)
            chosen = pinned(chosen)
            body = await self._made(request, view, settings=chosen, form="mcp")
            content: list[ContentBlock] = [TextContent(type="text", text=body.decode())]
            if picture:
                png = await self._made(request, view, settings=chosen, form="png")
                content.append(
                    ImageContent(type="image", data=base64.b64encode(png).decode(), mime_type="image/png")
                )
        except (LinkError, ShortLinkError) as fault:
            raise ToolError(str(fault)) from None
        except ClientDisconnect:
            raise ToolError("Whoever asked has hung up.") from None
        except Busy as busy:
            raise ToolError(f"{busy} Try again in {busy.retry_after_s} s.") from None
        return CallToolResult(content=content, structured_content=json.loads(body))

    async def _made(self, request: Request, view: View, *, settings: ReleaseSettings, form: str) -> bytes:
        site, day = origin(request, self.settings), datetime.now(UTC).date()

        def make() -> bytes:
            result = answer(view, settings)
            if form == "png":
                png = FORMS["png"]
                return png.write(Order(result=result, options=png.options(), origin=site, today=day))
            whole = as_json(result)
            content = {name: whole[name] for name in PARTS} | {
                "question": result.question,
                "figures": [{name: one[name] for name in FIGURE} for one in whole["figures"]],
                "link": f"{site}{result.link}",
                "short_link": f"{site}{result.short_link}",
                "table": f"{site}/{view.name}.csv?{result.link.partition('?')[2]}",
                "citation": citation.sentence(result, accessed=day, origin=site),
            }
            if settings.vs.startswith(EVERY):
                content["options"] = whole["table"]
            return json.dumps(content, ensure_ascii=False, allow_nan=False).encode()

        ingredients = [view.name, form, link(view, settings), site, day.isoformat(), fingerprint()]
        making = self.renderings.get(
            delivery.tag("tool", *ingredients),
            make,
            kind=f"{view.name}.{'png' if form == 'png' else 'json'}",
            expensive=view.takes_long(settings),
            patience_s=PATIENCE_S,
            client=client_of(request),
        )
        return await delivery.while_there(request, making)
