"""Writes what the app is made of as a CycloneDX document: `python -m scripts.sbom sbom.cdx.json`; `make sbom` runs it.

Packages with versions and hashes come from requirements.txt, scripts of others that we ship from panel/browser/vendor.
The same sources give the same bytes.
"""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
VENDOR = HERE / "panel" / "browser" / "vendor"
_NAME = re.compile(r"(plotly-cartesian)-([0-9.]+)\.min\.js")


def packages() -> dict[str, Any]:
    """Return the document of the locked packages, as cyclonedx-py writes it."""
    options = ["--pyproject", "pyproject.toml", "--output-reproducible", "--output-format", "JSON"]
    said = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "cyclonedx_py", "requirements", *options, "requirements.txt"],
        cwd=HERE,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(said.stdout)


def shipped() -> list[dict[str, Any]]:
    """Return the scripts of others that lie in the project, each with its version and SHA-256."""
    found = []
    for path in sorted(VENDOR.glob("*.js")):
        name = _NAME.fullmatch(path.name)
        if name is None:
            raise ValueError(
                f"{path.name} does not say what it is and which version: name it as plotly-cartesian-4.1.1.min.js."
            )
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        found.append(
            {
                "bom-ref": path.name,
                "type": "library",
                "name": name[1],
                "version": name[2],
                "hashes": [{"alg": "SHA-256", "content": digest}],
            }
        )
    return found


def document() -> dict[str, Any]:
    """Return the whole document."""
    whole = packages()
    for component in whole["components"]:
        component.pop("description", None)  # the line of the lock, which hashes and version say already
    whole["components"] += shipped()
    return whole


def main(arguments: list[str] | None = None) -> int:
    """Write the document to the file named; return 0."""
    (file,) = sys.argv[1:] if arguments is None else arguments
    whole = document()
    Path(file).write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    print(f"{file}: {len(whole['components'])} components, CycloneDX {whole['specVersion']}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
