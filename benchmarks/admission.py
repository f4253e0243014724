"""One reader's ordinary change beside twenty programs that ask for the dearest links there are.

The programs do not wait as they are told to: refused, each asks for its next link at once. All run on the server's
own machine and take their share of it.
"""

import random
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import numpy as np

from benchmarks.servers import started

CLIENTS = 20
SECONDS = 20
BUDGET_S = 1.0
"""The wait that 95 of 100 changes should keep. [s]"""
MEMORY_BYTE = 1e9
"""What the process should stay under. [byte]"""
PAUSE_S = 0.1
"""Between a refusal and a program's next question, and between a reader's changes. [s]"""
WARM_S = 8
"""The server prepares itself so long after its start. [s]"""
DEAR = {
    "model": "qwen3-30b-a3b",
    "accelerator": "gb300",
    "accelerators": 786432,
    "batch": 805.306368,
    "sequence": 65536,
    "memory": 100000,
    "link": 100000,
    "domain": 100000,
    "available": 1000000,
    "sites": 1000,
}
DEARER = {
    "model": "custom",
    "layers": 960,
    "heads": 2048,
    "experts": 4096,
    "accelerators": 786432,
    "batch": 805.306368,
    "sequence": 65536,
    "memory": 100000,
    "domain": 100000,
}


def dear(number: int) -> str:
    """Return a link of /training-run that tries very many plans, another for each number."""
    choices = DEARER if number % 10 == 0 else DEAR
    return f"/training-run.json?{urlencode({**choices, 'tokens': 1000 + number})}"


def ordinary(chance: random.Random) -> str:
    """Return what the panel of /training-compute asks the server for, with choices drawn at random."""
    choices = {
        "since": chance.randint(2010, 2022),
        "to": chance.randint(2027, 2040),
        "level": chance.choice([50, 80, 90, 95]),
        "interval": chance.choice(["bootstrap", "classical"]),
    }
    return f"/training-compute.panel.json?{urlencode(choices)}"


def ask(url: str) -> tuple[int, float]:
    """Return the status of an answer and how long it took. [s]"""
    start = time.perf_counter()
    try:
        with urllib.request.urlopen(url, timeout=120) as answer:
            answer.read()
            status = answer.status
    except urllib.error.HTTPError as refusal:
        refusal.read()
        status = refusal.code
    return status, time.perf_counter() - start


def changes(url: str, *, link: Callable[[], str], seconds: float) -> list[float]:
    """Return how long each of a reader's changes took, one after the other. [s]"""
    took = []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        status, wait_s = ask(url + link())
        took.append(wait_s if status == 200 else float("inf"))
        time.sleep(PAUSE_S)
    return took


def crowd(url: str, *, stop: threading.Event) -> tuple[list[threading.Thread], Counter[int]]:
    """Start the programs; return their threads, and a count of the statuses they get."""
    got: Counter[int] = Counter()
    numbers = iter(range(10**9))

    def program() -> None:
        while not stop.is_set():
            try:
                status, _ = ask(url + dear(next(numbers)))
            except OSError:  # the server was stopped with the measurement
                return
            got[status] += 1
            if status != 200:
                time.sleep(PAUSE_S)

    threads = [threading.Thread(target=program, daemon=True) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    return threads, got


def peak_byte(process: int) -> int:
    """Return the most memory that a process has had. [byte]"""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def main() -> None:
    """Print the wait for new and for kept changes, alone and beside the programs, and the memory they take."""
    with tempfile.TemporaryDirectory() as name, started("ours", folder=Path(name)) as (url, process):
        time.sleep(WARM_S)
        chance, stop = random.Random(0), threading.Event()
        ways: dict[str, Callable[[], str]] = {
            "new": lambda: ordinary(chance),
            "kept": lambda: "/training-compute.panel.json",
        }
        alone = {way: changes(url, link=link, seconds=SECONDS / 4) for way, link in ways.items()}
        threads, got = crowd(url, stop=stop)
        time.sleep(2)
        beside = {way: changes(url, link=link, seconds=SECONDS / 2) for way, link in ways.items()}
        stop.set()
        for way in ways:
            before, after = (float(np.quantile(took[way], 0.95, method="higher")) for took in (alone, beside))
            what = f"a {way} change beside {CLIENTS} clients of the dearest links"
            print(
                f"{what:58} p95 {after / before:5.1f}x alone, {after / BUDGET_S:.2f} of the budget of "
                f"{BUDGET_S:.0f} s   (n = {len(beside[way])})"
            )
        peak = peak_byte(process)
        print(f"{'memory at its peak':58} {peak / MEMORY_BYTE:.2f} of {MEMORY_BYTE / 1e9:.0f} GB")
        print(
            f"{'the programs got':58} {got[200]} answers, {got[503]} times 503, {got.total()} in all",
            flush=True,
        )
    for thread in threads:
        thread.join(timeout=10)


if __name__ == "__main__":
    main()
