"""Every form of every view, at the view's address plus an extension: `/training-compute.png?since=2018`."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import Response

from data.package import fingerprint
from views.settings import Settings as OptionSettings
from views.settings import definitions, parse
from views.view import LATEST, View, answer, link, pinned, read
from web import delivery
from web.forms import FORMS, Order
from web.problem import UnusableError
from web.site import origin, query_of


def split_query(
    query: str, *, options: type[OptionSettings]
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the query's parameters that belong to these options, and the others."""
    parameters = parse_qs(query, keep_blank_values=True, errors="replace")
    known = definitions(options)
    own = {name: parameters.pop(name) for name in list(parameters) if name in known}
    return own, parameters


class ViewFiles(delivery.FileRoute):
    """Route for the forms of all views."""

    def __init__(self, views: Mapping[str, View], **parts: Any) -> None:
        self.by_path = {
            f"/{view.name}.{form.extension}": (view, form)
            for view in views.values()
            for form in FORMS.values()
        }
        super().__init__(self.by_path, **parts)

    async def file(self, request: Request) -> Response:
        """Return the requested form of a view."""
        view, form = self.by_path[request.scope["path"]]
        own, of_view = split_query(query_of(request.scope), options=form.options)
        options: Any
        options, faults = parse(form.options, own)
        settings, ignored = read(view, of_view)
        if faults or ignored:
            raise UnusableError((*faults, *ignored))
        # A link with every setting and a release has a permanent answer.
        explicit = definitions(view.settings).keys() <= of_view.keys() and settings.release != LATEST
        explicit &= of_view.get("vs", [""]) == [settings.vs]
        settings = pinned(settings)
        site, day = origin(request, self.settings), self.day()
        canonical = link(view, settings)

        def make() -> bytes:
            result = answer(view, settings)
            return form.write(Order(result=result, options=options, origin=site, today=day))

        shown, at = "attachment" if form.download else "inline", settings.release
        ingredients = [view.name, form.extension, canonical, repr(options.described()), site, fingerprint()]
        return await delivery.deliver(
            request,
            identity=delivery.tag(*ingredients, day.isoformat() if form.dated else ""),
            make=make,
            kind=f"{view.name}.{form.extension}",
            expensive=view.takes_long(settings),
            renderings=self.renderings,
            headers={
                "Content-Type": form.media_type,
                "Content-Disposition": f'{shown}; filename="scaling-gap-{view.name}-{at}.{form.extension}"',
                "Cache-Control": delivery.FOR_GOOD if explicit and not form.dated else delivery.FOR_NOW,
                "Link": f'<{site}{canonical}>; rel="canonical"',
                **({"Content-Security-Policy": form.policy} if form.policy else {}),
            },
        )
