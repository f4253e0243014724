import asyncio

import httpx2
import pytest

from tests.web.served import DEADLINE_S, HOST, app
from web import pages, panels, view_files

MANY = 200


async def ask_all(app, paths: list[str]) -> list[httpx2.Response]:
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url=HOST, timeout=DEADLINE_S) as reader:
        return await asyncio.gather(*(reader.get(path) for path in paths))


@pytest.mark.parametrize(
    ("place", "made", "path"),
    [
        (pages, "first_paint", "/training-compute?level=80"),
        (panels, "answer_of", "/training-compute.panel.json?level=80"),
        (view_files, "answer", "/training-compute.pptx?level=80"),
    ],
)
def test_two_hundred_readers_of_one_page_or_file_cost_one_making(*, monkeypatch, place, made, path):
    times, make = [], getattr(place, made)
    monkeypatch.setattr(place, made, lambda *what, **how: times.append(1) or make(*what, **how))
    got = asyncio.run(ask_all(app(), [path] * MANY))
    assert {one.status_code for one in got} == {200}
    assert len({one.content for one in got}) == len(times) == 1
