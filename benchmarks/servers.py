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
from dataclasses import dataclass
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


@dataclass(frozen=True, kw_only=True)
class Server:
    """A server in a process of its own, which writes what it prints into ``log``."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path

    def log_text(self) -> str:
        """Return what the process has printed so far."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def until_it_answers(self, path: str = "/") -> None:
        """Return once a path is answered 200; raise RuntimeError, with what it printed, where that never comes."""
        until = time.monotonic() + START_S
        while True:
            with suppress(OSError):
                if fetch(self.url, path, timeout_s=START_S).status == 200:
                    return
            if self.process.poll() is not None or time.monotonic() > until:
                self.stop()
                raise RuntimeError(f"The server did not start; it printed:\n{self.log_text()}")
            time.sleep(0.1)

    def stop(self) -> None:
        """End the process, by its id, and wait for it."""
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(timeout=10)


def begin(
    command: Sequence[str], *, log: Path, cwd: Path, environment: Mapping[str, str], port: int | None = None
) -> Server:
    """Return a server that has been started on a port of this machine; ``{port}`` in its command stands for it."""
    port = port or free_port()
    with log.open("wb") as output:
        process = subprocess.Popen(
            [part.format(port=port) for part in command],
            cwd=cwd,
            env={**environment, "PORT": str(port)},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    return Server(url=f"http://127.0.0.1:{port}", process=process, log=log)


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
    own = {"HOST": "127.0.0.1", "PYTHONPATH": str(HERE.parent), "FIGURES": str(folder / "figures.json")}
    command = [*COMMANDS["ours, broken" if without else name], *without]
    environment = {**os.environ, **(settings or {}), **own}
    server = begin(command, log=folder / f"{name}.log", cwd=folder, environment=environment)
    if descriptors is not None:
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (descriptors, descriptors))
    try:
        server.until_it_answers()
        yield server.url, server.process.pid
    finally:
        server.stop()


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
    total_byte, children = 0, ""
    with suppress(OSError):  # it has ended meanwhile
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
        total_byte = 1024 * sum(int(line.split()[1]) for line in status.splitlines() if line.startswith(name))
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # a thread has ended meanwhile
            children += f" {task.read_text()}"
    return total_byte + sum(memory_byte(int(child), name=name) for child in children.split())


def descriptors_of(process: int) -> int:
    """Return how many files and connections a process has open."""
    return len(os.listdir(f"/proc/{process}/fd"))


@contextmanager
def watched_memory(process: int, *, each_s: float = 0.2) -> Iterator[list[int]]:
    """Give a list of what a process and those it started had in memory at once, until it has ended. [byte]"""
    seen_byte, over = [memory_byte(process)], threading.Event()

    def watch() -> None:
        while not over.wait(each_s):
            if now_byte := memory_byte(process):
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
