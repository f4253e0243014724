import asyncio
import itertools

import httpx2
import pytest

from tests.length import at_length
from tests.web.served import DAY, DEADLINE_S, HOST, app, files_only
from views.registry import VIEWS
from views.settings import definitions, parse
from views.view import answer, read
from web import pages, panels, view_files
from web.forms import FORMS, Order

MANY = 200
SHARE = at_length(dict(png=4, svg=6, pptx=10, csv=90, json=90), few=dict(png=2, svg=3, pptx=3, csv=9, json=9))
"""How many of the different files are of which form."""


def addresses() -> list[str]:
    """Return the different files."""
    result = []
    for extension, count in SHARE.items():
        queries = (
            f"/accelerators.{extension}?interval=classical&metric={metric}&level={level}&to={to}"
            for to, metric, level in itertools.product(
                range(2028, 2041), ("memory-bandwidth", "memory-capacity", "power", "fp16"), (50, 80, 90, 95)
            )
        )
        size = "&size=print" if extension in ("png", "svg") else ""
        result += [f"{query}{size}" for query in itertools.islice(queries, count)]
    return result


def made_alone(address: str) -> bytes:
    """Return the file as one thread makes it, without the web."""
    path, _, query = address.partition("?")
    stem, _, extension = path.rpartition(".")
    form, view = FORMS[extension], VIEWS[stem]
    given = {name: [value] for name, value in (pair.split("=") for pair in query.split("&"))}
    own = {name: given.pop(name) for name in list(given) if name in definitions(form.options)}
    settings, ignored = read(view, given)
    assert not ignored
    options, _ = parse(form.options, own)
    return form.write(Order(result=answer(view, settings), options=options, origin=HOST, today=DAY))


async def ask_all(app, paths: list[str]) -> list[httpx2.Response]:
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url=HOST, timeout=DEADLINE_S) as reader:
        return await asyncio.gather(*(reader.get(path) for path in paths))


def test_many_different_files_at_once_are_each_the_right_one():
    paths = addresses()
    assert len(set(paths)) == sum(SHARE.values())
    got = asyncio.run(ask_all(files_only(), paths))
    assert {one.status_code for one in got} == {200}
    for path, one in zip(paths, got, strict=True):
        assert one.content == made_alone(path), path


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
