"""Holds every package of the locks against the advisory databases: `python -m scripts.audit`; `make check` runs it.

Where no database can be reached it says so in one line and passes: a fault is not hidden, it is not known.
"""

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
LOCKS = ("requirements.txt", "requirements-mcp.txt", "requirements-dev.txt", "requirements-pip.txt")
SERVICES = {"pypi": "PyPI", "osv": "OSV"}
PATIENCE_S = 120.0


@dataclass(frozen=True, kw_only=True)
class Audit:
    """What a database says of packages: how many it knows, and the faults of those, a line each."""

    known: int
    of: int
    faults: tuple[str, ...]


def read(report: Mapping[str, Any]) -> Audit:
    """Return what a report of pip-audit says."""
    packages = report["dependencies"]
    known = [one for one in packages if "skip_reason" not in one]
    faults = sorted({_line(one, fault) for one in known for fault in one["vulns"]})
    return Audit(known=len(known), of=len(packages), faults=tuple(faults))


def _line(package: Mapping[str, Any], fault: Mapping[str, Any]) -> str:
    fixed = ", ".join(fault["fix_versions"]) or "no version"
    return f"{package['name']} {package['version']}: {fault['id']}, fixed in {fixed}"


def command(service: str, locks: Iterable[str]) -> list[str]:
    """Return how pip-audit is asked; hashed locks name every package, so nothing is installed or resolved."""
    options = ["--disable-pip", "--require-hashes", "--progress-spinner", "off", "--timeout", "10"]
    options += ["--format", "json", "--vulnerability-service", service]
    files = [part for lock in locks for part in ("-r", str(HERE / lock))]
    return [sys.executable, "-m", "pip_audit", *options, *files]


def ask(service: str) -> Audit | None:
    """Return what a database says of the locks; None where it cannot be reached."""
    try:
        run = subprocess.run(
            command(service, LOCKS), capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
        audit = read(json.loads(run.stdout))
    except (OSError, subprocess.TimeoutExpired, ValueError, LookupError):
        return None
    return audit if audit.known else None


def main(services: Sequence[str] = tuple(SERVICES)) -> int:
    """Print what is known of the packages; return 1 where a fault is."""
    for service in services:
        audit = ask(service)
        if audit is None:
            continue
        for fault in audit.faults:
            print(fault, file=sys.stderr)
        known = f"{audit.known} of {audit.of} packages of the locks are known to {SERVICES[service]}"
        print(f"{known}; open advisories: {len(audit.faults)}.")
        return 1 if audit.faults else 0
    print(
        f"The locks were not audited: no advisory database ({', '.join(SERVICES.values())}) can be reached."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
