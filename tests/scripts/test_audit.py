import json
import subprocess

import pytest

from scripts import audit

FAULTY = {
    "name": "setuptools",
    "version": "65.5.0",
    "vulns": [{"id": "PYSEC-2022-43012", "fix_versions": ["65.5.1"]}, {"id": "X-1", "fix_versions": []}],
}
UNKNOWN = {"name": "numpy", "skip_reason": "Dependency not found on PyPI"}


def answering(monkeypatch: pytest.MonkeyPatch, *packages: object, text: str | None = None) -> list[list[str]]:
    requested: list[list[str]] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        requested.append(command)
        printed = json.dumps({"dependencies": packages}) if text is None else text
        return subprocess.CompletedProcess(command, 0, stdout=printed, stderr="")

    monkeypatch.setattr(audit.subprocess, "run", run)
    return requested


def test_a_fault_is_named_with_the_version_that_mends_it_and_fails(monkeypatch, capsys):
    requested = answering(monkeypatch, {"name": "pip", "version": "23.2.1", "vulns": []}, FAULTY, UNKNOWN)
    assert audit.main() == 1
    printed = capsys.readouterr()
    fault = "setuptools 65.5.0:"
    faults = (f"{fault} PYSEC-2022-43012, fixed in 65.5.1", f"{fault} X-1, fixed in no version")
    assert printed.err.splitlines() == [*faults]
    assert printed.out == "2 of 3 packages of the locks are known to PyPI; open advisories: 2.\n"
    assert len(requested) == 1
    for lock in audit.LOCKS:
        assert str(audit.HERE / lock) in requested[0]
        assert (audit.HERE / lock).exists()


@pytest.mark.parametrize(("packages", "text"), [([UNKNOWN], None), ([], "Traceback"), ([], "{}")])
def test_a_database_that_knows_nothing_is_not_one_that_finds_none(*, packages, text, monkeypatch, capsys):
    requested = answering(monkeypatch, *packages, text=text)
    assert audit.main() == 0
    words = "The locks were not audited: no advisory database (PyPI, OSV) can be reached.\n"
    assert capsys.readouterr().out == words
    assert len(requested) == len(audit.SERVICES)


def test_the_question_is_one_that_pip_audit_takes():
    command = [*audit.command("osv", ["requirements.txt"])[:3], "--help"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for option in audit.command("osv", ["requirements.txt"]):
        if option.startswith("--"):
            assert option in listed
