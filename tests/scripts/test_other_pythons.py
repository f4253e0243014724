"""The other Pythons of a machine: which are taken, which are not and why."""

import os
import sys
from pathlib import Path

import pytest

from scripts import other_pythons
from scripts.other_pythons import Python, candidates, choose

OWN = f"{sys.version_info[0]}.{sys.version_info[1]}"


def program(path: Path, *, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def python(path: Path, *, version: str, name: str = "cpython", level: str = "final") -> Path:
    numbers = version.replace(".", ", ")
    return program(path, text=f"""echo '["{name}", {numbers}, "{level}"]'""")


def test_pythons_are_on_the_path_and_among_those_of_pyenv_and_uv(tmp_path):
    paths = [
        python(tmp_path / "bin" / "python3.98", version="3.98.1"),
        python(tmp_path / "pyenv" / "versions" / "3.97.4" / "bin" / "python3.97", version="3.97.4"),
        python(tmp_path / "uv" / "cpython-3.96" / "bin" / "python3.96", version="3.96.0"),
    ]
    program(tmp_path / "bin" / "python3.98-config", text="exit 0")
    environment = {
        "PATH": f"{tmp_path / 'bin'}:{tmp_path / 'bin'}:",
        "PYENV_ROOT": str(tmp_path / "pyenv"),
        "UV_PYTHON_INSTALL_DIR": str(tmp_path / "uv"),
    }
    assert candidates(environment) == paths


def test_the_newest_patch_of_each_version_is_taken_and_the_others_are_named_with_the_reason(tmp_path):
    newest = python(tmp_path / "b" / "python3.98", version="3.98.10")
    paths = {
        "": python(tmp_path / "a" / "python3.98", version="3.98.9"),
        "no reason": newest,
        "does not run": program(tmp_path / "shims" / "python3.97", text="echo not installed >&2; exit 127"),
        "is older than 3.11": python(tmp_path / "python3.9", version="3.9.18"),
        "is pypy, not CPython": python(tmp_path / "pypy" / "python3.96", version="3.96.0", name="pypy"),
        "is a pre-release of 3.99": python(tmp_path / "python3.99", version="3.99.0", level="alpha"),
        f"is a {OWN}, which make test uses": python(tmp_path / f"python{OWN}", version=f"{OWN}.0"),
    }
    pythons, skipped = choose(paths.values())
    assert pythons == [Python(path=newest, version=(3, 98, 10))]
    assert skipped == [f"{path} {reason}" for reason, path in list(paths.items())[2:]]


@pytest.mark.parametrize(
    ("broken", "status", "word"), [("", 0, "passed"), ("prepare.py", 1, "FAILED"), ("-m pytest", 1, "FAILED")]
)
def test_each_is_set_up_in_its_own_environment_and_tried(
    *, broken, status, word, tmp_path, monkeypatch, capsys
):
    path = python(tmp_path / "python3.98", version="3.98.1")
    monkeypatch.setattr(other_pythons, "candidates", lambda environment: [path, tmp_path / "python3.97"])
    commands = []

    def call(command, cwd):
        commands.append(" ".join(map(str, command)))
        return int(bool(broken) and broken in commands[-1])

    monkeypatch.setattr(other_pythons.subprocess, "call", call)
    assert other_pythons.main() == status
    venv = os.path.join(other_pythons.HERE, ".venv-3.98")
    assert commands[0] == f"{path} scripts/prepare.py requirements-dev.txt --venv {venv}"
    assert len(commands) == (1 if broken == "prepare.py" else 2)
    assert commands[-1].startswith(f"{venv}/bin/python -m pytest") or broken == "prepare.py"
    printed = capsys.readouterr().out
    assert f"Python 3.98.1 ({path}): {word} in 0 s\n" in printed
    assert f"Not tried: {tmp_path / 'python3.97'} does not run.\n" in printed


def test_a_machine_without_other_pythons_passes_and_says_so(monkeypatch, capsys):
    monkeypatch.setattr(other_pythons, "candidates", lambda environment: [])
    assert other_pythons.main() == 0
    assert capsys.readouterr().out == (
        "No other Python was tried: this machine has none that the app supports.\n"
    )


def test_what_is_run_is_there():
    for part in other_pythons.SLICE:
        path, _, name = part.partition("::")
        assert (Path(other_pythons.HERE) / path).exists()
        assert name.partition("[")[0] in (Path(other_pythons.HERE) / path).read_text() if name else True
