"""Every route of our own, in the order in which they are tried."""

from collections.abc import Collection
from pathlib import Path

from starlette.routing import BaseRoute, Route

from views.registry import VIEWS
from web import health, icon
from web.not_found import UnknownPath
from web.paths import PAGES
from web.renderings import Renderings
from web.settings import Settings
from web.view_files import ViewFiles


def routes(
    *, static_folder: Path, pages: Collection[str] = PAGES, settings: Settings | None = None
) -> list[BaseRoute]:
    """Return our routes; ``static_folder`` holds the files of Streamlit's page.

    They are tried before Streamlit's own. The last one takes every path that nobody answers.
    """
    settings = settings or Settings()
    renderings = Renderings()
    return [
        Route(health.PATH, health.healthz, methods=["GET", "HEAD"]),
        Route(icon.PATH, icon.icon, methods=["GET", "HEAD"]),
        ViewFiles(VIEWS, settings=settings, renderings=renderings),
        UnknownPath(pages, static_folder=static_folder),
    ]
