import io
import itertools
import zipfile

import pytest

from scripts import fuzz
from scripts.fuzz import CHECKS, requests
from views.registry import VIEWS
from views.view import read, split


def test_files_that_are_gone_are_noticed():
    failed = fuzz.fuzz(15, views=[VIEWS["/fleet"], VIEWS["/growth-gap"]], seconds=0, without=("files",))
    assert any("404" in failure for failure in failed)
    assert "answered less than 5 times" in failed[-1] and "csv 0" in failed[-1]


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
    first, again = (list(itertools.islice(requests(7, views=views), 2 * len(views))) for _ in range(2))
    assert first == again
    assert [split(link)[0] for link, _ in first] == 2 * list(VIEWS)
    assert [form for _, form in first] == [form for form in list(CHECKS)[:2] for _ in views]
    assert first[0] != next(requests(8, views=views))
    for link, _ in first:
        path, query = split(link)
        assert not read(VIEWS[path], query)[1], link
