"""Readers of shared links who never reach Python: two replicas behind nginx as deploy/ sets it up, 1,000 pinned links.

    python -m benchmarks.edge_cache                      # nginx from the path

Each link is requested once, which fills nginx's cache, and then again and again for some seconds: how many answers a
second, which share of them nginx had, and what the replicas took of the processor meanwhile. The readers' side runs on
the same machine. Limits by address are lifted: all readers here have one.
"""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from benchmarks.clients import Connection
from benchmarks.servers import HERE, free_port, processor_s, started
from benchmarks.soak import SETTINGS
from benchmarks.target import ordinary
from views.training_compute import VIEW
from views.view import link, read, split

LINKS, READERS, SECONDS = 1000, 16, 10.0
FORMS = ("csv", "json")
CACHE = re.compile(r"x-cache: (\w+)", re.IGNORECASE)


def pinned_links(count: int) -> list[str]:
    """Return so many different files of links that name every setting and a release: they are kept for good."""
    queries = (split(ordinary(VIEW.path, number))[1] for number in range(count))
    pinned = (split(link(VIEW, read(VIEW, query)[0]))[1] for query in queries)
    return [f"{VIEW.path}.{FORMS[place % len(FORMS)]}?{query}" for place, query in enumerate(pinned)]


def configuration(folder: Path, *, port: int, replicas: list[str]) -> str:
    """Return deploy/nginx.conf for this machine: other addresses and folders, no limits by address."""
    text = (HERE.parent / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    text = re.sub(r"^\s*limit_(req|conn) .*\n", "", text, flags=re.MULTILINE)
    for name, url in zip(("app-1:8501", "app-2:8501"), replicas, strict=True):
        text = text.replace(name, url.removeprefix("http://"))
    if os.geteuid() == 0:  # else its workers are somebody else, who may not write here
        text = f"user root;\n{text}"
    text = text.replace("keepalive_timeout 65s;", "keepalive_timeout 65s; keepalive_requests 1000000;")
    text = text.replace("listen 8080;", f"listen 127.0.0.1:{port};")
    return text.replace("/tmp/", f"{folder}/")


async def cache_states(
    port: int, links: list[str], *, readers: int, seconds: float = 0.0
) -> tuple[Counter[str], float]:
    """Request each link once, or all for some seconds; return what nginx says of its cache, and how long. [s]"""
    states: Counter[str] = Counter()
    began = time.perf_counter()

    async def reader(place: int) -> None:
        async with Connection(f"http://127.0.0.1:{port}") as connection:
            while place < len(links) if not seconds else time.perf_counter() - began < seconds:
                head, _ = await connection.get(links[place % len(links)])
                place += readers
                cache = CACHE.search(head)
                states[cache[1] if cache else "no cache"] += 1

    await asyncio.gather(*(reader(number) for number in range(readers)))
    return states, time.perf_counter() - began


def main() -> int:
    """Print what nginx carries of pinned links; return the exit status."""
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx is None:
        print("There is no nginx here: install it.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder, port, links = Path(name), free_port(), pinned_links(LINKS)
        settings = {**SETTINGS, "ALLOWED_HOSTS": "*"}
        replicas = [
            stack.enter_context(started("ours", folder=folder / place, settings=settings))
            for place in ("one", "two")
        ]
        written = folder / "nginx.conf"
        text = configuration(folder, port=port, replicas=[url for url, _ in replicas])
        written.write_text(text, encoding="utf-8")
        server = subprocess.Popen([nginx, "-c", str(written), "-e", "stderr", "-g", "daemon off;"])
        try:
            time.sleep(1)
            filled, took_s = asyncio.run(cache_states(port, links, readers=4))
            print(f"filling: {len(links):,} links in {took_s:.1f} s: {dict(filled)}", flush=True)
            before_s = sum(processor_s(process) for _, process in replicas)
            again, took_s = asyncio.run(cache_states(port, links, readers=READERS, seconds=SECONDS))
            python_s = sum(processor_s(process) for _, process in replicas) - before_s
            print(
                f"again: {again.total() / took_s:,.0f} answers a second, {again['HIT'] / again.total():.2%} from "
                f"nginx {dict(again)}; the replicas took {python_s / took_s:.2f} of a core"
            )
        finally:
            server.terminate()
            server.wait(timeout=10)
    return 0


if __name__ == "__main__":
    sys.exit(main())
