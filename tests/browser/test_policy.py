"""What SECURITY.md says that the content security policy cannot do without, seen in a browser that does without it."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.streamlit_page import APP, PANEL

SECURITY = Path(__file__).resolve().parents[2] / "SECURITY.md"
CHANGED = """
import runpy, sys
import web.middleware as middleware
policy, old, new = middleware.content_security_policy, *sys.argv[1:]
def changed(*given, **named):
    whole = policy(*given, **named)
    assert old in whole, whole
    return whole.replace(old, new)
middleware.content_security_policy = changed
runpy.run_path("app.py", run_name="__main__")
"""
"""The app under a policy in which one text stands for another."""
WATCH = """window.refused = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.refused.push([event.effectiveDirective, event.blockedURI, event.sourceFile].join(" ")));"""


@pytest.fixture
def watched(new_page: Callable[..., Page]) -> Page:
    """A page that notes what its policy refuses."""
    page = new_page()
    page.add_init_script(WATCH)
    return page


def under(start_server: Callable[..., Any], old: str, *, new: str) -> str:
    """Return the address of the app under a changed policy."""
    return start_server(command=[sys.executable, "-c", CHANGED, old, new]).url


def until_refused(page: Page, what: str) -> None:
    page.wait_for_function("what => window.refused.some((line) => line.startsWith(what))", arg=what)


def test_without_blob_the_panel_never_joins_the_session(*, server, start_server, watched, drawn, guard):
    watched.goto(f"{server.url}/training-compute?since=2018")
    drawn(watched)
    assert watched.locator(PANEL).count() == 1
    assert not [line for line in watched.evaluate("window.refused") if line.startswith("script-src-elem")]

    guard.expected += ["blob:", "BidiComponent"]
    watched.goto(f"{under(start_server, ' blob:;', new=';')}/training-compute?since=2018")
    until_refused(watched, "script-src-elem blob")
    watched.wait_for_timeout(3000)
    assert watched.locator(PANEL).count() == 0
    assert "**`blob:` in `script-src`.**" in SECURITY.read_text(encoding="utf-8")


def test_under_trusted_types_streamlit_draws_no_formula(*, server, start_server, watched, guard):
    watched.goto(f"{server.url}/methods")
    watched.locator(f"{APP} .katex").first.wait_for(state="attached")

    guard.expected += ["TrustedHTML"]
    enforced = "require-trusted-types-for 'script'; object-src"
    watched.goto(f"{under(start_server, 'object-src', new=enforced)}/methods")
    until_refused(watched, "require-trusted-types-for trusted-types-sink")
    watched.wait_for_timeout(1000)
    refused = [line for line in watched.evaluate("window.refused") if line.startswith("require-trusted")]
    assert all("/static/js/rehype-katex" in line for line in refused), refused
    assert watched.locator(f"{APP} .katex").count() == 0
    assert "formulas" in SECURITY.read_text(encoding="utf-8").partition("**No Trusted Types.**")[2]
