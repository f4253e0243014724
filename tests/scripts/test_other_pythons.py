"""The other Pythons of a machine: which are taken, which are not and why."""

import os
import sys
from pathlib import Path

import pytest

from scripts import other_pythons
from scripts.other_pythons import candidates, probe

OWN = f"{sys.version_info[0]}.{sys.version_info[1]}"


def program(path: Path, *, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def python(path: Path, version: str) -> Path:
    return program(path, text=f"echo {version}")


def test_pythons_are_on_the_path_and_among_those_of_pyenv_and_uv(tmp_path):
    paths = [
        python(tmp_path / "bin" / "python3.98", ""),
        python(tmp_path / "pyenv" / "versions" / "3.97.4" / "bin" / "python3.97", ""),
        python(tmp_path / "uv" / "cpython-3.96" / "bin" / "python3.96", ""),
    ]
    program(tmp_path / "bin" / "python3.98-config", text="exit 0")
    environment = {
        "PATH": f"{tmp_path / 'bin'}:{tmp_path / 'bin'}:",
        "PYENV_ROOT": str(tmp_path / "pyenv"),
        "UV_PYTHON_INSTALL_DIR": str(tmp_path / "uv"),
    }
    assert candidates(environment) == paths


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("echo cpython 3 98 10 final", (3, 98, 10)),
        ("echo not installed >&2; exit 127", None),
        ("echo Python 3", None),
        ("echo cpython 3 9 18 final", None),
        ("echo pypy 3 96 0 final", None),
        ("echo cpython 3 99 0 alpha", None),
        (f"echo cpython {OWN.replace('.', ' ')} 0 final", None),
    ],
)
def test_a_released_cpython_other_than_that_of_make_test_is_tried(*, text, result, tmp_path):
    assert probe(program(tmp_path / "python3", text=text)) == result


@pytest.mark.parametrize(
    ("broken", "status", "word"), [("", 0, "passed"), ("prepare.py", 1, "FAILED"), ("-m pytest", 1, "FAILED")]
)
def test_the_newest_patch_is_set_up_in_its_own_environment_and_tried(
    *, broken, status, word, tmp_path, monkeypatch, capsys
):
    newest = python(tmp_path / "b" / "python3.98", "cpython 3 98 10 final")
    older = python(tmp_path / "a" / "python3.98", "cpython 3 98 9 final")
    none = tmp_path / "python3.97"
    monkeypatch.setattr(other_pythons, "candidates", lambda environment: [newest, older, none])
    commands = []

    def call(command, cwd):
        commands.append(" ".join(map(str, command)))
        return int(bool(broken) and broken in commands[-1])

    monkeypatch.setattr(other_pythons.subprocess, "call", call)
    assert other_pythons.main() == status
    venv = os.path.join(other_pythons.HERE, ".venv-3.98")
    assert commands[0] == f"{newest} scripts/prepare.py requirements-dev.txt --venv {venv}"
    assert len(commands) == (1 if broken == "prepare.py" else 2)
    assert commands[-1].startswith(f"{venv}/bin/python -m pytest") or broken == "prepare.py"
    printed = capsys.readouterr().out
    assert f"Python 3.98.10 ({newest}): {word} in 0 s\n" in printed
    assert f"Not tried: {none} is no released CPython from 3.11 on, or that of make test.\n" in printed
