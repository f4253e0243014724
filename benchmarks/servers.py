"""Our app and a minimal Dash page, each in its own process on a free port."""

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
"""Maximum start time of a server on a busy machine. [s]"""
MEMORY_BYTE = 1e9
"""Maximum memory of a server. [byte]"""

COMMANDS = {
    "ours": [sys.executable, str(HERE.parent / "app.py")],
    "ours, broken": [sys.executable, "-m", "benchmarks.unguarded"],
    "Dash": [sys.executable, str(HERE / "rivals" / "dash_page.py")],
}


@dataclass(frozen=True, kw_only=True)
class Server:
    """A server in its own process. Its output goes to ``log``."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path

    def log_text(self) -> str:
        """Return the output of the process so far."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def until_it_answers(self, path: str = "/") -> None:
        """Return once a path gives status 200. Raise RuntimeError with the output if it never does."""
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
        """End the process by its ID, and wait until it has ended."""
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(timeout=10)


def begin(
    command: Sequence[str], *, log: Path, cwd: Path, environment: Mapping[str, str], port: int | None = None
) -> Server:
    """Start a server on a port of this machine, and return the server. The port replaces ``{port}`` in its command."""
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
    """Yield the address and process ID of a running server. The server ends afterwards.

    The rival reads its figures from ``figures.json`` in ``folder``, the working directory. ``settings`` are environment
    variables, ``without`` lists broken parts of ours (:mod:`benchmarks.unguarded`), and ``descriptors`` is its limit of
    open files.
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
    """Return a free port that operating systems do not assign to outgoing connections.

    A client that retries on a port in that range, until a server is there, may connect to itself.
    """
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def memory_byte(process: int, *, name: str = "VmRSS") -> int:
    """Return the memory of a process and its children. With the ``name`` VmHWM, it is the sum of their peaks. [byte]"""
    total_byte, children = 0, ""
    with suppress(OSError):  # it has ended meanwhile
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
        total_byte = 1024 * sum(int(line.split()[1]) for line in status.splitlines() if line.startswith(name))
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # a thread has ended meanwhile
            children += f" {task.read_text()}"
    return total_byte + sum(memory_byte(int(child), name=name) for child in children.split())


def descriptors_of(process: int) -> int:
    """Return the number of open files and connections of a process."""
    return len(os.listdir(f"/proc/{process}/fd"))


@contextmanager
def watched_memory(process: int, *, each_s: float = 0.2) -> Iterator[list[int]]:
    """Yield a list that collects the memory of a process and its children until the context ends. [byte]"""
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
    """Return the faults that servers left behind: tracebacks in logs below a folder, or too much memory."""
    logs = "".join(log.read_text(encoding="utf-8", errors="replace") for log in folder.rglob("*.log"))
    faults = [f"{peak_byte / MEMORY_BYTE:.2f} GB of memory at the peak"] if peak_byte > MEMORY_BYTE else []
    if count := logs.count("Traceback"):
        faults.append(f"{count} tracebacks in the logs:\n{logs[logs.index('Traceback') :][:3000]}")
    return faults
