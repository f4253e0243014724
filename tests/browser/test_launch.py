import os
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from panel.streamlit_names import SESSIONS, STREAM
from tests.browser.conftest import outside_contacts
from tests.browser.reader import DEADLINE_S
from tests.browser.streamlit_page import APP, EXCEPTION
from tests.length import at_length
from views.registry import SITE

ROOT = Path(__file__).resolve().parent.parent.parent
UVICORN = [sys.executable, "-m", "uvicorn", "--app-dir", str(ROOT), "app:app", "--port", "{port}"]
STREAMLIT = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"), "--server.port", "{port}"]


def fetch(url, method="GET", **headers):
    request = urllib.request.Request(
        url, method=method, headers={k.replace("_", "-"): v for k, v in headers.items()}
    )
    try:
        with urllib.request.urlopen(request, timeout=DEADLINE_S) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as answer:
        return answer.code, answer.headers, answer.read()


def check_started(page, server):
    assert page.locator("h1").count() == 1
    assert page.locator(EXCEPTION).count() == 0
    assert page.title().endswith(SITE)  # though nobody came before
    assert "usage statistics" not in server.log_text()
    assert outside_contacts(server) == ""
    # The theme comes from .streamlit/config.toml, so it tells that the file was found.
    blue = page.evaluate(f"getComputedStyle(document.querySelector('{APP}')).color")
    assert blue == "rgb(26, 34, 48)"


def test_the_app_started_from_another_folder_shows_its_pages(open_page, server):
    check_started(open_page("/training-compute"), server)


@pytest.mark.parametrize(
    "command", at_length([STREAMLIT, UVICORN], few=[STREAMLIT]), ids=lambda part: part[2]
)
def test_other_ways_of_starting_have_the_same_settings(*, command, start_server, open_page, tmp_path):
    server = start_server(command=command, cwd=tmp_path, HOST="0.0.0.0")  # every interface
    check_started(open_page("/training-compute", on=server), server)


def test_a_session_from_a_foreign_page_is_refused_and_asks_nobody_outside(server):
    status, _, body = fetch(f"{server.url}{STREAM}", Origin="https://evil.example")
    assert status == 403
    assert b"own pages" in body
    assert outside_contacts(server) == ""


@pytest.mark.parametrize("path", ["/no-such-page", "/data/x", "/static/js/none.js", f"{SESSIONS}none"])
def test_an_unknown_path_is_a_real_404_before_streamlit_too(server, path):
    assert fetch(server.url + path)[0] == 404


def test_a_taken_port_ends_the_start_with_one_line(server, tmp_path):
    port = server.url.rsplit(":", 1)[1]
    taken = {**os.environ, "PORT": port, "HOST": "127.0.0.1"}
    command = [sys.executable, str(ROOT / "app.py")]
    ended = subprocess.run(
        command, cwd=tmp_path, env=taken, capture_output=True, text=True, timeout=DEADLINE_S
    )
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (1, "", 1)
    assert f"Port {port} on 127.0.0.1 is taken" in ended.stderr and "PORT=" in ended.stderr
