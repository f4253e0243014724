"""Renew the hashed locks from pyproject.toml; `make lock` runs it.

The locks hold for Python 3.11 and newer on Linux and macOS, x86-64 and arm64, and name no host.
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
COMPILE = [
    sys.executable,
    *("-m", "uv", "pip", "compile", "pyproject.toml", "--quiet", "--upgrade"),
    *("--universal", "--python-version", "3.11", "--generate-hashes"),
    *("--no-emit-index-url", "--no-emit-find-links", "--custom-compile-command", "make lock"),
]

PIP = b"pip>=26.3"
"""What installs the rest: a Python brings the pip of its own day."""


def main() -> None:
    """Write the locks; the others take their versions from the largest."""
    largest = "requirements-bench.txt"
    others = {
        "requirements-dev.txt": ["--extra", "dev"],
        "requirements-mcp.txt": ["--extra", "mcp"],
        "requirements.txt": [],
    }
    subprocess.run(
        [*COMPILE, "--extra", "dev", "--extra", "bench", "--output-file", largest], cwd=HERE, check=True
    )
    for lock, extras in others.items():
        subprocess.run(
            [*COMPILE, *extras, "--constraint", largest, "--output-file", lock], cwd=HERE, check=True
        )
        print(f"Wrote {lock}.")
    pip = [part for part in COMPILE if part != "pyproject.toml"]
    subprocess.run(
        [*pip, "-", "--constraint", largest, "--output-file", "requirements-pip.txt"],
        cwd=HERE,
        check=True,
        input=PIP,
    )
    print("Wrote requirements-pip.txt.")
    print(f"Wrote {largest}.")


if __name__ == "__main__":
    main()
