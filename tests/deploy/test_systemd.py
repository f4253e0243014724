"""The example units: a timer and the service it starts."""

import configparser
from pathlib import Path

UNITS = Path(__file__).resolve().parents[2] / "deploy" / "systemd"


def unit(name: str) -> configparser.ConfigParser:
    read = configparser.ConfigParser(interpolation=None)
    read.optionxform = str  # type: ignore[assignment, method-assign]
    read.read(UNITS / name, encoding="utf-8")
    return read


def test_the_timer_starts_the_service_of_its_name_which_runs_the_command():
    assert {path.name for path in UNITS.iterdir()} == {
        "scaling-gap-refresh.service",
        "scaling-gap-refresh.timer",
    }
    assert unit("scaling-gap-refresh.timer")["Timer"]["OnCalendar"]
    service = unit("scaling-gap-refresh.service")["Service"]
    assert service["ExecStart"].endswith("/.venv/bin/python -m data.refresh")
    assert service["Type"] == "oneshot"


def test_the_service_may_write_the_data_alone():
    service = unit("scaling-gap-refresh.service")["Service"]
    assert service["ProtectSystem"] == "strict"
    assert service["ReadWritePaths"] == f"{service['WorkingDirectory']}/data"
    assert service["NoNewPrivileges"] == "yes"
