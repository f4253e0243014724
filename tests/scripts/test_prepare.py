import ast
import fcntl
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from scripts import prepare

ROOT = Path(__file__).resolve().parent.parent.parent


def program(path: Path, *, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def project(tmp_path):
    """What `make` needs of the project, with a lock of no packages, in a folder of its own."""
    (tmp_path / "scripts").mkdir()
    for file in ("Makefile", "scripts/prepare.py"):
        shutil.copy(ROOT / file, tmp_path / file)
    for lock in ("requirements.txt", "requirements-dev.txt", prepare.PIP_LOCK):
        (tmp_path / lock).write_text("")
    (tmp_path / "app.py").write_text("print('started')\n")
    return tmp_path


def make(project, target, *, path=None, **environment):
    clean = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "PYTHON", "CHROMIUM")}
    folders = [str(path)] if path else []
    environment = {**clean, "PATH": os.pathsep.join([*folders, clean["PATH"]]), **environment}
    quiet: Any = {"capture_output": True, "text": True, "timeout": 300}
    return subprocess.run(["make", "--no-print-directory", target], cwd=project, env=environment, **quiet)


def the_line(ended):
    """Return what the reader is told: one line, before make's own."""
    lines = [line for line in ended.stderr.splitlines() if not line.startswith("make")]
    assert len(lines) == 1, ended.stderr
    assert "Traceback" not in ended.stdout + ended.stderr
    return lines[0]


OLD = "import runpy, sys; sys.version_info = (3, 8, 10); sys.argv = sys.argv[1:]"
OLD += "; runpy.run_path(sys.argv[0], run_name='__main__')"
TOO_OLD = f'[ "$1" = -c ] && exec {sys.executable} "$@"\nexec {sys.executable} -c "{OLD}" "$@"'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (TOO_OLD, "needs Python 3.11 or newer; this python3 is 3.8"),
        ("echo Python 3.8.10", "needs Python 3.11 or newer; python3 was not found or is not Python"),
    ],
    ids=["too old", "something else"],
)
def test_a_python3_that_will_not_do_is_named_with_what_is_needed(*, text, words, project, tmp_path):
    program(tmp_path / "bin" / "python3", text=text)
    ended = make(project, "run", path=tmp_path / "bin")
    assert ended.returncode != 0
    assert words in the_line(ended) and "make run PYTHON=" in the_line(ended)
    assert not (project / ".venv").exists()


def test_the_first_run_makes_the_environment_and_the_next_only_starts(project):
    first = make(project, "run", PYTHON=sys.executable)
    assert first.returncode == 0, first.stderr
    assert "Creating .venv" in first.stdout
    assert first.stdout.splitlines()[-1] == "started"
    assert make(project, "run", PYTHON=sys.executable).stdout == "started\n"
    (project / "requirements.txt").write_text("# changed\n")
    assert "Installing requirements.txt" in make(project, "setup", PYTHON=sys.executable).stdout


@pytest.mark.parametrize(
    ("broken", "status", "word"), [("", 0, "passed"), ("prepare", 2, "FAILED"), ("pytest", 2, "FAILED")]
)
def test_the_newest_patch_of_every_other_python_is_tried(*, broken, status, word, project, tmp_path):
    other = "3.12" if sys.version_info[1] != 12 else "3.13"
    steps, home = tmp_path / "steps", tmp_path / "home"
    versions = home / ".pyenv" / "versions"
    for patch in ("9", "10"):
        noted = f'[ "$1" = -c ] || echo "{patch} $*" >> {steps}; case "$*" in *{broken or "nothing"}*) exit 1; esac'
        program(versions / f"{other}.{patch}" / "bin" / f"python{other}", text=noted)
    early = home / ".local/share/uv/python" / f"cpython-{other}.99a1"
    program(early / "bin" / f"python{other}", text="exit 1")
    program(project / f".venv-{other}" / "bin" / "python", text=noted)
    program(project / ".venv" / "bin" / "python", text=f'exec {sys.executable} "$@"')
    program(project / "python3", text='[ "$1" != -c ] || echo 42')
    for minor in range(11, 16):  # in the place of this machine's own
        program(project / f"python3.{minor}", text="exit 1")
    ended = make(project, "test-pythons", path=project, HOME=str(home))
    assert ended.returncode == status
    assert f"Python {other} ({versions / f'{other}.10'}/bin/python{other}): {word}" in ended.stdout
    assert "Python 3.15: not installed on this machine" in ended.stdout
    prepared, *tested = steps.read_text().splitlines()
    assert prepared == f"10 scripts/prepare.py requirements-dev.txt --venv .venv-{other}"
    assert [line.startswith("10 -m pytest -q") for line in tested] == [True] * (broken != "prepare")


def test_a_lock_that_cannot_be_installed_says_what_to_look_at(project):
    (project / "requirements.txt").write_text("./no-such-package\n")
    ended = make(project, "setup", PYTHON=sys.executable)
    assert ended.returncode != 0
    assert ended.stderr.startswith("ERROR")
    assert "pip could not install requirements.txt" in ended.stderr
    assert prepare.fault(project / ".venv") == "an installation was interrupted"


@pytest.mark.parametrize(
    ("text", "pip", "words"),
    [
        ("exit 1", "pip", "its Python does not run or is older than 3.11"),
        (None, "pip", "its Python does not run or is older than 3.11"),
        ("exit 0", "", "it has no pip"),
    ],
)
def test_a_broken_environment_is_made_anew_with_a_reason(*, text, pip, words, tmp_path, monkeypatch, capsys):
    program(tmp_path / "venv" / "bin" / (pip or "other"), text="")
    if text:
        program(prepare.venv_python(tmp_path / "venv"), text=text)
    steps = []
    monkeypatch.setattr(prepare, "make_venv", steps.append)
    monkeypatch.setattr(prepare, "install", lambda lock, venv: steps.append(lock))
    prepare.prepare("requirements.txt", tmp_path / "venv")
    assert capsys.readouterr().out == f"Creating venv again: {words}\n"
    assert steps == [tmp_path / "venv", prepare.PIP_LOCK, "requirements.txt"]


def test_a_python_that_makes_no_environment_is_told_with_what_may_be_missing(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", str(program(tmp_path / "python", text="mkdir $4; exit 1")))
    words = r"could not create .*install python3-venv\. Or use another"
    with pytest.raises(prepare.CannotPrepare, match=words):
        prepare.make_venv(tmp_path / "venv")
    assert not (tmp_path / "venv").exists()


def test_a_file_in_the_place_of_the_environment_is_left_alone_and_named(tmp_path, capsys):
    (tmp_path / "venv").write_text("mine")
    assert prepare.main(["requirements.txt", "--venv", str(tmp_path / "venv")]) == 1
    error = capsys.readouterr().err
    words = "is not a folder. Move or delete it, then run the same command again.\n"
    assert error == f"{tmp_path / 'venv'} {words}"
    assert (tmp_path / "venv").read_text() == "mine"


def test_of_two_set_ups_in_one_checkout_one_waits_and_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(prepare, "HERE", tmp_path)
    printed, over = threading.Event(), threading.Event()
    monkeypatch.setattr(prepare, "say", lambda line: "Waiting for another" in line and printed.set())
    first = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(first, fcntl.LOCK_EX)
    second = threading.Thread(target=lambda: (os.close(prepare.wait_for_others()), over.set()))
    second.start()
    assert printed.wait(60)
    assert not over.is_set()
    os.close(first)
    assert over.wait(60)
    second.join()


@pytest.mark.parametrize(
    ("problem", "status", "line"),
    [
        (KeyboardInterrupt(), 130, "Stopped. Run the same command to continue."),
        (OSError(28, "No space left on device"), 1, "[Errno 28] No space left on device"),
        (prepare.CannotPrepare("[Errno 13] is why."), 1, "[Errno 13] is why."),
    ],
)
def test_whatever_ends_a_set_up_is_one_line(*, problem, status, line, monkeypatch, capsys):
    def ended(*_):
        raise problem

    monkeypatch.setattr(prepare, "prepare", ended)
    assert prepare.main(["requirements.txt"]) == status
    error = capsys.readouterr().err
    assert error.startswith(line)
    assert error.count("\n") == 1


def test_old_pythons_can_read_the_script():
    source = (ROOT / "scripts" / "prepare.py").read_text()
    ast.parse(source, feature_version=(3, 6))


def test_chromium_is_the_one_named_else_the_first_on_the_path_without_windows_if_there_is_one(tmp_path):
    path = str(tmp_path / "bin")
    own = program(tmp_path / "bin" / "google-chrome", text="exit 0")
    assert prepare.find_chromium({"PATH": path}) == str(own)
    shell = program(tmp_path / "bin" / "chromium-headless-shell", text="exit 0")
    assert prepare.find_chromium({"PATH": path}) == str(shell)
    assert prepare.find_chromium({"PATH": path, "CHROMIUM": "google-chrome"}) == str(own)
    with pytest.raises(prepare.CannotPrepare, match=r"CHROMIUM names 'none', which is not a program"):
        prepare.find_chromium({"PATH": path, "CHROMIUM": "none"})


def test_without_any_chromium_apt_is_asked_and_then_playwright(tmp_path, monkeypatch):
    steps = tmp_path / "steps"
    program(tmp_path / "bin" / "apt-get", text=f'echo "apt-get $*" >> {steps}; exit 100')
    program(tmp_path / "venv" / "bin" / "python", text=f'echo "python $*" >> {steps}; exit 1')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/bin")
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(prepare, "BROWSERS", ("no-such-browser",))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    words = r"^The browser tests need Chromium\. Install Chromium or Chrome, or give its path: CHROMIUM=/.* make test$"
    with pytest.raises(prepare.CannotPrepare, match=words):
        prepare.get_chromium(tmp_path / "venv")
    apt = "apt-get -qq -y -o DPkg::Lock::Timeout=300"
    assert [line for line in steps.read_text().splitlines() if line.startswith(("apt", "python -m"))] == [
        f"{apt} update",
        f"{apt} install --no-install-recommends chromium-headless-shell",
        f"{apt} install --no-install-recommends chromium",
        "python -m playwright install chromium",
    ]


LOCKS = sorted(path.name for path in ROOT.glob("requirements*.txt"))


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_of_a_lock_has_its_version_and_hash_and_no_host(lock):
    text = (ROOT / lock).read_text()
    lines = text.replace("\\\n", " ").splitlines()
    entries = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    assert len(entries) > (0 if lock == prepare.PIP_LOCK else 20)
    for entry in entries:
        assert "==" in entry and "--hash=sha256:" in entry, entry
    assert "://" not in text
    assert "--index" not in text and "--find-links" not in text


def test_the_locks_agree_on_every_version():
    versions = {}
    assert len(LOCKS) == 6
    for lock in LOCKS:
        for line in (ROOT / lock).read_text().splitlines():
            if "==" in line and not line.startswith((" ", "#")):
                name, version = line.split("==", 1)[0], line.split("==", 1)[1].split()[0]
                assert versions.setdefault((name, line.partition(";")[2].rstrip(" \\")), version) == version


def test_typescript_is_installed_once_for_each_lock_and_an_npm_that_fails_leaves_nothing(project, tmp_path):
    steps, lock = tmp_path / "steps", project / "panel" / "browser" / "package-lock.json"
    lock.parent.mkdir(parents=True)
    tsc = "mkdir -p node_modules/typescript/bin && echo > node_modules/typescript/bin/tsc"
    for text, fails, runs in (("{}", False, 1), ("{}", False, 1), ('{"new": 1}', False, 2), ("{}", True, 3)):
        for file in (lock, lock.with_name("package.json")):
            file.write_text(text)
        noted = f'shift 2; echo "$*" >> {steps}; {tsc}; exit {int(fails)}'
        program(project / ".venv" / "bin" / "python", text=noted)
        ended = make(project, "typescript")
        assert (ended.returncode == 0) is not fails
        assert steps.read_text() == runs * "ci --loglevel=error --ignore-scripts --no-audit --no-fund\n"
        assert (project / ".venv" / "typescript").exists() is not fails


def test_every_package_of_the_panel_has_its_version_and_hash_and_no_host():
    text = (ROOT / "panel/browser/package-lock.json").read_text()
    packages = {name: entry for name, entry in json.loads(text)["packages"].items() if name}
    assert packages
    for name, entry in packages.items():
        assert entry["version"] and entry["integrity"].startswith("sha512-"), name
        assert entry["dev"], f"{name} would be needed to run the app."
    assert "://" not in text
