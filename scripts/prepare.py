"""Install the packages of a lock file in .venv, or print one line that names the obstacle and the remedy.

python3 scripts/prepare.py requirements.txt [--chromium] [--venv FOLDER]

It uses only the standard library and the syntax of Python 3.6, so that an old Python can report that it is too old.
"""

import argparse
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
VENV = HERE / ".venv"
PIP_LOCK = "requirements-pip.txt"
NEEDED = (3, 11)
INSTALLING = "installing"  # marker file in the environment while pip runs
APT = ["apt-get", "-qq", "-y", "-o", "DPkg::Lock::Timeout=300"]  # waits for the lock of dpkg [s]
BROWSERS = (
    "chromium-headless-shell",  # needs a third of the memory of the full browser, which also draws windows
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
PACKAGES = ["chromium-headless-shell", "chromium"]  # the first is not in every Debian or Ubuntu


class CannotPrepare(Exception):
    """Error with one line for the reader: what is missing, and the remedy."""


def run(command, otherwise, **options):
    """Run a program and show its output. Raises CannotPrepare with ``otherwise`` if it fails."""
    if subprocess.call([str(part) for part in command], **options):
        raise CannotPrepare(otherwise)


def venv_python(venv=VENV):
    """Return the path of the environment's Python."""
    return venv / "bin" / "python"


def fault(venv=VENV):
    """Return a short reason to rebuild an environment. None if it works. The check takes hundredths of a second."""
    probe = f"import sys; sys.exit(sys.version_info < {NEEDED})"
    try:
        subprocess.check_call([venv_python(venv), "-I", "-S", "-c", probe], stderr=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        return "its Python does not run or is older than {}.{}".format(*NEEDED)
    if not (venv / "bin" / "pip").exists():
        return "it has no pip"
    return "an installation was interrupted" if (venv / INSTALLING).exists() else None


def make_venv(venv=VENV):
    """Create the environment with this Python. Raises CannotPrepare if this fails."""
    if os.path.lexists(venv) and not venv.is_dir():
        raise CannotPrepare(f"{venv} is not a folder. Move or delete it, then run the same command again.")
    try:
        run(
            [sys.executable, "-m", "venv", "--clear", venv],
            f"{sys.executable} could not create a virtual environment (see its message above). On Debian or Ubuntu a "
            "package may be missing: sudo apt-get install python3-venv. Or use another Python: "
            "make run PYTHON=/path/to/python3.12",
        )
    except CannotPrepare:
        shutil.rmtree(venv, ignore_errors=True)
        raise


def install(lock, venv=VENV):
    """Install the packages of the hashed lock file, unless the environment already has them."""
    wanted, stamp = hashlib.sha256((HERE / lock).read_bytes()).hexdigest(), venv / f"installed-{lock}"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    say(f"Installing {lock} into {venv.name} (once; about half a minute)")
    (venv / INSTALLING).touch()
    pip = [venv_python(venv), "-m", "pip", "--disable-pip-version-check", "install", "--require-hashes"]
    run(
        [*pip, "-r", HERE / lock],
        f"pip could not install {lock} (see its message above). Check the network, the disk and pip's package index, "
        "then run the same command again.",
    )
    stamp.write_text(wanted)
    (venv / INSTALLING).unlink()


def find_chromium(environment=None):
    """Return the path of an installed Chromium or Chrome. None if there is none. CHROMIUM overrides the search."""
    environment = os.environ if environment is None else environment
    named = environment.get("CHROMIUM")
    paths = [shutil.which(name, path=environment.get("PATH")) for name in ([named] if named else BROWSERS)]
    if named and paths == [None]:
        raise CannotPrepare(
            f"CHROMIUM names {named!r}, which is not a program. Give the path of Chromium or Chrome, "
            "or leave CHROMIUM unset to find or install one."
        )
    return next(filter(None, paths), None)


def get_chromium(venv=VENV):
    """Install Chromium for the browser tests if it is missing, from apt or else from Playwright."""
    if find_chromium() or playwright_has_chromium(venv):
        return
    if shutil.which("apt-get") and (os.geteuid() == 0 or shutil.which("sudo")):
        say("Installing Chromium for the browser tests")
        apt = APT if os.geteuid() == 0 else ["sudo", "-n", *APT]
        for step in (["update"], *(["install", "--no-install-recommends", name] for name in PACKAGES)):
            subprocess.call([*apt, *step])  # without an update the package may be in the old lists
            if find_chromium():
                return
    say("Downloading Playwright's Chromium for the browser tests")
    if subprocess.call([venv_python(venv), "-m", "playwright", "install", "chromium"]):
        raise CannotPrepare(
            "The browser tests need Chromium. Install Chromium or Chrome, or give its path: "
            "CHROMIUM=/path/to/chromium make test"
        )


def playwright_has_chromium(venv=VENV):
    """Return whether Playwright's own Chromium is already downloaded."""
    probe = (
        "import os, sys; from playwright.sync_api import sync_playwright as p\n"
        "with p() as k: sys.exit(not os.path.exists(k.chromium.executable_path))"
    )
    return subprocess.call([venv_python(venv), "-c", probe], stderr=subprocess.DEVNULL) == 0


def wait_for_others():
    """Wait for other set-ups in the checkout, then return its lock. Closing the lock releases it."""
    folder = os.open(HERE, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("Waiting for another installation in this checkout to end")
        fcntl.flock(folder, fcntl.LOCK_EX)
    except OSError:  # a network drive may have no locks
        pass
    return folder


def say(line):
    """Print a line of progress immediately."""
    print(line, flush=True)


def prepare(lock, venv=VENV):
    """Install the packages of a lock file into an environment. A broken environment is rebuilt."""
    problem = fault(venv)
    if problem:
        say(f"Creating {venv.name}" + (f" again: {problem}" if venv.is_dir() else ""))
        make_venv(venv)
    install(PIP_LOCK, venv)
    install(lock, venv)


def main(arguments):
    """Prepare the environment for a lock file. Return the exit code."""
    parser = argparse.ArgumentParser(description="Install the packages of a lock into .venv.")
    parser.add_argument("lock", help="requirements.txt or another lock of this project")
    parser.add_argument("--venv", type=Path, default=VENV, help="folder of the environment (default: .venv)")
    parser.add_argument("--chromium", action="store_true", help="also install Chromium for the browser tests")
    wanted = parser.parse_args(arguments)
    try:
        if sys.version_info[:2] < NEEDED:
            needed, own = ("{}.{}".format(*version) for version in (NEEDED, sys.version_info))
            raise CannotPrepare(
                f"Scaling Gap needs Python {needed} or newer; this python3 is {own}. Install one, or give its path: "
                "make run PYTHON=/path/to/python3.12"
            )
        folder = wait_for_others()
        try:
            prepare(wanted.lock, wanted.venv)
            if wanted.chromium:
                get_chromium(wanted.venv)
        finally:
            os.close(folder)
    except KeyboardInterrupt:
        print("Stopped. Run the same command to continue.", file=sys.stderr)
        return 130
    except (CannotPrepare, OSError) as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
