"""Ask a server of our own for valid links at the edge of what they may say, and bring it odd exports; print what fails.

    make fuzz                                                 # ten minutes, other links each day
    python -m scripts.fuzz --minutes 60 --seed 7              # an hour; a seed always draws the same links

Links are drawn with few points, empty windows, one vendor or precision, and the smallest and largest of each number.
Several clients request each in the forms of its view with the fewest requests: files, page, parts of the panel, and
with a setting that no view has. Another brings exports of its own (:mod:`scripts.odd_exports`) and reads views of
them. It fails for any wrong answer, and where a view or a form had too few requests.
"""

import argparse
import asyncio
import csv
import io
import json
import random
import sys
import tempfile
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from urllib.parse import urlencode
from xml.etree import ElementTree

from benchmarks.clients import Session, fetch
from benchmarks.servers import MEMORY_BYTE, faults_of_servers, memory_byte, started
from scripts.odd_exports import ODD, odd_export
from scripts.same_results import random_text
from views.registry import VIEWS
from views.setting_kinds import Month
from views.settings import definitions
from views.view import View, read, split
from web.forms import FORMS

MINUTES, CLIENTS, LEAST = 10.0, 4, 5
FORMS_A_LINK = 4
LONGEST_S = 40.0
"""So long one answer may take; the server itself gives up earlier. [s]"""
PATIENCE = 4.0
"""So many times longer it goes on than it should where a view or a form is still missing. [1]"""
SHARES_GIVEN = (0.1, 0.3, 0.7, 1.0)
"""How likely a link gives a setting; each link is drawn with one of them."""
AT_AN_EDGE = 0.5
WINDOWS = (("since", "until"), ("from", "to"))
"""Settings between which rows lie: half of the windows are a year long, or closed before they open."""
OWN = "own data"


def drawn(view: View, draw: random.Random) -> dict[str, str]:
    """Return a query of a view."""
    known = definitions(view.settings)
    share = draw.choice(SHARES_GIVEN)
    query = {
        name: random_text(item, draw, edge=AT_AN_EDGE)
        for name, item in known.items()
        if draw.random() < share
    }
    for first, last in WINDOWS:
        opens = known.get(first)
        if isinstance(opens, Month) and isinstance(known.get(last), Month) and draw.random() < AT_AN_EDGE:
            year = draw.randint(opens.low, opens.high)
            query |= {first: f"{year}", last: f"{year + draw.choice([-1, 0, 1])}"}
    return query


def links(seed: int, *, views: Sequence[View]) -> Iterator[str]:
    """Yield valid links of the views in turn, without end; the same for a seed."""
    draw = random.Random(seed)
    while True:
        for view in views:
            query = urlencode(drawn(view, draw))
            settings, ignored = read(view, query)
            # What contradicts something else, or lies beyond a bound, is no valid link: it is drawn without.
            unusable = {item.setting for item in ignored}
            valid = {name: text for name, text in settings.described().items() if name not in unusable}
            yield f"{view.path}?{urlencode(valid)}"


def _json(body: bytes) -> None:
    def refuse(word: str) -> None:
        raise ValueError(f"{word} is no JSON")

    json.loads(body, parse_constant=refuse)


def _csv(body: bytes) -> None:
    header, *rows = csv.reader(io.StringIO(body.decode("utf-8-sig")))
    if odd := [row for row in rows if len(row) != len(header)]:
        raise ValueError(f"a row has {len(odd[0])} cells under {len(header)} columns")


def _slide(body: bytes) -> None:
    if bad := zipfile.ZipFile(io.BytesIO(body)).testzip():
        raise ValueError(f"{bad} is broken")


def _begins(*words: bytes) -> Callable[[bytes], None]:
    def check(body: bytes) -> None:
        if not body.startswith(words):
            raise ValueError(f"it begins {body[:20]!r}")

    return check


def _page(body: bytes) -> None:
    if b"<h1" not in body or b"<svg" not in body:
        raise ValueError("the page has no headline or no chart")


CHECKS: Mapping[str, Callable[[bytes], object]] = {
    "csv": _csv,
    "json": _json,
    "bib": _begins(b"@"),
    "png": _begins(b"\x89PNG"),
    "pdf": _begins(b"%PDF"),
    "svg": ElementTree.fromstring,
    "pptx": _slide,
    "page": _page,
    **dict.fromkeys(("finding", "further", "page of the panel", "share", "table"), _json),
    "unknown setting": _json,
}
"""What an answer must be like, by form; raises ValueError, or what the format's reader does."""


def address(requested: str, form: str, *, draw: random.Random) -> str:
    """Return the address of a link in a form, with looks and an exhibit where the form has any."""
    path, query = split(requested)
    name = VIEWS[path].name
    if form == "page":
        return requested
    if form in FORMS:
        own = definitions(FORMS[form].options).items()
        looks = {key: random_text(item, draw, edge=AT_AN_EDGE) for key, item in own if key != "exhibit"}
        exhibit = {"exhibit": draw.randint(1, 3)} if "exhibit" in dict(own) else {}
        return f"/{name}.{form}?{query}&{urlencode({**looks, **exhibit})}"
    if form == "unknown setting":
        return f"/{name}.json?{query}&{draw.choice(['vs', 'Since', 'exhibit[]'])}=1"
    part = {"part": form.partition(" ")[0]} | ({"exhibit": draw.randint(1, 3)} if form == "table" else {})
    return f"/{name}.panel.json?{query}&{urlencode(part)}"


@dataclass(kw_only=True)
class Seen:
    """Requests so far by view and by form, failures, and answers that came too late."""

    views: Counter[str] = field(default_factory=Counter)
    forms: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    late: Counter[str] = field(default_factory=Counter)
    links: int = 0

    def missing(self, views: Sequence[View], *, least: int) -> list[str]:
        """Return the views and forms with fewer requests."""
        names = {**dict.fromkeys((view.name for view in views), self.views)}
        names |= dict.fromkeys((*CHECKS, OWN), self.forms)
        return [f"{name} {counts[name]}" for name, counts in names.items() if counts[name] < least]


def ask(url: str, requested: str, form: str, *, draw: random.Random, seen: Seen) -> None:  # noqa: PLR0917 - as read
    """Ask for a link in a form, and note how it went."""
    name, where = VIEWS[split(requested)[0]].name, address(requested, form, draw=draw)
    try:
        answer = fetch(url, where, timeout_s=LONGEST_S)
        beyond = answer.status == 422 and b'"exhibit"' in answer.body and "exhibit=" in where
        if answer.status == 503:
            seen.late[name] += 1
            return
        if answer.status != (422 if form == "unknown setting" else 200) and not beyond:
            raise ValueError(f"{answer.status}: {answer.body[:200].decode(errors='replace')}")
        if not beyond:
            CHECKS[form](answer.body)
        seen.views[name] += 1
        seen.forms[form] += 1
    except TimeoutError:
        seen.late[name] += 1
    except (OSError, ValueError, ElementTree.ParseError, zipfile.BadZipFile, csv.Error) as fault:
        seen.failures.append(f"{where}\n    {form}: {type(fault).__name__}: {fault}")


async def _own_data(url: str, *, seed: int, views: Sequence[View], seen: Seen, over: threading.Event) -> None:
    """Bring odd exports, one after the other, and read views of those that are taken."""
    draw = random.Random(seed)
    while not over.is_set():
        for kind in draw.sample(sorted(ODD), len(ODD)):
            if over.is_set():
                return
            place, content = odd_export(kind, draw)
            view = draw.choice(views)
            where = f"{OWN}: {kind}"
            try:
                async with await Session.open(url, "data") as session:
                    status = await session.upload(content, place=place)
                    await session.run(timeout_s=LONGEST_S)
                    if session.shown("exception"):
                        raise ValueError(f"the page raises: {session.shown('exception')[0].message[:200]}")
                    if session.shown("checkbox"):
                        where += f", {view.name}"
                        await session.run(view.path)
                        answer = await session.own(urlencode(drawn(view, draw)), timeout_s=LONGEST_S)
                        if session.shown("exception") or not answer:
                            raise ValueError("the view raises")
                        if "busy_s" in answer:
                            seen.late[OWN] += 1
                            continue
                    elif status == 204 and not session.shown("alert"):
                        raise ValueError("nothing is said of an export that is not taken")
                seen.forms[OWN] += 1
            except (TimeoutError, ConnectionError):
                seen.late[OWN] += 1
            except Exception as fault:
                seen.failures.append(f"{where}\n    seed {seed}: {type(fault).__name__}: {fault}")


def fuzz(
    seed: int,
    *,
    views: Sequence[View],
    seconds: float,
    least: int = LEAST,
    without: Sequence[str] = (),
    say: Callable[[str], object] = print,
) -> list[str]:
    """Ask links until the time is up and each view and form was asked for; say how it went; return what failed.

    ``without`` names what is broken in the server (:mod:`benchmarks.unguarded`).
    """
    seen, over, lock, drawn_links = Seen(), threading.Event(), threading.Lock(), links(seed, views=views)
    begin_s = time.monotonic()

    def client(url: str) -> None:
        while not over.is_set():
            with lock:
                requested = next(drawn_links)
                name = VIEWS[split(requested)[0]].name
                draw = random.Random(requested)
                forms = sorted(CHECKS, key=lambda form: (seen.pairs[name, form], draw.random()))[
                    :FORMS_A_LINK
                ]
                seen.pairs.update((name, form) for form in forms)
                seen.links += 1
            for form in forms:
                ask(url, requested, form, draw=draw, seen=seen)

    with (
        tempfile.TemporaryDirectory() as folder,
        started("ours", folder=Path(folder), without=without) as (url, process),
    ):
        with ThreadPoolExecutor(CLIENTS + 1) as clients:
            under_way = [clients.submit(client, url) for _ in range(CLIENTS)]
            own = _own_data(url, seed=seed, views=views, seen=seen, over=over)
            under_way.append(clients.submit(asyncio.run, own))
            for share in (1.0, PATIENCE):
                while (took_s := time.monotonic() - begin_s) < share * seconds:
                    if share > 1 and not seen.missing(views, least=least):
                        break
                    over.wait(0.2)
            over.set()
        for one in under_way:
            one.result()
        peak_byte = memory_byte(process, name="VmHWM")
        failed = [*seen.failures, *faults_of_servers(Path(folder), peak_byte=peak_byte)]
    if (missing := seen.missing(views, least=least)) and least:
        failed.append(f"asked for less than {least} times: {', '.join(missing)}")
    if failed:
        say("\n".join(failed))
    say(f"{seen.links:,} links of seed {seed}, {seen.forms.total():,} answers in {took_s / 60:.1f} minutes")
    for what, counts in (("views", seen.views), ("forms", seen.forms), ("late", seen.late)):
        say(f"  {what}: {', '.join(f'{name} {count}' for name, count in counts.most_common()) or 'none'}")
    say(f"  memory at its peak {peak_byte / MEMORY_BYTE:.2f} of 1 GB; {len(failed) or 'none'} failed")
    return failed


def main(arguments: list[str] | None = None) -> int:
    """Ask links as the arguments say; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.fuzz",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seed", type=int, default=date.today().toordinal(), help="other links each day")
    parser.add_argument("--minutes", type=float, default=MINUTES, help=f"for how long ({MINUTES:g})")
    chosen = parser.parse_args(arguments)
    return bool(fuzz(chosen.seed, views=list(VIEWS.values()), seconds=60 * chosen.minutes))


if __name__ == "__main__":
    sys.exit(main())
