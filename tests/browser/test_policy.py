"""What SECURITY.md says that the content security policy cannot do without, seen in a browser that does without it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.streamlit_page import APP, PANEL

SECURITY = Path(__file__).resolve().parents[2] / "SECURITY.md"
POLICY = "content-security-policy"
WATCH = """window.refused = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.refused.push([event.effectiveDirective, event.blockedURI, event.sourceFile].join(" ")));"""


@pytest.fixture
def under(new_page, server) -> Callable[..., Page]:
    """Opens an address under a policy in which one text stands for another, in a page that notes what that refuses."""

    def open_it(path: str, old: str, *, new: str) -> Page:
        page = new_page()

        def changed(route):
            answer = route.fetch()
            assert old in answer.headers[POLICY], answer.headers[POLICY]
            policy = answer.headers[POLICY].replace(old, new)
            route.fulfill(response=answer, headers={**answer.headers, POLICY: policy})

        page.route(server.url + path, changed)
        page.add_init_script(WATCH)
        page.goto(server.url + path)
        return page

    return open_it


def until_refused(page: Page, what: str) -> None:
    page.wait_for_function("what => window.refused.some((line) => line.startsWith(what))", arg=what)


def test_without_blob_the_panel_never_joins_the_session(under, guard):
    guard.expected += ["blob:", "BidiComponent"]
    page = under("/training-compute?since=2018", " blob:;", new=";")
    until_refused(page, "script-src-elem blob")
    page.wait_for_timeout(1500)
    assert page.locator(PANEL).count() == 0
    assert "**`blob:` in `script-src`.**" in SECURITY.read_text(encoding="utf-8")


def test_under_trusted_types_streamlit_draws_no_formula(under, guard):
    guard.expected += ["TrustedHTML"]
    enforced = "require-trusted-types-for 'script'; object-src"
    page = under("/methods", "object-src", new=enforced)
    until_refused(page, "require-trusted-types-for trusted-types-sink")
    page.wait_for_timeout(1000)
    refused = [line for line in page.evaluate("window.refused") if line.startswith("require-trusted")]
    assert all("/static/js/rehype-katex" in line for line in refused), refused
    assert page.locator(f"{APP} .katex").count() == 0
    assert "formulas" in SECURITY.read_text(encoding="utf-8").partition("**No Trusted Types.**")[2]
