"""A real nginx under deploy/nginx.conf, before servers of this machine."""

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.servers import free_port

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
DEPLOY = Path(__file__).parents[2] / "deploy"
EDITION = (DEPLOY / "kubernetes" / "edition.conf").read_text(encoding="utf-8")
needs_nginx = pytest.mark.skipif(
    NGINX is None, reason="nginx is not installed; on Debian: apt-get install nginx-light"
)


def configuration(folder: Path, *, port: int, replicas: Sequence[str], limited: bool) -> str:
    """Return deploy/nginx.conf for this machine: other addresses and folders, and where wanted no limits by address.

    Without replicas it is what nginx reads in the pods of the edition.
    """
    alone = f"pid {folder}/pid; events {{}} http {{ client_body_temp_path {folder}/body; {EDITION} }}"
    changes = {"include /etc/nginx/edition.conf;": EDITION, "listen 8080;": f"listen 127.0.0.1:{port};"}
    changes |= {"8081": str(free_port()), "/tmp/": f"{folder}/"}
    changes = changes if replicas else {"8081": f"127.0.0.1:{port}"}
    changes |= {" /edition": f" {folder}/edition"}
    changes |= dict(zip(("app-1:8501", "app-2:8501"), replicas, strict=bool(replicas)))
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8") if replicas else alone
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    if not limited:
        text = re.sub(r"^\s*limit_(req|conn) .*\n", "", text, flags=re.MULTILINE)
    # Started by root its workers are somebody else, who may not write here.
    return f"user root;\n{text}" if os.geteuid() == 0 else text


@contextmanager
def running(folder: Path, *, replicas: Sequence[str], limited: bool = True) -> Iterator[int]:
    """Give the port of an nginx before these two servers, each an address with its port, or of an edition."""
    port, log = free_port(), folder / "nginx.log"
    file = folder / "nginx.conf"
    text = configuration(folder, port=port, replicas=replicas, limited=limited)
    file.write_text(text, encoding="utf-8")
    command = [str(NGINX), "-c", str(file), "-p", str(folder), "-e", str(log), "-g", "daemon off;"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 30
        while not _listens(port):
            assert process.poll() is None and time.monotonic() < until, log.read_text()
            time.sleep(0.1)
        yield port
    finally:
        process.terminate()
        process.wait(timeout=30)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
