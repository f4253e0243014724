"""Tell a webhook what feeds newly say: `python -m web.webhook 'growth-gap.atom?tell=gap_growth>3.9' --to https://...`.

Run it after each new release, from a timer for instance. The file given with ``--told`` remembers which releases each
feed was read to, so that nothing is told twice; of a feed that is new to it only the newest release is told. The exit
code is 2 for a feed or an address that cannot be used, and 1 if a post failed: the next run tries it again.
"""

import argparse
import json
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
from web.feeds import asked
from web.settings import LOOPBACK

PATIENCE_S = 10.0
"""So long a webhook may stay silent. [s]"""


class _NoRedirect(HTTPRedirectHandler):
    """What is told goes to the address that the operator named, and nowhere else."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):  # noqa: PLR0917 - urllib's
        return None


def usable(address: str) -> bool:
    """Return whether a message may be posted to an address: over https, or on this machine."""
    try:
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and host in LOOPBACK))


def entries(feed: str) -> tuple[Moved, ...]:
    """Return what a feed says of each release, the oldest first; ValueError for one that cannot be read."""
    path, _, query = feed.partition("?")
    name = urlsplit(path).path.strip("/").removesuffix(".atom")
    view = next((one for one in VIEWS.values() if one.name == name), None)
    if view is None:
        raise ValueError(f"{feed!r} is no feed of a view; one is growth-gap.atom?tell=gap_growth>3.9.")
    settings, tell, _ = asked(view, query)
    return moved(view, settings, tell=tell)[::-1]


def message(entry: Moved, *, site: str) -> dict[str, Any]:
    """Return an entry as JSON; chat programs show its ``text``."""
    pairs = [(one.was, one.now) for one in entry.figures if one.now]
    changes = "; ".join(f"{now.label} is {now.text}, it was {was.text}" for was, now in pairs)
    link = f"{site}{entry.after.link}"
    return {
        "text": f"{entry.view.title}: {changes}. {entry.after.headline}. {link}",
        "release": entry.after.release,
        "figures": {was.figure: now.value for was, now in pairs},
        "link": link,
    }


def post(address: str, content: Mapping[str, Any]) -> None:
    """Post JSON; raise OSError unless the answer is a success."""
    headers = {"Content-Type": "application/json", "User-Agent": "scaling-gap webhook"}
    request = Request(address, json.dumps(content).encode(), headers, method="POST")
    try:
        build_opener(_NoRedirect).open(request, timeout=PATIENCE_S).close()
    except HTTPException as fault:
        raise OSError(f"the answer broke off: {type(fault).__name__}") from fault


def main(arguments: Sequence[str] | None = None) -> int:
    """Tell what is new and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m web.webhook", description=__doc__)
    parser.add_argument("feeds", nargs="+", help="addresses of feeds, as Share gives them")
    parser.add_argument("--to", required=True, help="the webhook: https, or http on this machine")
    parser.add_argument("--site", required=True, help="scheme and host that links lead to, as PUBLIC_URL")
    parser.add_argument("--told", type=Path, required=True, help="the file that remembers what was told")
    given = parser.parse_args(arguments)
    if not usable(given.to):
        print(
            f"--to is an address with https://, or http:// on this machine; got {given.to!r}.",
            file=sys.stderr,
        )
        return 2
    try:
        told = given.told.read_text(encoding="utf-8").splitlines() if given.told.exists() else []
        for feed, said in {feed: entries(feed) for feed in given.feeds}.items():
            known = {line.partition("\t")[2] for line in told if line.partition("\t")[0] == feed}
            known = known or set(releases.names()[:-1])
            for entry in said:
                if entry.after.release not in known:
                    content = message(entry, site=given.site.rstrip("/"))
                    post(given.to, content)
                    print(content["text"])
            told += [f"{feed}\t{name}" for name in releases.names() if f"{feed}\t{name}" not in told]
            given.told.write_text("".join(f"{line}\n" for line in told), encoding="utf-8")
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 2
    except OSError as problem:
        print(f"The webhook was not told: {problem}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
