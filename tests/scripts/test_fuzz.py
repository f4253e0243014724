"""Valid links at the edge have every form and every exhibit: for a minute here, for longer by make fuzz."""

import pytest

from scripts import fuzz
from scripts.fuzz import Failure, drawn, failures, links, main
from views.registry import VIEWS
from views.view import read, split

SECONDS = 60.0
SEED = 15


def test_valid_links_at_the_edge_have_every_form_and_exhibit():
    said: list[str] = []
    failed = fuzz.fuzz(SEED, views=list(VIEWS.values()), seconds=SECONDS, say=said.append)
    assert not failed, "\n".join(said)


def test_a_seed_draws_the_same_valid_links_of_every_view():
    views = list(VIEWS.values())
    first, again = (
        [link for link, _ in zip(links(7, views=views), range(40), strict=False)] for _ in range(2)
    )
    assert first == again
    assert {split(link)[0] for link in first} == set(VIEWS)
    for link in first:
        path, query = split(link)
        assert not read(VIEWS[path], query)[1], link


def test_another_seed_draws_other_links():
    views = [VIEWS["/placement"]]
    assert next(links(1, views=views)) != next(links(2, views=views))


def test_bounds_and_windows_without_a_year_are_drawn():
    import random

    draw = random.Random(3)
    queries = [drawn(VIEWS["/training-compute"], draw) for _ in range(300)]
    windows = [(query["since"], query["until"]) for query in queries if query.keys() >= {"since", "until"}]
    assert any(first > last for first, last in windows)
    assert any(first == last for first, last in windows)


def test_what_fails_is_named_with_its_link_and_step(monkeypatch):
    def broken(_chart):
        raise ValueError("no ticks")

    monkeypatch.setattr(fuzz, "svg", broken)
    found = failures("/fleet")
    assert (
        Failure(link="/fleet", step="exhibit 1, drawing of the page", error="ValueError: no ticks") in found
    )
    assert str(found[0]) == "/fleet\n    exhibit 1, drawing of the page: ValueError: no ticks"


def test_one_link_is_asked_alone_and_tells_how_it_fails(monkeypatch, capsys):
    assert main(["--link", "/fleet"]) == 0
    assert capsys.readouterr().out == "nothing fails\n"
    monkeypatch.setattr(fuzz, "svg", lambda chart: "")
    assert main(["--link", "/fleet"]) == 1
    said = capsys.readouterr()
    assert "AssertionError: it is no SVG" in said.out
    assert "Traceback" in said.err


def test_an_invalid_link_is_refused():
    with pytest.raises(
        ValueError, match=r"^/fleet\?since=x is no valid link: since=x was ignored; allowed: "
    ):
        failures("/fleet?since=x")


def test_an_unknown_view_is_refused_with_those_there_are(capsys):
    with pytest.raises(SystemExit):
        main(["--views", "nothing"])
    assert "there is no view nothing; there are overview, story," in capsys.readouterr().err
