import asyncio
import base64
import json
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import httpx2
import pytest

from tests.web.served import DEADLINE_S, app, client, on_loopback
from views.compute_pool import Abandoned, check_cancelled
from views.registry import VIEWS
from views.result import as_json
from views.view import answer, read
from web import model_context
from web.renderings import Busy, Renderings


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """Give the address of our routes, served with MCP=on."""
    with on_loopback(app(MCP="on")) as url:
        yield url


def asking(site: str, ask: Callable[[Any], Awaitable[Any]]) -> Any:
    from mcp import Client  # takes seconds to import

    async def session() -> Any:
        async with Client(f"{site}/mcp") as reader:
            return await ask(reader)

    return asyncio.run(session())


def call(site: str, tool: str, **arguments: Any) -> Any:
    return asking(site, lambda reader: reader.call_tool(tool, arguments))


def test_the_tools_only_read_and_say_what_they_do(site: str):
    listed = asking(site, lambda reader: reader.list_tools()).tools
    assert {tool.name for tool in listed} == {"list_views", "settings_of", "answer_view", "answer_link"}
    reply = call(site, "list_views").structured_content
    assert [one["view"] for one in reply["views"]] == list(VIEWS)
    assert reply["newest_release"] == reply["releases"][-1]
    reply = call(site, "settings_of", view="/growth-gap").structured_content
    since = VIEWS["/growth-gap"].settings().described()["since"]
    assert str(reply["properties"]["since"]["default"]) == since
    for tool in listed:
        assert tool.annotations.read_only_hint
        assert tool.description


def test_a_view_is_answered_with_figures_intervals_and_the_frozen_link(site: str):
    settings, _ = read(VIEWS["/growth-gap"], "since=2018")
    result = answer(VIEWS["/growth-gap"], settings)
    reply = call(site, "answer_view", view="/growth-gap", settings={"since": "2018"}).structured_content
    assert reply["headline"] == result.headline
    assert reply["link"] == f"{site}{result.link}"
    ends = [[one[name] for name in ("value", "low", "high")] for one in as_json(result)["figures"]]
    assert [[one[name] for name in ("value", "low", "high")] for one in reply["figures"]] == ends
    assert f"{site}{result.short_link}" in reply["citation"]
    assert reply["settings"]["since"] == "2018"
    assert httpx2.get(reply["table"], timeout=DEADLINE_S).status_code == 200


def test_the_same_is_answered_by_its_link_long_and_short_with_its_picture(site: str):
    by_view = call(site, "answer_view", view="/accelerators").structured_content
    for link in (by_view["link"], by_view["short_link"]):
        reply = call(site, "answer_link", link=link, picture=True)
        assert reply.structured_content == by_view
        assert json.loads(reply.content[0].text) == by_view
        assert reply.content[1].mime_type == "image/png"
        assert base64.b64decode(reply.content[1].data).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("answer_view", {"view": "/nowhere"}, "There is no view '/nowhere'; there are /, "),
        ("answer_view", {"view": "/growth-gap", "settings": {"since": "soon"}}, "since: got 'soon'; allowed: "),
        ("answer_link", {"link": "/v/000"}, "This short link is damaged"),
        ("answer_link", {"link": "/data?find=" + "x" * 9000}, "at most 8,192 characters here; got 9,011."),
        ("settings_of", {"view": "growth"}, "There is no view 'growth'; there are /, "),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_told_with_what_is_allowed(*, site, tool, arguments: dict[str, Any], words):
    reply = call(site, tool, **arguments)
    assert reply.is_error
    assert words in reply.content[0].text


def test_a_busy_server_says_when_to_come_back(site: str, monkeypatch: pytest.MonkeyPatch):
    async def busy(*_: Any, **__: Any) -> bytes:
        raise Busy("The server is busy.", retry_after_s=7)

    monkeypatch.setattr(Renderings, "get", busy)
    reply = call(site, "answer_view", view="/growth-gap")
    assert reply.is_error
    assert "The server is busy. Try again in 7 s." in reply.content[0].text


def test_a_message_is_bounded_and_only_posted(site: str):
    large = httpx2.post(
        f"{site}/mcp",
        content=b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"' + b"x" * 70_000 + b'"}}',
        headers={"Content-Type": "application/json", "Accept": "application/json, text/event-stream"},
    )
    assert large.status_code == 413
    got = httpx2.get(f"{site}/mcp")
    assert (got.status_code, got.headers["allow"]) == (405, "POST")
    assert "by POST" in got.text


def half_open(site: str, body: bytes, *, length: int) -> socket.socket:
    """Return the connection of one who has posted this much of a message."""
    port = int(site.rpartition(":")[2])
    reader = socket.create_connection(("127.0.0.1", port), timeout=10)
    head = (
        f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        f"Accept: application/json, text/event-stream\r\nContent-Length: {length}\r\n\r\n"
    )
    reader.sendall(head.encode() + body)
    return reader


def test_whoever_hangs_up_in_the_middle_of_a_message_is_no_fault_in_the_log(site: str, caplog: Any):
    for _ in range(5):
        half_open(site, b'{"json', length=200).close()
    assert asking(site, lambda reader: reader.list_tools()).tools
    time.sleep(0.5)
    assert not caplog.records


def test_what_nobody_waits_for_any_more_ends_at_its_next_step(site: str, monkeypatch: pytest.MonkeyPatch):
    began, ended = threading.Event(), threading.Event()

    def slow(*_: Any) -> Any:
        began.set()
        try:
            for _step in range(3000):
                check_cancelled()
                time.sleep(0.01)
        except Abandoned:
            ended.set()
            raise

    monkeypatch.setattr(model_context, "answer", slow)
    params = {"name": "answer_view", "arguments": {"view": "/growth-gap", "settings": {"since": "2013"}}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    reader = half_open(site, body, length=len(body))
    assert began.wait(20)
    reader.close()
    assert ended.wait(10)


def test_a_page_of_another_site_cannot_ask(site: str):
    answer = httpx2.post(f"{site}/mcp", content=b"{}", headers={"Origin": "https://elsewhere.example"})
    assert answer.status_code == 403


def test_it_is_off_unless_it_is_switched_on():
    with client() as reader:
        assert reader.post("/mcp", content=b"{}").status_code == 404


def test_without_its_package_the_start_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    model_context.needed()
    monkeypatch.setattr(model_context, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"MCP=on needs the package mcp.*requirements-mcp\.txt"):
        model_context.needed()
