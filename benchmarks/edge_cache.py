"""Readers of shared links who never reach Python: two replicas behind nginx as deploy/ sets it up, 1,000 pinned links.

    python -m benchmarks.edge_cache                      # nginx from the path
    python -m benchmarks.edge_cache --nginx /usr/sbin/nginx --links 200

Each link is asked for once, which fills nginx's cache, and then again and again for some seconds: how many answers a
second, which share of them nginx had, and what the replicas took of the processor meanwhile. The readers' side runs on
the same machine. Limits by address are lifted: all readers here have one.
"""

import argparse
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
from scripts.same_results import random_links
from views.registry import VIEWS
from views.view import link, read, split

LINKS, READERS, SECONDS = 1000, 16, 10.0
FORMS = (".json", ".csv", ".json", ".csv", ".panel.json")
DEAREST = ("/placement", "/training-run")
"""Views whose answers take long: left out, as it is nginx that is measured."""
CACHE = re.compile(r"x-cache: (\w+)", re.IGNORECASE)


def pinned_links(count: int) -> list[str]:
    """Return so many different links that name every setting and a release, in forms that are kept for good."""
    views = [view for view in VIEWS.values() if view.path not in DEAREST]
    each = -(-2 * count // len(views))
    links: dict[str, None] = {}
    for view in views:
        for place, asked in enumerate(random_links(view, each)):
            settings, ignored = read(view, split(asked)[1])
            form = FORMS[place % len(FORMS)]
            if not ignored and form != ".panel.json":
                links[f"/{view.name}{form}?{split(link(view, settings))[1]}"] = None
    return list(links)[:count]


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


async def asked(
    port: int, links: list[str], *, readers: int, seconds: float = 0.0
) -> tuple[Counter[str], float]:
    """Ask for each link once, or all of them again and again; return what nginx says of its cache, and how long. [s]"""
    got: Counter[str] = Counter()
    began = time.perf_counter()

    async def reader(first: int) -> None:
        place = first
        async with Connection(f"http://127.0.0.1:{port}") as connection:
            while place < len(links) if not seconds else time.perf_counter() - began < seconds:
                try:
                    head, _ = await connection.get(links[place % len(links)])
                except RuntimeError as refusal:
                    got[str(refusal)] += 1
                    return
                place += readers
                cache = CACHE.search(head)
                got[cache[1] if cache else "no cache"] += 1

    await asyncio.gather(*(reader(number) for number in range(readers)))
    return got, time.perf_counter() - began


def main(arguments: list[str] | None = None) -> int:
    """Print what nginx carries of pinned links; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.edge_cache",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--nginx", default=shutil.which("nginx"), help="the program; that of the path")
    parser.add_argument("--links", type=int, default=LINKS, help=f"how many different links ({LINKS})")
    chosen = parser.parse_args(arguments)
    if not chosen.nginx:
        print("There is no nginx here: install it, or name it with --nginx.", file=sys.stderr)
        return 2
    links = pinned_links(chosen.links)
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        replicas = []
        for place in ("one", "two"):
            (folder / place).mkdir()
            settings = {**SETTINGS, "ALLOWED_HOSTS": "*"}
            replicas.append(stack.enter_context(started("ours", folder=folder / place, settings=settings)))
        port = free_port()
        written = folder / "nginx.conf"
        urls = [url for url, _ in replicas]
        written.write_text(configuration(folder, port=port, replicas=urls), encoding="utf-8")
        command = [chosen.nginx, "-c", str(written), "-e", str(folder / "error.log"), "-g", "daemon off;"]
        nginx = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            time.sleep(1)
            filled, took_s = asyncio.run(asked(port, links, readers=4))
            print(f"filling: {len(links):,} links in {took_s:.1f} s: {dict(filled)}", flush=True)
            before_s = [processor_s(process) for _, process in replicas]
            kept, took_s = asyncio.run(asked(port, links, readers=READERS, seconds=SECONDS))
            python_s = sum(processor_s(process) for _, process in replicas) - sum(before_s)
            print(
                f"again: {kept.total() / took_s:,.0f} answers a second, {kept['HIT'] / kept.total():.2%} from nginx "
                f"{dict(kept)}; the replicas took {python_s / took_s:.2f} of a core"
            )
        except asyncio.IncompleteReadError:
            print(f"nginx hung up; it says:\n{(folder / 'error.log').read_text(errors='replace')[-2000:]}")
            return 1
        finally:
            nginx.terminate()
            nginx.wait(timeout=10)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
