"""Short permanent links: `/v/<token>` redirects to its page, `/v/<token>.png` to its picture."""

from starlette.requests import Request
from starlette.responses import Response

from views.deck import PATH as DECK
from views.deck import follow
from views.registry import VIEWS
from views.short_link.letters import WORDS, ShortLinkError
from views.view import SHORT
from web import delivery
from web.deck import FILE_PATH
from web.forms import FORMS
from web.not_found import not_found_page, reads_pages
from web.problem import OPEN_TO_ALL, problem
from web.site import query_of

AROUND = "/.,;:!?)>\"'"
"""Characters that may follow a link in a sentence but are not part of it."""


class ShortLinks(delivery.FileRoute):
    """Route for every short link."""

    def takes(self, path: str) -> bool:
        """Return whether a path has the form of a short link, even if it is invalid."""
        return path.startswith(SHORT)

    async def file(self, request: Request) -> Response:
        """Return a redirect to the target of a short link, or a 404 with the reason if there is no target."""
        name = request.scope["path"].removeprefix(SHORT).rstrip(AROUND)
        token, _, extension = name.partition(".")
        try:
            address = of_form(follow(token, query=query_of(request.scope)), extension)
        except ShortLinkError as refusal:
            return nowhere(request, refusal)
        headers = {"Location": address, "Cache-Control": delivery.FOR_GOOD, **OPEN_TO_ALL}
        return Response(status_code=308, headers=headers)


def of_form(link: str, extension: str) -> str:
    """Return the address of the link's target in the format of ``extension``, or the link itself if that is empty.

    Raises ShortLinkError if there is no such form.
    """
    if not extension:
        return link
    path, _, query = link.partition("?")
    files = {"pptx": FILE_PATH} if path == DECK else {form: f"/{VIEWS[path].name}.{form}" for form in FORMS}
    if extension not in files:
        raise ShortLinkError(WORDS["form"].format(forms=", .".join(files)), link=link)
    return f"{files[extension]}?{query}"


def nowhere(request: Request, refusal: ShortLinkError) -> Response:
    """Return the 404 for a short link in the client's preferred form, with the fault and the remedy."""
    if not reads_pages(request):
        return problem(404, str(refusal))
    left = [(refusal.link, "Open what could be read")] if refusal.link else []
    return not_found_page(
        title="Damaged link",
        heading="This short link cannot be followed",
        words=str(refusal),
        links=[*left, ("/", "Go to the overview")],
    )
