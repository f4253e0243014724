"""Replays the Dockerfile's steps in a clean Debian root, where no container engine is at hand.

    sudo python3 deploy/replay.py            # some minutes; needs mmdebstrap (apt-get install mmdebstrap)

A root is made from Debian packages alone, each instruction of the Dockerfile is done in it in order, and the app is
started as its user, with that root only to be read and /tmp alone to be written. It must become healthy by the
Dockerfile's own check and answer a pinned link with the very bytes that these sources answer here. Debian's Python
stands in for the image's; packages go into an environment of their own, since Debian's pip leaves the system's alone.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parent
PACKAGES = "python3,python3-venv,ca-certificates"
ENVIRONMENT = "/opt/python"
PATH = f"{ENVIRONMENT}/bin:/usr/sbin:/usr/bin:/sbin:/bin"
LINK = "/training-compute.csv?release=2026-07&since=2018"
HEALTHY_S = 90.0
OF_THE_HOST = ("/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt")
"""How this machine reaches a package index: copied, so that the root reaches it too."""


class ReplayError(RuntimeError):
    """A step that failed; the text is one line."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """One instruction of a Dockerfile: its word and what follows, continued lines joined."""

    word: str
    rest: str


@dataclass(kw_only=True)
class State:
    """What the instructions so far have set."""

    root: Path
    variables: dict[str, str] = field(default_factory=dict)
    folder: str = "/"
    user: str = "root"
    check: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)


def steps(text: str) -> Iterator[Step]:
    """Yield the instructions of a Dockerfile in order."""
    lines = (line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    for line in re.sub(r"\\\n\s*", " ", "\n".join(lines)).splitlines():
        word, _, rest = line.strip().partition(" ")
        yield Step(word=word.upper(), rest=rest.strip())


def done(step: Step, state: State) -> None:
    """Do one instruction in the root.

    Raises
    ------
    ReplayError
        An instruction that is not known here, or one that fails.
    """
    match step.word:
        case "FROM" | "EXPOSE":
            pass
        case "ENV" | "ARG":
            for word in shlex.split(step.rest):
                name, _, value = word.partition("=")
                state.variables[name] = value
        case "WORKDIR":
            state.folder = step.rest
            (state.root / step.rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
        case "COPY":
            source, target = step.rest.split()
            _copy(source, target, state=state)
        case "RUN":
            ran = subprocess.run(
                _inside(["sh", "-c", step.rest], state), env=_environment(state), check=False
            )
            if ran.returncode:
                raise ReplayError(f"RUN {step.rest} ended with {ran.returncode}.")
        case "USER":
            state.user = step.rest
        case "HEALTHCHECK":
            state.check = json.loads(step.rest.partition("CMD")[2])
        case "CMD":
            state.command = json.loads(step.rest)
        case _:
            raise ReplayError(f"{step.word} is not known here; add it to {Path(__file__).name}.")


def _copy(source: str, target: str, *, state: State) -> None:
    """Copy what the build may see: what .dockerignore lets through."""
    rules = (HERE / "Dockerfile.dockerignore").read_text(encoding="utf-8").split()
    if f"!{source}" not in rules:
        raise ReplayError(f"COPY {source}: Dockerfile.dockerignore keeps it from the build.")
    never = [rule.removeprefix("**/") for rule in rules if rule.startswith("**/")]
    into = state.root / state.folder.lstrip("/") / target
    if (SOURCES / source).is_file():
        shutil.copy(SOURCES / source, into)
        return
    shutil.copytree(
        SOURCES / source,
        into,
        dirs_exist_ok=True,
        ignore=lambda _, names: [name for name in names if any(fnmatch(name, rule) for rule in never)],
    )


def _inside(command: list[str], state: State, *, frozen: bool = False) -> list[str]:
    """Return how a command is run in the root by the user of now; ``frozen`` with a root that is only read."""
    there = f"cd {shlex.quote(state.folder)} && exec {shlex.join(command)}"
    chroot = ["chroot", f"--userspec={state.user}", str(state.root), "sh", "-c", there]
    if not frozen:
        return chroot
    root = shlex.quote(str(state.root))
    mounts = (
        f"mount --bind {root} {root} && mount -o remount,bind,ro {root} && mount -t tmpfs tmpfs {root}/tmp && "
        f"mount --rbind /dev {root}/dev && exec {shlex.join(chroot)}"
    )
    return ["unshare", "--mount", "sh", "-c", mounts]


def _environment(state: State) -> dict[str, str]:
    own = {
        name: value
        for name, value in os.environ.items()
        if name.startswith("PIP_") or name.endswith("_proxy")
    }
    return {**own, "PIP_QUIET": "1", "PATH": PATH, "HOME": "/tmp", "LANG": "C.UTF-8", **state.variables}


def made(root: Path, *, suite: str) -> State:
    """Return a root with Debian's Python, an environment of its own, and this machine's way to a package index."""
    subprocess.run(
        ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={PACKAGES}", suite, str(root)], check=True
    )
    for path in filter(os.path.exists, OF_THE_HOST):
        shutil.copy(path, root / path.lstrip("/"))
    root.chmod(0o755)
    subprocess.run(
        ["chroot", str(root), "python3", "-m", "venv", ENVIRONMENT], check=True, env={"PATH": PATH}
    )
    return State(root=root)


def served(state: State, *, port: int) -> float:
    """Return how long the app took from its start until it was healthy, once its answer is right. [s]

    Raises
    ------
    ReplayError
        An app that does not become healthy, answers something else, or may write where it must not.
    """
    state.variables["PORT"] = str(port)
    begun = time.monotonic()
    with subprocess.Popen(_inside(state.command, state, frozen=True), env=_environment(state)) as app:
        try:
            while subprocess.run(
                _inside(state.check, state), env=_environment(state), capture_output=True
            ).returncode:
                if app.poll() is not None or time.monotonic() > begun + HEALTHY_S:
                    raise ReplayError("The app did not become healthy.")
                time.sleep(0.2)
            took_s = time.monotonic() - begun
            _compare(port)
        finally:
            app.terminate()
            app.wait(20)
    for folder in (state.folder, "/etc"):
        wrote = subprocess.run(_inside(["sh", "-c", f"touch {folder}/written"], state), capture_output=True)
        if wrote.returncode == 0:
            raise ReplayError(f"The app's user may write into {folder}.")
    return took_s


def _compare(port: int) -> None:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{LINK}", timeout=60) as answer:
            body = answer.read()
    except (OSError, urllib.error.HTTPError) as fault:
        raise ReplayError(f"{LINK} is not answered: {fault}.") from None
    here = "import sys; sys.path.insert(0, '.'); from web.forms.numbers import table_csv; import views; "
    here += f"sys.stdout.buffer.write(table_csv(views.ask({LINK.replace('.csv', '')!r}).result.table))"
    own = subprocess.run(
        [SOURCES / ".venv/bin/python", "-c", here], cwd=SOURCES, capture_output=True, check=True
    )
    if body != own.stdout:
        raise ReplayError(
            f"{LINK} is answered with {len(body):,} bytes, which are not those of these sources."
        )


def main(arguments: list[str] | None = None) -> int:
    """Replay, and print what each step took; return 0, or 1 with the reason in one line."""
    parser = argparse.ArgumentParser(description="Replay the Dockerfile in a clean Debian root.")
    parser.add_argument(
        "--suite", default="bookworm", help="the release of Debian (bookworm, with Python 3.11)"
    )
    parser.add_argument("--port", type=int, default=8590, help="where the app listens meanwhile (8590)")
    options = parser.parse_args(arguments)
    if os.geteuid() != 0 or not shutil.which("mmdebstrap"):
        print(
            "This needs root, for chroot, and mmdebstrap: sudo apt-get install mmdebstrap.", file=sys.stderr
        )
        return 1
    with tempfile.TemporaryDirectory(prefix="scaling-gap-root-") as folder:
        try:
            state, begun = made(Path(folder) / "root", suite=options.suite), time.monotonic()
            print(f"Debian {options.suite} with Python is there.", flush=True)
            for step in steps((HERE / "Dockerfile").read_text(encoding="utf-8")):
                print(f"{time.monotonic() - begun:6.1f} s  {step.word} {step.rest[:80]}", flush=True)
                done(step, state)
            took_s = served(state, port=options.port)
        except (ReplayError, subprocess.CalledProcessError) as fault:
            print(f"The replay failed: {fault}", file=sys.stderr)
            return 1
    print(
        f"Healthy {took_s:.1f} s after its start, as {state.user}, root read-only; {LINK} has the same bytes as here."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
