import json
import subprocess
import sys

import pytest

from views.__main__ import main
from views.registry import VIEWS
from views.settings import definitions


def run(capsys, *arguments):
    code = main(list(arguments))
    said = capsys.readouterr()
    return code, said.out, said.err


def test_a_link_prints_its_result_as_json(capsys):
    code, out, err = run(capsys, "/fleet")
    data = json.loads(out)
    assert (code, err, data["view"], data["ignored"]) == (0, "", "fleet", [])
    assert data["link"].startswith("/fleet?release=")


def test_a_short_link_prints_what_the_long_one_prints(capsys):
    _, first, _ = run(capsys, "/training-compute?since=2020&domain=language")
    short = json.loads(first)["short_link"]
    assert run(capsys, f"https://example.org{short}") == (0, first, "")
    code, out, err = run(capsys, f"{short}x")
    assert (code, out) == (2, "")
    assert err.startswith("This short link is damaged or cut short: ")


def test_a_bad_value_ends_with_2_and_says_what_is_allowed_and_prints_nothing(capsys):
    code, out, err = run(capsys, "/training-compute?top=0&rule=best")
    assert (code, out) == (2, "")
    assert err.splitlines() == [
        "top: got '0'; allowed: a whole number from 1 to 100.",
        "rule: got 'best'; allowed: frontier, notable, records.",
    ]


def test_lenient_does_what_the_page_does(capsys):
    code, out, err = run(capsys, "--lenient", "/training-compute?top=0")
    data = json.loads(out)
    assert (code, err) == (0, "")
    assert data["settings"]["top"] == "10"
    assert data["ignored"][0]["setting"] == "top"


def test_an_unknown_view_ends_with_2_and_names_those_there_are(capsys):
    code, out, err = run(capsys, "/nothing")
    assert (code, out) == (2, "")
    assert err == f"There is no view '/nothing'; there are {', '.join(VIEWS)}.\n"


def test_without_a_link_every_view_and_setting_is_listed_with_default_and_bounds(capsys):
    code, out, _ = run(capsys)
    assert code == 0
    for path, view in VIEWS.items():
        assert f"{path}  {view.question}" in out
        for name, setting in definitions(view.settings).items():
            assert f"    {name}=" in out
            assert setting.allowed in out


@pytest.mark.parametrize("link", ["//[", "/training-compute?since=%00", "http://[::1", "/\x00", "?" * 50])
def test_a_hostile_link_is_told_and_never_a_traceback(link, capsys):
    code, out, err = run(capsys, link)
    assert code == 2 or (code == 0 and out)
    assert "Traceback" not in err


def test_a_pipe_that_closes_early_ends_it_without_a_word():
    requested = subprocess.Popen(
        [sys.executable, "-m", "views", "/claims"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert requested.stdout is not None and requested.stderr is not None
    requested.stdout.read(1)
    requested.stdout.close()
    assert requested.stderr.read() == b""
    requested.stderr.close()
    assert requested.wait(timeout=60) != 0
