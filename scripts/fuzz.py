"""Request valid links with extreme settings from a test server; print what fails.

    make fuzz                                                 # ten minutes, other links each day
    python -m scripts.fuzz --minutes 60 --seed 7              # an hour; the same seed gives the same links

Links have few points, empty windows, one vendor or precision, and the smallest and largest value of each number.
Several clients request every view in every form in turn: files, page, parts of the panel, and an unknown setting.
It fails for any wrong answer, or if a view or a form had too few requests.
"""

import csv
import io
import itertools
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
from datetime import date
from pathlib import Path
from urllib.parse import urlencode
from xml.etree import ElementTree

from benchmarks.clients import fetch
from benchmarks.servers import MEMORY_BYTE, faults_of_servers, memory_byte, started
from scripts.command import command
from scripts.same_results import random_query, random_text
from views.registry import VIEWS
from views.setting_kinds import Month
from views.settings import definitions
from views.view import View, read, split
from web.forms import FORMS

MINUTES, CLIENTS, LEAST = 10.0, 4, 5
LONGEST_S = 40.0
"""Maximum time of one response. The server itself gives up earlier. [s]"""
SHARES_GIVEN = (0.1, 0.3, 0.7, 1.0)
"""Probabilities that a link includes a setting. Each link uses one of them."""
AT_AN_EDGE = 0.5
WINDOWS = (("since", "until"), ("from", "to"))
"""Settings that bound a window of rows. Half of the drawn windows are empty or a year long."""


def drawn(view: View, draw: random.Random) -> dict[str, str]:
    """Return a random query for a view."""
    known = definitions(view.settings)
    query = random_query(view, draw, share=draw.choice(SHARES_GIVEN), edge=AT_AN_EDGE)
    for first, last in WINDOWS:
        opens = known.get(first)
        if isinstance(opens, Month) and isinstance(known.get(last), Month) and draw.random() < AT_AN_EDGE:
            year = draw.randint(opens.low, opens.high)
            query |= {first: f"{year}", last: f"{year + draw.choice([-1, 0, 1])}"}
    return query


def requests(seed: int, *, views: Sequence[View]) -> Iterator[tuple[str, str]]:
    """Yield valid links of all views in turn, endlessly, each with a form. Equal seeds give equal links."""
    draw = random.Random(seed)
    for form in itertools.cycle(CHECKS):
        for view in views:
            query = urlencode(drawn(view, draw))
            settings, ignored = read(view, query)
            # A query with a conflict or a value out of bounds is not valid, so it is drawn again without.
            unusable = {item.setting for item in ignored}
            valid = {name: text for name, text in settings.described().items() if name not in unusable}
            yield f"{view.path}?{urlencode(valid)}", form


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
"""Checks of a response, keyed by form. They raise ValueError or the error of the format's reader."""


def address(requested: str, form: str, *, draw: random.Random) -> str:
    """Return the address of a link in a form, with a random style and exhibit if the form has them."""
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


def ask(url: str, requested: str, *, form: str) -> tuple[str, str]:
    """Return the outcome of a request ("answered", "late" or "failed"), and the fault, if any."""
    where = address(requested, form, draw=random.Random(requested))
    try:
        answer = fetch(url, where, timeout_s=LONGEST_S)
        if answer.status == 503:
            return "late", ""
        beyond = answer.status == 422 and b'"exhibit"' in answer.body and "exhibit=" in where
        if answer.status != (422 if form == "unknown setting" else 200) and not beyond:
            raise ValueError(f"{answer.status}: {answer.body[:200].decode(errors='replace')}")
        if not beyond:
            CHECKS[form](answer.body)
    except TimeoutError:
        return "late", ""
    except (OSError, ValueError, ElementTree.ParseError, zipfile.BadZipFile, csv.Error) as fault:
        return "failed", f"{where}\n    {form}: {type(fault).__name__}: {fault}"
    return "answered", ""


def fuzz(
    seed: int, *, views: Sequence[View], seconds: float, least: int = LEAST, without: Sequence[str] = ()
) -> list[str]:
    """Send requests until the time is up and each view has had each form ``least`` times. Return the failures.

    ``without`` lists broken parts of the server (:mod:`benchmarks.unguarded`).
    """
    seen, failed, lock = Counter[str](), list[str](), threading.Lock()
    numbered, begin_s = enumerate(requests(seed, views=views)), time.monotonic()

    def client(url: str) -> None:
        while True:
            with lock:
                number, (requested, form) = next(numbered)
            if number >= least * len(views) * len(CHECKS) and time.monotonic() > begin_s + seconds:
                return
            how, fault = ask(url, requested, form=form)
            seen.update([VIEWS[split(requested)[0]].name, form] if how == "answered" else [how])
            failed.extend([fault] * (how == "failed"))

    with (
        tempfile.TemporaryDirectory() as folder,
        started("ours", folder=Path(folder), without=without) as (url, process),
    ):
        with ThreadPoolExecutor(CLIENTS) as clients:
            list(clients.map(client, [url] * CLIENTS))
        peak_byte = memory_byte(process, name="VmHWM")
        failed += faults_of_servers(Path(folder), peak_byte=peak_byte)
    names = [*(view.name for view in views), *CHECKS]
    if missing := [f"{name} {seen[name]}" for name in names if seen[name] < least]:
        failed.append(f"answered less than {least} times: {', '.join(missing)}")
    if failed:
        print(*failed, sep="\n")
    minutes = (time.monotonic() - begin_s) / 60
    print(f"seed {seed}, {minutes:.1f} minutes; answers by view and by form, and what was late")
    print(f"  {', '.join(f'{name} {count}' for name, count in seen.most_common())}")
    print(f"  memory at its peak {peak_byte / MEMORY_BYTE:.2f} of 1 GB; {len(failed) or 'none'} failed")
    return failed


def main(arguments: list[str] | None = None) -> int:
    """Run the program with the command-line arguments. Return the exit code."""
    parser = command("scripts.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=date.today().toordinal(), help="new links each day")
    parser.add_argument("--minutes", type=float, default=MINUTES, help=f"duration ({MINUTES:g})")
    chosen = parser.parse_args(arguments)
    return bool(fuzz(chosen.seed, views=list(VIEWS.values()), seconds=60 * chosen.minutes))


if __name__ == "__main__":
    sys.exit(main())
