"""Valid links at the edge have every form, and odd exports an answer: once here, for long by make fuzz."""

import io
import zipfile

import pytest

from scripts import fuzz
from scripts.fuzz import CHECKS, OWN, links
from tests.length import only_at_length
from views.registry import VIEWS
from views.view import read, split

SEED = 15
FEW = [VIEWS["/fleet"], VIEWS["/growth-gap"]]


def test_valid_links_at_the_edge_have_every_form_and_odd_exports_an_answer(monkeypatch):
    monkeypatch.setattr(fuzz, "PATIENCE", 300.0)  # until each form was asked for once
    printed: list[str] = []
    assert fuzz.fuzz(SEED, views=FEW, seconds=1, least=1, say=printed.append) == [], "\n".join(printed)
    assert "links of seed 15" in printed[0]
    assert f"{OWN} " in printed[2] and "unknown setting " in printed[2]


@only_at_length
def test_files_that_are_gone_are_noticed(monkeypatch):
    monkeypatch.setattr(fuzz, "PATIENCE", 1.0)
    failed = fuzz.fuzz(SEED, views=FEW, seconds=3, without=("files",), say=lambda _text: None)
    assert any("404" in failure for failure in failed)
    assert "asked for less than 5 times" in failed[-1] and "csv 0" in failed[-1]


def damaged_slide():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as slide:
        slide.writestr("a.xml", "content")
    return file.getvalue().replace(b"content", b"context")


@pytest.mark.parametrize(
    ("form", "body", "message"),
    [
        ("json", b'{"value": NaN}', "NaN is no JSON"),
        ("share", b"[1", "delimiter"),
        ("csv", b"a,b\r\n1,2,3\r\n", "a row has 3 cells under 2 columns"),
        ("png", b"", "it begins b''"),
        ("bib", b"<html>", "it begins b'<html>'"),
        ("svg", b"<svg>", "no element found"),
        ("pptx", damaged_slide(), "a.xml"),
        ("page", b"<h1>A headline</h1>", "the page has no headline or no chart"),
    ],
)
def test_an_answer_of_the_wrong_kind_is_refused(*, form, body, message):
    with pytest.raises(Exception, match=message):
        CHECKS[form](body)


def test_a_seed_draws_the_same_valid_links_of_every_view():
    views = list(VIEWS.values())
    first, again = (
        [link for link, _ in zip(links(7, views=views), range(40), strict=False)] for _ in range(2)
    )
    assert first == again
    assert {split(link)[0] for link in first} == set(VIEWS)
    assert first[0] != next(links(8, views=views))
    for link in first:
        path, query = split(link)
        assert not read(VIEWS[path], query)[1], link
