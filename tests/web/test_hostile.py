import json
import time
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.attack_requests import VALUES as HOSTILE
from panel import assets
from panel.answer import PanelSettings
from panel.menu import PAGES
from tests.web.document import Document, inside
from tests.web.served import EVERY_FORM, app, ask
from views.registry import VIEWS
from views.settings import definitions
from views.view import SHORT

LONGEST_S = 15
"""No answer may take more of the processors, however busy the machine is. [s]"""

PANELS = [f"/{view.name}.panel.json" for view in VIEWS.values()]
ADDRESSES = [
    *(f"/{view.name}.{form.extension}" for view, form in EVERY_FORM),
    *PANELS,
    *(assets.address("boot.js"), "/assets/vendor/nothing.js"),
    "/",
    *(f"/{page}" for page in PAGES),
    "/deck.pptx",
    f"{SHORT}nothing",
    *("/data/2026-07.zip", "/data/2026-07/accelerators.csv", "/api/views", "/api/openapi.json", "/healthz"),
]
OWN_NAMES = {"size", "theme", "embed", *definitions(PanelSettings)}
NAMES = sorted({name for view in VIEWS.values() for name in view.settings().described()} | OWN_NAMES)
VALUES = st.one_of(
    st.text(max_size=80),
    st.sampled_from([*HOSTILE, "%00", "\ud800".encode("utf-8", "surrogatepass").decode("latin-1")]),
)
PAIRS = st.lists(st.tuples(st.one_of(st.sampled_from(NAMES), st.text(max_size=30)), VALUES), max_size=6)
QUERIES = st.one_of(
    st.binary(max_size=200),
    PAIRS.map(lambda pairs: urlencode(pairs).encode()),
    st.integers(100, 12_000).map(lambda length: b"find=" + b"a" * length),
    st.integers(10, 2000).map(lambda count: b"&".join([b"x=1"] * count)),
)
few = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(scope="module")
def site():
    return app()


def check(status: int, headers: dict[str, str], *, body: bytes) -> None:
    assert status in (200, 404, 405, 414, 422), (status, body[:500])
    assert "content-security-policy" in headers
    assert headers["x-content-type-options"] == "nosniff"
    assert "set-cookie" not in headers
    if status != 200:
        assert headers["content-type"] == "application/problem+json"
        problem = json.loads(body)
        assert problem["status"] == status
        assert len(body) < 10_000
    if headers["content-type"].startswith("text/html"):
        assert b"<script>alert" not in body
        assert b"<img src=x" not in body
        if "content-disposition" not in headers:  # a page, not one saved as a file
            check_document(Document(body.decode()))


def check_document(document: Document) -> None:
    """Check that nothing of a link runs or leads out of a document, and that its data are whole."""
    assert not document.foreign()
    streamlit, boot, *own = document.scripts
    assert [streamlit.get("src", ""), boot.get("src")] == ["", assets.address("boot.js")]
    there = bool(document.root.xpath("//*[@id='first-answer']"))
    assert [script.text for script in own] == [assets.text_of(assets.TAPPED)] * there
    assert not document.root.xpath("//img | //iframe | //object | //embed | //base")
    if there:
        assert document.answer["path"] == document.one("//article").get("data-path")


def check_answer(answer: dict[str, Any]) -> None:
    """Check that what a page puts into itself of an answer holds no markup from a link."""
    shown = [answer.get(name, "") for name in ("page", "leads", "html")]
    for html in filter(None, [*shown, *answer.get("parts", {}).values()]):
        root = inside(html)
        assert not root.xpath(".//script | .//img | .//iframe | .//object | .//base | .//style"), html
        assert not [name for one in root.iter("*") for name in one.attrib if name.startswith("on")], html


@settings(parent=few, max_examples=1500)
@given(address=st.sampled_from(ADDRESSES), query=QUERIES)
def test_no_query_breaks_any_route(*, site, address, query):
    began = time.process_time()
    status, headers, body = ask(site, address, query=query)
    check(status, headers, body=body)
    assert time.process_time() - began < LONGEST_S
    if address in PANELS and status == 200:
        check_answer(json.loads(body))


@settings(parent=few, max_examples=800)
@given(path=st.text(max_size=60), query=QUERIES, method=st.sampled_from(["GET", "HEAD", "POST", "TRACE"]))
def test_no_path_breaks_the_house(*, site, path, query, method):
    address = f"/{path}"
    status, headers, body = ask(site, address, query=query, method=method)
    if status == 200 or address.startswith(("/static", "/_stcore", "/media", "/component")):
        return
    check(status, headers, body=body or b"{}") if method != "HEAD" else None
    assert status in (404, 405, 414, 422)


@settings(parent=few, max_examples=300)
@given(
    names=st.dictionaries(
        st.sampled_from(["accept-encoding", "if-none-match", "accept", "origin", "sec-fetch-mode", "range"]),
        st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60),
    ),
    address=st.sampled_from(
        [
            *("/training-compute.csv", "/training-compute", "/api/views", "/data/2026-07.zip"),
            *("/training-compute.panel.json", assets.address("boot.js"), "/training-compute?embed=true"),
        ]
    ),
)
def test_no_header_breaks_an_answer(*, site, names, address):
    path, _, query = address.partition("?")
    status, _, _ = ask(site, path, query=query.encode(), **names)
    assert status in (200, 304)
