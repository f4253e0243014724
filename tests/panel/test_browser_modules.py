"""The panel's modules, each alone: tests/panel/browser holds their tests, which node runs."""

import subprocess
import sys
from pathlib import Path

import pytest

from panel.assets import FOLDER
from scripts import prepare

TESTS = sorted((Path(__file__).parent / "browser").glob("*.test.mjs"))


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_a_module_passes_its_own_tests(path):
    node, _ = prepare.find_node(sys.prefix)
    ran = subprocess.run(
        [node, "--test", path.name], cwd=path.parent, capture_output=True, text=True, timeout=300
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "fail 0" in ran.stdout, ran.stdout


def test_every_test_is_of_a_module_and_they_are_found():
    assert len(TESTS) >= 7
    for path in TESTS:
        assert (FOLDER / path.name.replace(".test.mjs", ".js")).exists(), path.name
