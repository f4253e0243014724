"""What a process takes while readers ask for thousands of different settings, three at a time.

    python -m benchmarks memory                   # 1,000 links
    python -m benchmarks.memory --links 10000     # more

What is kept of one answer may serve the next; kept without a bound in bytes, it ends the process.
"""

import argparse
import random
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.admission import ask
from benchmarks.servers import started
from scripts.same_results import random_links
from views.registry import VIEWS
from views.view import split

LINKS = 1000
READERS = 3
BUDGET_BYTE = 1e9
FORMS = ("", ".panel.json", ".panel.json", ".json", ".csv", ".png")
"""What each link is asked for, in turn: its page, what its panel asks for, numbers, a picture."""
SHOWN = 8
WARM_S = 8


def asked_for(count: int, *, seed: int = 0) -> list[str]:
    """Return different links of all views in a mixed order, each in one form, the same for a seed."""
    draw = random.Random(seed)
    each = -(-count // len(VIEWS))
    addresses = []
    for view in VIEWS.values():
        for place, link in enumerate(random_links(view, 2 * each)):
            path, query = split(link)
            form = FORMS[place % len(FORMS)]
            addresses.append(f"/{view.name}{form}?{query}" if form else f"{path}?{query}")
    draw.shuffle(addresses)
    return addresses[:count]


def memory_byte(process: int, *, name: str = "VmRSS") -> int:
    """Return what a process has in memory; ``name`` VmHWM for the most that it has had. [byte]"""
    lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(name))


def ask_all(url: str, links: Iterable[str], *, readers: int = READERS) -> Iterator[tuple[int, Counter[int]]]:
    """Ask for every link, ``readers`` at a time; yield now and then how many are answered, and with what."""
    waiting, got, lock = iter(links), Counter[int](), threading.Lock()

    def reader() -> None:
        while True:
            with lock:
                link = next(waiting, None)
            if link is None:
                return
            status, _ = ask(url + link)
            with lock:
                got[status] += 1

    threads = [threading.Thread(target=reader, daemon=True) for _ in range(readers)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.5)
        with lock:
            yield got.total(), Counter(got)
    yield got.total(), got


def main(arguments: list[str] | None = None) -> None:
    """Print the memory of one process after each eighth of the links, and its peak."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory", description=__doc__)
    parser.add_argument("--links", type=int, default=LINKS, help=f"how many different links ({LINKS:,})")
    chosen = parser.parse_args([] if arguments is None else arguments)
    links = asked_for(chosen.links)
    with tempfile.TemporaryDirectory() as name, started("ours", folder=Path(name)) as (url, process):
        time.sleep(WARM_S)
        step, shown = max(len(links) // SHOWN, 1), 0
        print(f"{'memory at the start':58} {memory_byte(process) / BUDGET_BYTE:.2f} of 1 GB", flush=True)
        last = Counter[int]()
        for answered, got in ask_all(url, links):
            last = got
            if answered // step > shown:
                shown = answered // step
                what = f"memory after {answered:,} settings"
                print(f"{what:58} {memory_byte(process) / BUDGET_BYTE:.2f} of 1 GB", flush=True)
        peak = memory_byte(process, name="VmHWM")
        print(f"{'memory at its peak':58} {peak / BUDGET_BYTE:.2f} of 1 GB")
        print(f"{'answers by status':58} {dict(sorted(last.items()))}", flush=True)


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
