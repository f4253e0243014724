"""The load benchmark waits for what a reader would wait for."""

import asyncio
from typing import Any

import pytest

from benchmarks import load
from benchmarks.browser import PATH, YEARS
from benchmarks.servers import serving


def test_sessions_change_the_page_they_opened_and_every_change_is_counted(tmp_path, monkeypatch):
    asked = []

    class Watched(load.Session):
        async def run(self, since=""):
            await super().run(since)
            asked.append((since, bool(self.script), self.control.endswith("-since")))

    monkeypatch.setattr(load, "Session", Watched)
    with serving("ours", folder=tmp_path) as url:
        took = asyncio.run(load.waits([url], page=PATH, sessions=2, every_s=0.5, seconds=2))
    opened, changed = asked[:2], asked[2:]
    assert opened == [("", True, True)] * 2
    assert len(took) == len(changed) >= 2
    assert {since for since, *_ in changed} <= set(YEARS) and all(wait > 0 for wait in took)


def test_a_session_without_an_answer_is_not_left_out_of_the_count(monkeypatch):
    class Silent:
        async def send(self, message):
            pass

        async def recv(self, decode):
            await asyncio.sleep(10)

    silent: Any = Silent()
    monkeypatch.setattr(load, "LATEST_S", 0.05)
    with pytest.raises(TimeoutError, match=r"got no answer within 0\.05 s; take fewer sessions, or see"):
        asyncio.run(load.Session(silent, page="").run())
