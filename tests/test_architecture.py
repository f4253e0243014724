"""What docs/architecture.md says of files and functions is so."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CODE = re.findall(r"`([^`]+)`", TEXT)
STOPS = sorted({text for text in CODE if re.fullmatch(r"[\w/]+\.py: \w+", text)})
PATHS = sorted(
    {
        text
        for text in CODE
        if re.fullmatch(r"(analysis|charts|data|pages|panel|tests|views|web)/[\w/.]*", text)
    }
)


@pytest.mark.parametrize("stop", STOPS)
def test_every_stop_of_a_walk_is_where_it_is_said_to_be(stop):
    path, _, name = stop.partition(": ")
    code = (ROOT / path).read_text(encoding="utf-8")
    assert re.search(rf"^(def|class) {name}\b", code, re.MULTILINE), stop


@pytest.mark.parametrize("path", PATHS)
def test_every_path_is_there(path):
    assert (ROOT / path).exists(), path


def test_every_package_of_analysis_stands_on_the_map():
    packages = [path.name for path in (ROOT / "analysis").iterdir() if (path / "__init__.py").exists()]
    single = [path.name for path in (ROOT / "analysis").glob("*.py") if not path.name.startswith("__")]
    rows = TEXT.partition("## A map of analysis")[2].partition("##")[0]
    assert [name for name in packages if f"`{name}/`" not in rows] == []
    assert [name for name in single if f"`{name}`" not in rows] == []
