"""Downloads of data: `/data/<release>/<table>.csv`, `/data/<release>.zip`, and `/data/<release>/croissant.json`."""

import json
import re
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from data.croissant import croissant
from data.package import archive, fingerprint, table_csv
from data.releases import TABLES, names
from web import delivery
from web.problem import problem
from web.site import origin

CSV = "text/csv; charset=utf-8; header=present"
ZIP = "application/zip"

_PATH = re.compile(r"/data/([^/]+)(?:/([^/]+)\.csv|\.zip|/(croissant)\.json)", flags=re.DOTALL)


class ReleaseFiles(delivery.FileRoute):
    """Route for the files of releases."""

    def takes(self, path: str) -> bool:
        """Return whether an address could be a release or a table in it."""
        return _PATH.fullmatch(path) is not None

    async def file(self, request: Request) -> Response:
        """Return the requested file."""
        match = _PATH.fullmatch(request.scope["path"])
        release, table, described = match.groups() if match else ("", None, None)
        if release not in names() or table not in (None, *TABLES):
            there = f"Releases: {', '.join(names())}; tables: {', '.join(TABLES)}."
            return problem(404, f"There is no such file of a release. {there}")
        site = origin(request, self.settings) if described else ""
        if described:
            name, media_type = f"scaling-gap-{release}-croissant.json", "application/ld+json"

            def make() -> bytes:
                return json.dumps(croissant(release, site=site), ensure_ascii=False, indent=1).encode()

        elif table is None:
            name, media_type, make = f"scaling-gap-{release}.zip", ZIP, partial(archive, release)
        else:
            name, media_type = f"scaling-gap-{release}-{table}.csv", CSV
            make = partial(table_csv, release, table=table)
        return await delivery.deliver(
            request,
            identity=delivery.tag("release", release, str(table), site, fingerprint()),
            make=make,
            kind="release",
            renderings=self.renderings,
            headers={
                "Content-Type": media_type,
                "Content-Disposition": f'attachment; filename="{name}"',
                "Cache-Control": delivery.FOR_NOW if described else delivery.FOR_GOOD,
            },
        )
