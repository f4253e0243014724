"""Make .venv hold what a lock names, and say in one line what to do when that cannot be.

python3 scripts/prepare.py requirements.txt [--chromium]

Standard library only, and syntax that old Pythons read, so that even those can say they are too old.
"""

import hashlib
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(HERE, ".venv")
NEEDED = (3, 11)
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_BROWSERS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)


class CannotPrepare(Exception):
    """One line for the reader: what is missing and what to do."""


def too_old(version):
    """Return the line for a Python below what is needed, or None; ``version`` is (major, minor, ...)."""
    if tuple(version[:2]) >= NEEDED:
        return None
    return (
        "Scaling Gap needs Python {}.{} or newer; this python3 is {}.{}. "
        "Install a newer one, or name it: make run PYTHON=/path/to/python3.12"
    ).format(NEEDED[0], NEEDED[1], version[0], version[1])


def without_venv(version):
    """Return the line for a Python that cannot make virtual environments."""
    return (
        "This Python {0}.{1} cannot make a virtual environment: its venv or ensurepip module is missing. "
        "On Debian or Ubuntu: sudo apt-get install python{0}.{1}-venv (or python3-venv)"
    ).format(version[0], version[1])


def venv_python(venv=VENV):
    """Return the path of the environment's interpreter."""
    return os.path.join(venv, "bin", "python")


def works(venv=VENV):
    """Return whether the environment has a Python that is new enough, and pip."""
    probe = "import sys, pip; sys.exit(sys.version_info < {!r})".format(NEEDED)
    try:
        return subprocess.call([venv_python(venv), "-c", probe], stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def make_venv(interpreter, venv=VENV):
    """Make the environment with ``interpreter``; raises CannotPrepare when it has no venv module."""
    shutil.rmtree(venv, ignore_errors=True)
    made = subprocess.call(
        [interpreter, "-m", "venv", venv], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    if made != 0 or not works(venv):
        shutil.rmtree(venv, ignore_errors=True)
        raise CannotPrepare(without_venv(sys.version_info))


def install(lock, venv=VENV):
    """Install the hashed lock unless the environment has that very lock already."""
    with open(os.path.join(HERE, lock), "rb") as file:
        wanted = hashlib.sha256(file.read()).hexdigest()
    stamp = os.path.join(venv, "installed-" + lock)
    if os.path.exists(stamp):
        with open(stamp) as file:
            if file.read() == wanted:
                return
    say("Installing {} into .venv (once; about half a minute)".format(lock))
    pip = [venv_python(venv), "-m", "pip", "--disable-pip-version-check", "--quiet"]
    run = subprocess.Popen(
        pip + ["install", "--require-hashes", "-r", os.path.join(HERE, lock)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    said = run.communicate()[0].decode("utf-8", "replace")
    if run.returncode:
        raise CannotPrepare(
            "{}\npip could not install {} (its message is above). Check the network or the package index "
            "that pip is set up with, then run the same command again.".format(said.strip(), lock)
        )
    with open(stamp, "w") as file:
        file.write(wanted)


def find_chromium(environment=None):
    """Return the path of a Chromium or Chrome that is already here, or None; CHROMIUM names one."""
    environment = os.environ if environment is None else environment
    named = environment.get("CHROMIUM")
    if named:
        path = shutil.which(named, path=environment.get("PATH"))
        if path is None:
            raise CannotPrepare(
                "CHROMIUM names {!r}, which is not a program. Give the path of Chromium or Chrome, "
                "or leave CHROMIUM unset to have one found or installed.".format(named)
            )
        return path
    for name in BROWSERS:
        path = shutil.which(name, path=environment.get("PATH"))
        if path:
            return path
    for path in MAC_BROWSERS:
        if os.path.exists(path):
            return path
    return None


def get_chromium(venv=VENV):
    """Have a Chromium for the browser tests: the system's, else apt's package, else Playwright's own."""
    if find_chromium() or playwright_has_chromium(venv):
        return
    if shutil.which("apt-get"):
        if os.geteuid() == 0:
            root = []
        elif shutil.which("sudo") and subprocess.call(["sudo", "-n", "true"], stderr=subprocess.DEVNULL) == 0:
            root = ["sudo", "-n"]
        else:
            root = None
        if root is not None:
            say("Installing the package chromium for the browser tests")
            apt = root + ["apt-get", "-qq", "-y"]
            for step in (["update"], ["install", "--no-install-recommends", "chromium"]):
                subprocess.call(apt + step, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if find_chromium():
                return
    say("Downloading Playwright's Chromium for the browser tests")
    if subprocess.call([venv_python(venv), "-m", "playwright", "install", "chromium"]):
        raise CannotPrepare(
            "No Chromium for the browser tests. Install Chromium or Chrome, or name one: "
            "CHROMIUM=/path/to/chromium make test"
        )


def playwright_has_chromium(venv=VENV):
    """Return whether Playwright's own Chromium was downloaded before."""
    probe = (
        "import os, sys; from playwright.sync_api import sync_playwright as p\n"
        "with p() as k: sys.exit(not os.path.exists(k.chromium.executable_path))"
    )
    return subprocess.call([venv_python(venv), "-c", probe], stderr=subprocess.DEVNULL) == 0


def say(line):
    """Print a line of progress at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(arguments):
    """Prepare for the lock named first; return the exit status."""
    try:
        if not arguments or arguments[0].startswith("-"):
            raise CannotPrepare("Name a lock: python3 scripts/prepare.py requirements.txt [--chromium]")
        old = too_old(sys.version_info)
        if old:
            raise CannotPrepare(old)
        if not works():
            say("Making .venv")
            make_venv(os.environ.get("PYTHON") or sys.executable)
        install(arguments[0])
        if "--chromium" in arguments:
            get_chromium()
    except CannotPrepare as problem:
        sys.stderr.write("{}\n".format(problem))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
