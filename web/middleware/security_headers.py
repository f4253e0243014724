"""Restrictions for browsers: only our scripts run on our pages, and only allowed sites frame them."""

import base64
import hashlib
import re

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from views import written

STATED = written.toml(__file__, name="security_headers.toml")
SCRIPT = re.compile(
    r"<!--.*?-->|<script\b(?P<attributes>[^>]*)>(?P<script>.*?)</script\s*>", flags=re.DOTALL | re.IGNORECASE
)
NOT_INLINE = re.compile(
    r"(?:^|\s)(?:src\s*=|type\s*=\s*[\"']?application/(?:ld\+)?json)", flags=re.IGNORECASE
)


class SecurityHeaders:
    """ASGI middleware that adds the security headers to every HTTP response."""

    def __init__(self, app: ASGIApp, *, policy: str) -> None:
        self.app = app
        self.headers = {"Content-Security-Policy": policy, **STATED["headers"]}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: PLR0917 - ASGI
        """Pass the request on. Headers already in a response are kept."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)


def content_security_policy(index_html: str, *, embed_ancestors: str) -> str:
    """Return the content security policy for Streamlit's page. No foreign script may run.

    The page's inline scripts are allowed by hash, so ``index_html`` is the page as served. ``blob:`` is for scripts of
    custom components, which Streamlit's code creates in the browser.
    """
    hashes = " ".join(f"'{digest}'" for digest in inline_script_hashes(index_html))
    policy = "; ".join(STATED["policy"]).replace("SCRIPTS", hashes).replace("FRAMES", embed_ancestors)
    return policy.replace("  ", " ")


def inline_script_hashes(html: str) -> list[str]:
    """Return the hash of each inline script, in the policy's syntax and the page's order.

    Comments and script files are not inline scripts, and data in a script element need no permission.
    """
    scripts = [match for match in SCRIPT.finditer(html) if match["script"] is not None]
    inline = [match["script"] for match in scripts if not NOT_INLINE.search(match["attributes"])]
    digests = (hashlib.sha256(script.encode()).digest() for script in inline)
    return [f"sha256-{base64.b64encode(digest).decode()}" for digest in digests]
