import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ANALYZE = shutil.which("systemd-analyze")
UNITS = Path(__file__).resolve().parents[2] / "deploy" / "systemd"


def unit(name: str) -> configparser.ConfigParser:
    read = configparser.ConfigParser(interpolation=None)
    read.optionxform = str  # type: ignore[assignment, method-assign]
    read.read(UNITS / name, encoding="utf-8")
    return read


def test_the_timer_starts_the_service_of_its_name_which_may_write_the_data_alone():
    assert {path.stem for path in UNITS.iterdir()} == {"scaling-gap-refresh"}
    service = unit("scaling-gap-refresh.service")["Service"]
    assert service["ExecStart"].endswith("/.venv/bin/python -m data.refresh")
    assert service["ReadWritePaths"] == f"{service['WorkingDirectory']}/data"


def analyzed(*arguments: str) -> str:
    """Return what systemd-analyze says, which ends well."""
    done = subprocess.run([str(ANALYZE), *arguments], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is part of systemd")
def test_systemd_understands_every_line_of_the_units(tmp_path):
    for path in UNITS.iterdir():
        text = path.read_text(encoding="utf-8")
        here = re.sub(r"^ExecStart=\S+", f"ExecStart={sys.executable}", text, flags=re.MULTILINE)
        (tmp_path / path.name).write_text(here, encoding="utf-8")
    files = sorted(map(str, tmp_path.iterdir()))
    assert "Unknown key" not in analyzed("verify", "--man=no", *files)
    assert not [line for line in analyzed("verify", "--man=no", *files).splitlines() if str(tmp_path) in line]


@pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is part of systemd")
def test_little_is_left_to_a_refresh_that_a_file_has_taken_over():
    printed = analyzed("security", "--offline=true", str(UNITS / "scaling-gap-refresh.service"))
    (level,) = re.findall(r"Overall exposure level for \S+: ([\d.]+)", printed)
    assert float(level) < 2.5
