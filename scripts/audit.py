"""Check every package in the lock files against advisory databases: `python -m scripts.audit`; `make check` runs it.

If no database can be reached, it reports that in one line and passes, as no fault is known.
"""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
LOCKS = ("requirements.txt", "requirements-mcp.txt", "requirements-dev.txt", "requirements-pip.txt")
SERVICES = {"pypi": "PyPI", "osv": "OSV"}
PATIENCE_S = 120.0


def command(service: str, locks: Iterable[str]) -> list[str]:
    """Return the command that runs pip-audit. Hashed locks list every package, so nothing is installed."""
    options = ["--disable-pip", "--require-hashes", "--progress-spinner", "off", "--timeout", "10"]
    options += ["--format", "json", "--vulnerability-service", service]
    files = [part for lock in locks for part in ("-r", str(HERE / lock))]
    return [sys.executable, "-m", "pip_audit", *options, *files]


def ask(service: str) -> list[dict[str, Any]]:
    """Return a database's entry for each package in the lock files. Empty if the database is unreachable."""
    try:
        run = subprocess.run(
            command(service, LOCKS), capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
        packages = json.loads(run.stdout)["dependencies"]
    except (OSError, subprocess.TimeoutExpired, ValueError, LookupError):
        return []
    return packages if any("vulns" in package for package in packages) else []


def main() -> int:
    """Print the entries of the first database that responds. Return 1 if a vulnerability is known."""
    answers = ((name, ask(service)) for service, name in SERVICES.items())
    name, packages = next(((name, packages) for name, packages in answers if packages), ("", []))
    if not packages:
        print(
            f"The locks were not audited: no advisory database ({', '.join(SERVICES.values())}) can be reached."
        )
        return 0
    known = [package for package in packages if "vulns" in package]
    faults = {
        f"{package['name']} {package['version']}: {fault['id']}, "
        f"fixed in {', '.join(fault['fix_versions']) or 'no version'}"
        for package in known
        for fault in package["vulns"]
    }
    for fault in sorted(faults):
        print(fault, file=sys.stderr)
    print(
        f"{len(known)} of {len(packages)} packages of the locks are known to {name}; open advisories: {len(faults)}."
    )
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
