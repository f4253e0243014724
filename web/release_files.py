"""The data to take away: `/data/<release>/<table>.csv`, and a whole release as `/data/<release>.zip`."""

import re
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from data.package import archive, fingerprint, table_csv
from data.releases import TABLES, names
from web import delivery
from web.problem import problem

CSV = "text/csv; charset=utf-8; header=present"
ZIP = "application/zip"

_PATH = re.compile(r"/data/([^/]+)(?:/([^/]+)\.csv|\.zip)", flags=re.DOTALL)


class ReleaseFiles(delivery.FileRoute):
    """Our route for the files of releases."""

    def takes(self, path: str) -> bool:
        """Return whether this address may name a release or a table of one."""
        return _PATH.fullmatch(path) is not None

    async def file(self, request: Request) -> Response:
        """Return the file that a request asks for."""
        match = _PATH.fullmatch(request.scope["path"])
        release, table = match.groups() if match else ("", None)
        if release not in names() or table not in (None, *TABLES):
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
