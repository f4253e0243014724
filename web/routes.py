"""All our routes, in matching order."""

from functools import partial
from pathlib import Path

from starlette.routing import BaseRoute, Route

from panel.menu import PAGES, PLAIN_PAGES
from views.registry import VIEWS
from web import api, deck, icon, oembed, reach, search_index
from web.feeds import Feeds
from web.immutable_files import ImmutableFiles
from web.model_context import ModelContext
from web.not_found import UnknownPath
from web.openapi import openapi
from web.pages import Pages
from web.panels import PanelAnswers
from web.release_files import ReleaseFiles
from web.renderings import MEBIBYTE, Renderings
from web.settings import Settings
from web.short_links import ShortLinks
from web.view_files import ViewFiles


def routes(*, static_folder: Path, settings: Settings | None = None) -> list[BaseRoute]:
    """Return our routes. ``static_folder`` has the files of Streamlit's page.

    They are matched before Streamlit's own. The last one takes every unknown path.
    """
    settings = settings or Settings()
    files = Renderings(name="files")
    documents = Renderings(keep_byte=48 * MEBIBYTE, name="pages")
    index_html = static_folder / "index.html"
    return [
        *(Route(path, icon.icon, methods=["GET", "HEAD"]) for path in icon.TYPES),
        *reach.routes(settings),
        *oembed.routes(settings),
        ImmutableFiles(static_folder),
        Pages(VIEWS, PLAIN_PAGES, settings=settings, index_html=index_html, documents=documents),
        PanelAnswers(VIEWS, settings=settings, renderings=files),
        ViewFiles(VIEWS, settings=settings, renderings=files),
        Feeds(VIEWS, settings=settings, renderings=files),
        *([ModelContext(VIEWS, settings=settings, renderings=files)] if settings.mcp else []),
        deck.DeckFile((deck.FILE_PATH,), settings=settings, renderings=files),
        ShortLinks(),
        ReleaseFiles(settings=settings, renderings=files),
        api.Document(api.VIEWS_PATH, make=partial(api.listing, VIEWS), renderings=files),
        api.Document(api.OPENAPI_PATH, make=partial(openapi, VIEWS), renderings=files),
        api.Document(search_index.PATH, make=search_index.index, renderings=files),
        UnknownPath(PAGES, static_folder=static_folder),
    ]
