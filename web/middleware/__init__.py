"""Middleware for all requests and responses."""

from pathlib import Path

from starlette.middleware import Middleware
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from panel.assets import TAPPED, text_of
from web.middleware.own_callers import OwnCallers
from web.middleware.requests import ClientDisconnects, Requests
from web.middleware.security_headers import SecurityHeaders, content_security_policy
from web.middleware.upload_quota import Held, UploadQuota
from web.settings import Settings
from web.telemetry import Metrics


def middleware(
    settings: Settings, *, static_folder: Path, held: Held = dict, metrics: Metrics | None = None
) -> list[Middleware]:
    """Return all middleware, outermost first.

    ``static_folder`` contains Streamlit's index.html; ``held`` returns the size of each session's uploads [byte],
    ``metrics`` counts responses.
    """
    index_html = (static_folder / "index.html").read_text(encoding="utf-8")
    own = f"<script>{text_of(TAPPED)}</script>"
    policy = content_security_policy(index_html + own, embed_ancestors=settings.embed_ancestors)
    return [
        Middleware(ProxyHeadersMiddleware, trusted_hosts=list(settings.trusted_proxy)),
        Middleware(Requests, metrics=metrics or Metrics()),
        Middleware(SecurityHeaders, policy=policy),
        Middleware(OwnCallers, settings=settings),
        Middleware(UploadQuota, held=held),
        Middleware(ClientDisconnects),
    ]
