"""The one foreign file of the panel is what its record says, and draws as the Python package describes."""

import hashlib
import re
import tomllib
from pathlib import Path

import plotly

from panel.assets import FOLDER, PLOTLY

VENDOR = FOLDER / "vendor"
RECORD = tomllib.loads((VENDOR / "plotly.toml").read_text("utf-8"))


def stated_version(script: Path) -> str:
    """Return the version that the first comment of a plotly.js names."""
    with script.open(encoding="utf-8") as lines:
        head = "".join(next(lines) for _ in range(3))
    named = re.search(r"plotly\.js (?:\([^)]*\) )?v(\S+)", head)
    assert named, head
    return named[1]


def test_every_foreign_file_is_the_one_on_record():
    there = {path.name for path in VENDOR.iterdir()} - {"plotly.toml"}
    assert there == set(RECORD["files"])
    for name, entry in RECORD["files"].items():
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == entry["sha256"], name


def test_the_record_names_the_package_so_that_it_can_be_fetched_again():
    assert RECORD["package"] == "plotly.js-cartesian-dist-min"
    assert re.fullmatch(r"sha512-[A-Za-z0-9+/]{86}==", RECORD["integrity"])
    assert "MIT" in (VENDOR / "plotly-LICENSE.txt").read_text("utf-8")


def test_page_and_python_package_have_the_same_plotly_js():
    bundled = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    assert stated_version(FOLDER / PLOTLY) == stated_version(bundled) == RECORD["version"]
    assert f"-{RECORD['version']}." in PLOTLY, "the file's address must change with its version"
