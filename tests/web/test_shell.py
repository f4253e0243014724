import re
from functools import partial

import pytest

from panel.assets import PLOTLY, address
from panel.streamlit_names import ROOT
from tests.web.document import Document
from tests.web.served import index_html, static_folder
from web.shell import Shell

TAGS = "<title>Ours</title>\n"


@pytest.fixture(scope="module")
def shell():
    return Shell.of(index_html())


def test_every_file_of_streamlits_own_document_is_found_and_exists(shell):
    listed = re.findall(r'(?:src|href)="\.(/static/[^"]+)"', index_html())
    assert len(listed) > 20
    assert {shell.main, shell.font, *shell.scripts, *shell.styles} == set(listed)
    for name in listed:
        assert (static_folder() / name.removeprefix("/")).is_file()
    assert shell.main.endswith(".js") and shell.font.endswith(".woff2")
    assert len(shell.scripts) == index_html().count('rel="modulepreload"')


def test_of_streamlits_head_nothing_is_fetched_and_nothing_is_said_twice(shell):
    page = Document(shell.document(tags=TAGS, first="", charted=False))
    assert page.titles == ["Ours"]
    assert page.html.lstrip().startswith("<!DOCTYPE html>")
    assert page.root.get("lang") == "en"
    assert "width=device-width" in page.meta["viewport"]
    assert set(page.links) == {"icon", "alternate icon", "apple-touch-icon", "preload"}
    assert page.links["preload"] == [shell.font]
    assert "agent" not in page.html and "<!--" not in page.html
    assert not page.root.xpath("//noscript")


def test_what_makes_a_chart_live_is_fetched_at_once_where_there_is_one(shell):
    made = partial(shell.document, tags=TAGS, first="")
    with_page, without = (Document(made(charted=charted)) for charted in (True, False))
    assert address(PLOTLY) in with_page.links["preload"]
    assert address("panel.js") in with_page.links["modulepreload"]
    assert without.assets == {address("boot.js")}


def test_alone_nothing_of_streamlit_is_named_but_its_font(shell):
    page = Document(shell.document(tags=TAGS, first="", alone=True))
    assert page.streamlit is None
    assert re.findall(r"/static/[^\"')]+", page.html) == [shell.font] * 2


def test_the_boot_script_is_told_of_every_file(shell):
    files = Document(shell.document(tags=TAGS, first="")).streamlit
    assert files == {"main": shell.main, "scripts": [*shell.scripts], "styles": [*shell.styles]}


MAIN = re.search(r'<script type="module".*?</script>', index_html(), re.S)
FONT = re.search(r"<link\s+rel=\"preload\".*?/>", index_html(), re.S)
STYLE = re.search(r'<link rel="stylesheet".*?>', index_html(), re.S)
assert MAIN and FONT and STYLE


@pytest.mark.parametrize(
    ("old", "new", "missing"),
    [
        (MAIN[0], "", "one module script"),
        (MAIN[0], MAIN[0] * 2, "one module script"),
        (MAIN[0], f"<!-- {MAIN[0]} -->", "one module script"),
        (MAIN[0], '<script src="./static/js/index.js"></script>', "one module script"),
        (FONT[0], "", "one font"),
        (STYLE[0], "", "a style sheet"),
        ("</head>", "", "one head"),
        (ROOT, '<div id="app"></div>', f"one {ROOT}"),
        (ROOT, ROOT * 2, f"one {ROOT}"),
    ],
)
def test_a_document_that_is_another_is_refused_by_what_it_lacks(*, old, new, missing):
    assert old in index_html()
    with pytest.raises(ValueError, match=r"Streamlit's index\.html is not as 1\.67 has it") as refused:
        Shell.of(index_html().replace(old, new))
    what_to_do = "Read the new one and adapt panel/streamlit_names.py"
    assert f"it should have {missing}. {what_to_do}" in str(refused.value)
