"""The data to take away: `/data/<release>/<table>.csv`, and a whole release as `/data/<release>.zip`."""

import re
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from data.package import NoSuchFile, archive, check, fingerprint, table_csv
from data.releases import TABLES, names
from web import delivery
from web.problem import problem
from web.renderings import Renderings

CSV = "text/csv; charset=utf-8; header=present"
ZIP = "application/zip"

_PATH = re.compile(r"/data/([^/]+)(?:/([^/]+)\.csv|\.zip)", flags=re.DOTALL)


class ReleaseFiles(BaseRoute):
    """Our route for the files of releases; takes no other path."""

    def __init__(self, *, renderings: Renderings) -> None:
        self.renderings = renderings

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return a full match for an address that may name a release or a table of one."""
        found = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if found is None:
            return Match.NONE, {}
        return Match.FULL, {"endpoint": self, "path_params": {"release": found[1], "table": found[2]}}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: PLR0917 - ASGI
        """Answer with the file, or with a problem document."""
        request = Request(scope, receive)
        release, table = scope["path_params"]["release"], scope["path_params"]["table"]
        response = await delivery.answered(request, lambda: self._file(request, release, table=table))
        await response(scope, receive, send)

    async def _file(self, request: Request, release: str, *, table: str | None) -> Response:
        try:
            check(release, table=table)
        except NoSuchFile:
            there = f"Releases: {', '.join(names())}; tables: {', '.join(TABLES)}."
            return problem(404, f"There is no such file of a release. {there}")
        if table is None:
            name, media_type, make = f"scaling-gap-{release}.zip", ZIP, partial(archive, release)
        else:
            name, media_type = f"scaling-gap-{release}-{table}.csv", CSV
            make = partial(table_csv, release, table=table)
        return await delivery.deliver(
            request,
            identity=delivery.tag("release", release, str(table), fingerprint()),
            make=make,
            kind="release",
            renderings=self.renderings,
            headers={
                "Content-Type": media_type,
                "Content-Disposition": f'attachment; filename="{name}"',
                "Cache-Control": delivery.FOR_GOOD,
            },
        )
