"""Our app and a bare Dash page, each started in a process of its own on a free port."""

import os
import random
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from benchmarks.clients import fetch

HERE = Path(__file__).resolve().parent
START_S = 300.0
"""So long a server may take to start, on a machine that is busy with much else. [s]"""
MEMORY_BYTE = 1e9
"""So much memory a server may take. [byte]"""

COMMANDS = {
    "ours": [sys.executable, str(HERE.parent / "app.py")],
    "ours, broken": [sys.executable, "-m", "benchmarks.unguarded"],
    "Dash": [sys.executable, str(HERE / "rivals" / "dash_page.py")],
}


@contextmanager
def started(
    name: str,
    *,
    folder: Path,
    settings: Mapping[str, str] | None = None,
    without: Sequence[str] = (),
    descriptors: int | None = None,
) -> Iterator[tuple[str, int]]:
    """Give address and process id of a started server that answers, and end it afterwards.

    The rival reads its figures from ``figures.json`` in ``folder``, where all run. ``settings`` go into the
    environment, ``without`` names parts of ours that are broken (:mod:`benchmarks.unguarded`), ``descriptors`` is how
    many files it may open.
    """
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    environment = {
        **os.environ,
        **(settings or {}),
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "PYTHONPATH": str(HERE.parent),
        "FIGURES": str(folder / "figures.json"),
    }
    log = folder / f"{name}.log"
    command = [*COMMANDS["ours, broken" if without else name], *without]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
    if descriptors is not None:
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (descriptors, descriptors))
    url = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + START_S
        while True:
            with suppress(OSError):
                if fetch(url, "/", timeout_s=START_S).status == 200:
                    break
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"{name} did not start; it said:\n{log.read_text(errors='replace')}")
            time.sleep(0.1)
        yield url, process.pid
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(timeout=10)


def free_port() -> int:
    """Return a port that nobody listens at, none of those that systems give to connections.

    Whoever asks again and again at such a port, until a server is there, can be connected with themselves.
    """
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def memory_byte(process: int, *, name: str = "VmRSS") -> int:
    """Return what a process and those it started have in memory; ``name`` VmHWM for the most of each. [byte]"""
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
        children = " ".join(path.read_text() for path in Path(f"/proc/{process}/task").glob("*/children"))
    except OSError:  # it has ended meanwhile
        return 0
    own_byte = 1024 * next((int(line.split()[1]) for line in lines if line.startswith(name)), 0)
    return own_byte + sum(memory_byte(int(child), name=name) for child in children.split())


def descriptors_of(process: int) -> int:
    """Return how many files and connections a process has open."""
    return len(os.listdir(f"/proc/{process}/fd"))


@contextmanager
def watched_memory(process: int, *, each_s: float = 0.2) -> Iterator[list[int]]:
    """Give a list of what a process and those it started had in memory at once, longer by one each time. [byte]

    It ends with the process.
    """
    seen_byte, over = [memory_byte(process)], threading.Event()

    def watch() -> None:
        while not over.wait(each_s) and (now_byte := memory_byte(process)):
            seen_byte.append(now_byte)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield seen_byte
    finally:
        over.set()
        watcher.join()


def faults_of_servers(folder: Path, *, peak_byte: float) -> list[str]:
    """Return what is wrong with servers after all: tracebacks in their logs below a folder, too much memory. [byte]"""
    logs = "".join(log.read_text(encoding="utf-8", errors="replace") for log in folder.rglob("*.log"))
    faults = [f"{peak_byte / MEMORY_BYTE:.2f} GB of memory at the peak"] if peak_byte > MEMORY_BYTE else []
    if count := logs.count("Traceback"):
        faults.append(f"{count} tracebacks in the logs:\n{logs[logs.index('Traceback') :][:3000]}")
    return faults
