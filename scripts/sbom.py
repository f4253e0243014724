"""Write the components of the app as a CycloneDX document: `python -m scripts.sbom sbom.cdx.json`; `make sbom` runs it.

Packages with versions and hashes come from requirements.txt, their licences from the installed packages, and the
third-party script that we ship from panel/browser/vendor. Equal sources and environments give equal bytes.
"""

import json
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
VENDOR = HERE / "panel" / "browser" / "vendor"


def packages() -> dict[str, Any]:
    """Return cyclonedx-py's document for the locked packages."""
    options = ["--pyproject", "pyproject.toml", "--output-reproducible", "--output-format", "JSON"]
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "cyclonedx_py", "requirements", *options, "requirements.txt"],
        cwd=HERE,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(run.stdout)


def licences(package: str) -> list[dict[str, Any]]:
    """Return the licences that an installed package declares: an SPDX expression, classifiers or text."""
    try:
        about = metadata(package)
    except PackageNotFoundError:
        return []
    if expressions := about.get_all("License-Expression"):
        return [{"expression": expressions[0]}]
    classifiers = [line.split(" :: ") for line in about.get_all("Classifier") or ()]
    names = [parts[-1] for parts in classifiers if parts[0] == "License" and parts[-1] != "OSI Approved"]
    words = [text.strip() for text in about.get_all("License") or ()]
    if not names:  # some put the whole licence text into the old field
        names = [text for text in words if text and "\n" not in text]
    return [{"license": {"name": name}} for name in names]


def shipped() -> dict[str, Any]:
    """Return the third-party script in the project, as described in the record beside it."""
    record = tomllib.loads((VENDOR / "plotly.toml").read_text(encoding="utf-8"))
    file = next(name for name in record["files"] if name.endswith(".js"))
    return {
        "bom-ref": file,
        "type": "library",
        "name": record["package"],
        "version": record["version"],
        "hashes": [{"alg": "SHA-256", "content": record["files"][file]["sha256"]}],
        "licenses": [{"license": {"id": record["licence"]}}],
    }


def document() -> dict[str, Any]:
    """Return the complete document."""
    whole = packages()
    for component in whole["components"]:
        component.pop("description", None)  # the line of the lock, which repeats hashes and version
        if declared := licences(component["name"]):
            component["licenses"] = declared
    whole["components"].append(shipped())
    return whole


def main(arguments: list[str] | None = None) -> int:
    """Write the document to a file. Return 0."""
    (file,) = sys.argv[1:] if arguments is None else arguments
    whole = document()
    Path(file).write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    print(f"{file}: {len(whole['components'])} components, CycloneDX {whole['specVersion']}.")
    unknown = [f"{one['name']} {one['version']}" for one in whole["components"] if "licenses" not in one]
    if unknown:
        print(f"No licence is known of {', '.join(unknown)}: install it here, or read its licence by hand.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
