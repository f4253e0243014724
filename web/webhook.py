"""Post new entries of feeds to a webhook: `python -m web.webhook 'growth-gap.atom?tell=gap_growth>3.9' --to https://...`.

Run it after each new release, for example from a timer. The file of ``--posted`` records the posted releases of each
feed, so that nothing is posted twice. For a new feed, only the newest release is posted. The exit code is 2 for an
invalid feed or address, and 1 if a post failed; the next run tries it again.
"""

import argparse
import json
import re
import sys
from collections.abc import Mapping, Sequence
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from data import releases
from views.moved import Moved, moved
from views.registry import VIEWS
from web.feeds import feed_settings

PATIENCE_S = 10.0
"""Maximum time to wait for a webhook's response. [s]"""
USABLE = re.compile(
    r"(https://[^/?#@\s]+|http://(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?)([/?#]\S*)?", re.ASCII
)
"""Pattern of allowed webhook addresses: https, or on this machine."""


class _NoRedirect(HTTPRedirectHandler):
    """Handler that raises an error on redirects. Messages go only to the operator's address."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):  # noqa: PLR0917 - urllib's
        return None


def entries(feed: str) -> tuple[Moved, ...]:
    """Return the entries of a feed, oldest first. Raises ValueError if the feed is unreadable."""
    path, _, query = feed.partition("?")
    name = urlsplit(path).path.strip("/").removesuffix(".atom")
    view = next((one for one in VIEWS.values() if one.name == name), None)
    if view is None:
        raise ValueError(f"{feed!r} is not a feed of a view, such as growth-gap.atom?tell=gap_growth>3.9.")
    settings, tell, _ = feed_settings(view, query)
    return moved(view, settings, tell=tell)[::-1]


def message(entry: Moved, *, site: str) -> dict[str, Any]:
    """Return an entry as JSON. Chat programs show its ``text``."""
    pairs = [(one.was, one.now) for one in entry.figures if one.now]
    changes = "; ".join(f"{now.label} is now {now.text} (was {was.text})" for was, now in pairs)
    link = f"{site}{entry.after.link}"
    return {
        "text": f"{entry.view.title}: {changes}. {entry.after.headline}. {link}",
        "release": entry.after.release,
        "figures": {was.figure: now.value for was, now in pairs},
        "link": link,
    }


def post(address: str, content: Mapping[str, Any]) -> None:
    """Post JSON. Raises OSError unless the response reports success."""
    headers = {"Content-Type": "application/json", "User-Agent": "scaling-gap webhook"}
    request = Request(address, json.dumps(content).encode(), headers)
    try:
        build_opener(_NoRedirect).open(request, timeout=PATIENCE_S).close()
    except HTTPException as fault:
        raise OSError(f"the response was cut off: {type(fault).__name__}") from fault


def main(arguments: Sequence[str] | None = None) -> int:
    """Post new entries and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m web.webhook", description=__doc__)
    parser.add_argument("feeds", nargs="+", help="addresses of feeds, as copied from Share")
    parser.add_argument("--to", required=True, help="address of the webhook: https, or http on this machine")
    parser.add_argument("--site", required=True, help="scheme and host of links, as in PUBLIC_URL")
    parser.add_argument("--posted", type=Path, required=True, help="file that records what was posted")
    options = parser.parse_args(arguments)
    try:
        if not USABLE.fullmatch(options.to):
            raise ValueError(
                f"--to is an address with https://, or http:// on this machine; got {options.to!r}."
            )
        lines = options.posted.read_text(encoding="utf-8").splitlines() if options.posted.exists() else []
        feeds, names = {feed: entries(feed) for feed in options.feeds}, releases.names()
        with options.posted.open("a", encoding="utf-8") as file:
            for feed, said in feeds.items():
                known = {line.partition("\t")[2] for line in lines if line.partition("\t")[0] == feed}
                new = [one for one in said if one.after.release not in (known or names[:-1])]
                read = known | {one.after.release for one in new}
                file.writelines(f"{feed}\t{name}\n" for name in names if name not in read)
                for entry in new:
                    content = message(entry, site=options.site.rstrip("/"))
                    post(options.to, content)
                    print(content["text"])
                    print(f"{feed}\t{entry.after.release}", file=file, flush=True)
    except (ValueError, OSError) as problem:
        print(f"The message could not be posted: {problem}", file=sys.stderr)
        return 2 if isinstance(problem, ValueError) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
