"""Whatever is asked, of whatever route: an answer of a known status, soon, that repeats nothing as markup."""

import json
import time
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.views.links import queries
from tests.web.served import EVERY_FORM, app, ask, form_options
from views.registry import VIEWS
from web.forms import FORMS
from web.paths import PAGES

LONGEST_S = 15
"""No answer may take longer, on two busy cores. [s]"""

ADDRESSES = [
    *(f"/{view.name}.{form.extension}" for view, form in EVERY_FORM),
    "/",
    *(f"/{page}" for page in PAGES),
    "/deck.pptx",
    *("/data/2026-07.zip", "/data/2026-07/accelerators.csv", "/api/views", "/api/openapi.json", "/healthz"),
]
NAMES = sorted({name for view in VIEWS.values() for name in view.settings().described()} | {"size", "theme"})
VALUES = st.one_of(
    st.text(max_size=80),
    st.sampled_from(
        [
            "",
            "\0",
            "%00",
            "../../etc/passwd",
            "<script>alert(1)</script>",
            '"><img src=x onerror=alert(1)>',
            "=HYPERLINK(1)",
            "9" * 400,
            "-1",
            "1e309",
            "NaN",
            "٣",
            "2020-13",
            "\r\nSet-Cookie: a=b",
            "{{7*7}}",
            "' OR 1=1",
            "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
        ]
    ),
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


@settings(parent=few, max_examples=1500)
@given(address=st.sampled_from(ADDRESSES), query=QUERIES)
def test_no_query_breaks_any_route(*, site, address, query):
    began = time.monotonic()
    status, headers, body = ask(site, address, query=query)
    check(status, headers, body=body)
    assert time.monotonic() - began < LONGEST_S


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
@given(release=st.text(max_size=30), table=st.text(max_size=30), form=st.sampled_from(["csv", "zip"]))
def test_no_name_of_a_release_or_table_reaches_another_file(*, site, release, table, form):
    address = f"/data/{release}/{table}.csv" if form == "csv" else f"/data/{release}.zip"
    status, _, body = ask(site, address)
    assert status == 404
    assert b"root:" not in body


@settings(parent=few, max_examples=300)
@given(
    names=st.dictionaries(
        st.sampled_from(["accept-encoding", "if-none-match", "accept", "origin", "sec-fetch-mode", "range"]),
        st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60),
    ),
    address=st.sampled_from(
        ["/training-compute.csv", "/training-compute", "/api/views", "/data/2026-07.zip"]
    ),
)
def test_no_header_breaks_an_answer(*, site, names, address):
    status, _, _ = ask(site, address, **names)
    assert status in (200, 304)


@settings(parent=few, max_examples=60)
@given(
    data=st.data(),
    form=st.sampled_from([form for form in FORMS.values() if form.extension in ("csv", "json")]),
)
def test_every_sound_link_is_answered(*, site, data, form):
    view = data.draw(st.sampled_from(list(VIEWS.values())))
    query = {**data.draw(queries(view)), **data.draw(form_options(form))}
    status, headers, body = ask(
        site, f"/{view.name}.{form.extension}", query=urlencode(query, doseq=True).encode()
    )
    if status == 422:  # settings that contradict one another
        assert {error["field"] for error in json.loads(body)["errors"]} <= set(query)
    else:
        assert status == 200, body[:500]
        assert headers["etag"]
