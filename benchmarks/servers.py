"""Our app and its rivals, each started in a process of its own on a free port."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
RIVALS = HERE / "rivals"
STREAMLIT_FLAGS = (
    *("--server.address", "127.0.0.1", "--server.headless", "true"),
    *("--browser.gatherUsageStats", "false", "--server.fileWatcherType", "none"),
)


def commands(port: int) -> dict[str, list[str]]:
    """Return how each is started."""
    bare = [sys.executable, "-m", "streamlit", "run", str(RIVALS / "bare_streamlit.py"), *STREAMLIT_FLAGS]
    return {
        "ours": [sys.executable, str(HERE.parent / "app.py")],
        "bare Streamlit": [*bare, "--server.port", str(port)],
        "Dash": [sys.executable, str(RIVALS / "dash_page.py")],
    }


@contextmanager
def serving(name: str, *, folder: Path) -> Iterator[str]:
    """Give the address of a started server that answers, and end it afterwards.

    The rivals read their figures from ``figures.json`` in ``folder``, which is also where they run.
    """
    with started(name, folder=folder) as (url, _):
        yield url


@contextmanager
def started(
    name: str, *, folder: Path, settings: Mapping[str, str] | None = None
) -> Iterator[tuple[str, int]]:
    """Give address and process id of a started server that answers, and end it as :func:`serving` does.

    ``settings`` go into its environment.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {
        **os.environ,
        **(settings or {}),
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "FIGURES": str(folder / "figures.json"),
    }
    log = folder / f"{name}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            commands(port)[name], cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
    url = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + 60
        while not _answers(url):
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


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False
