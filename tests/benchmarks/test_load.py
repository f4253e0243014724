import asyncio
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks import clients, load
from benchmarks.browser import PATH, YEARS
from views.registry import VIEWS
from views.view import read


def test_sessions_change_the_page_they_opened_and_every_change_is_counted(ours, monkeypatch):
    opened, requested = [], []

    class WatchedSession(clients.Session):
        async def run(self, page=None):
            await super().run(page)
            opened.append((page, bool(self.script)))

    def watched(url, path, **options):
        answer = clients.fetch(url, path, **options)
        requested.append((path, len(answer.body)))
        return answer

    monkeypatch.setattr(load, "Session", WatchedSession)
    monkeypatch.setattr(load, "fetch", watched)
    took = asyncio.run(load.change_controls(ours, sessions=2, every_s=0.5, seconds=2))
    assert opened == [(PATH, True)] * 2
    assert len(took) == len(requested) >= 2
    known = {f"{PATH}.panel.json?since={year}&part=finding" for year in YEARS}
    assert {path for path, _ in requested} <= known
    assert all(length > 2000 for _, length in requested) and all(wait > 0 for wait in took)
    monkeypatch.setattr(load, "fetch", lambda *_, **__: SimpleNamespace(status=404))
    with pytest.raises(RuntimeError, match=r"part=finding: got 404; expected 200"):
        asyncio.run(load.change_controls(ours, sessions=1, every_s=0.1, seconds=1))


def test_a_session_without_an_answer_is_not_left_out_of_the_count():
    class Silent:
        async def send(self, message):
            pass

        async def recv(self, decode):
            await asyncio.sleep(10)

    silent: Any = Silent()
    with pytest.raises(TimeoutError, match=r"got no answer within 0\.05 s; take fewer sessions, or see"):
        asyncio.run(clients.Session(silent, url="", patience_s=0.05).run(""))


def test_new_choices_are_never_made_twice_and_all_can_be_used():
    made = list(islice(load.new_choices(0), 2 * load.SECONDS * sum(load.NEW_SESSIONS)))
    assert len(set(made)) == len(made)
    assert next(load.new_choices(3)) == made[3]
    assert not any(read(VIEWS[PATH], choice)[1] for choice in made)
