"""Several views as one presentation: `/deck.pptx?view=<link>&view=<link>&title=...&release=...`."""

from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response

from data.package import fingerprint
from panel.deck_file import deck_file
from views.deck import LONGEST_QUERY, PATH, VIEW_ALLOWED, deck_link, expensive, parse_deck, shown
from views.settings import Ignored
from views.view import LATEST, SHORT
from web import delivery
from web.forms import FORMS
from web.problem import UnusableError
from web.site import origin, query_of

FILE_PATH = f"{PATH}.pptx"


class DeckFile(delivery.FileRoute):
    """Route for a deck as a file."""

    longest = LONGEST_QUERY

    async def file(self, request: Request) -> Response:
        """Return the requested deck."""
        query = query_of(request.scope)
        deck, ignored = parse_deck(query)
        if not (deck.items or ignored):
            ignored = (Ignored(setting="view", value="", allowed=VIEW_ALLOWED),)
        if ignored:
            raise UnusableError(ignored)
        site = origin(request, self.settings)
        views = [one.link for one in shown(deck)]
        # A link that spells out a whole deck, as from its page or a short link, has a permanent answer.
        pairs, all_of_it = parse_qsl(query, keep_blank_values=True), deck.described()
        explicit = deck.release != LATEST and len(pairs) == len(all_of_it)
        for one, whole in zip(pairs, all_of_it, strict=False):
            explicit &= one == whole or (one[0] == "view" and one[1].startswith(SHORT) and "?" not in one[1])
        return await delivery.deliver(
            request,
            identity=delivery.tag("deck", deck_link(deck), *views, site, fingerprint()),
            make=lambda: deck_file(deck, origin=site),
            kind="deck",
            expensive=expensive(deck),
            renderings=self.renderings,
            headers={
                "Content-Type": FORMS["pptx"].media_type,
                "Content-Disposition": 'attachment; filename="scaling-gap-deck.pptx"',
                "Cache-Control": delivery.FOR_GOOD if explicit else delivery.FOR_NOW,
            },
        )
