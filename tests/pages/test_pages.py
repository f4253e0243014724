"""Every page opens through the menu; what a page does beside its panel."""

import re
import sys
from pathlib import Path

import pytest

from pages.text import plain
from views.deck import PATH as DECK_PATH
from views.methods import text as methods
from views.registry import VIEWS

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize("path", list(VIEWS))
def test_the_page_of_a_view_is_its_panel_and_nothing_of_it_is_drawn_twice(*, path, open_page, sent):
    page = open_page(path)
    assert not page.exception and not page.warning and not page.error
    panel = sent(page)["scaling_gap_panel"]
    assert (panel["view"], panel["path"], panel["own"]) == (VIEWS[path].name, path, None)
    assert not page.title and not page.selectbox and not page.number_input and not page.text_input


@pytest.mark.parametrize("path", [methods.PATH, DECK_PATH])
def test_the_pages_beside_the_views_open_too(*, path, open_page, sent):
    page = open_page(path)
    assert not page.exception
    assert page.title
    assert set(sent(page)) == {"scaling_gap_deck"}


@pytest.mark.parametrize("path", ["/", methods.PATH])
@pytest.mark.parametrize("value", ["\x00", "a" * 10_000, "../../etc/passwd", "<b>"])
def test_a_hostile_address_leaves_the_page(*, path, value, open_page):
    assert not open_page(path, since=value, view=value, embed=value).exception


def test_methods_shows_the_settings_of_every_view(open_page):
    page = open_page(methods.PATH)
    headings, shown = ([item.value for item in items] for items in (page.subheader, page.markdown))
    for section in methods.settings_sections():
        assert section.heading in headings and any(section.text in text for text in shown)


def test_no_page_file_is_named_like_a_package_or_a_module_of_python():
    packages = {folder.name for folder in ROOT.iterdir() if (folder / "__init__.py").exists()}
    for file in (ROOT / "pages").glob("*.py"):
        assert file.stem not in packages
        assert file.stem not in sys.stdlib_module_names


MARKUP = (
    "<b>x</b>",
    "[a](javascript:alert(1))",
    "$x$ :smile: `c`",
    "a_b*c*",
    "# h",
    "1. x",
    "a\n\nb",
    "~~x~~",
)


@pytest.mark.parametrize("text", [*MARKUP, "&lt;"])
def test_text_from_a_link_is_never_markup(text):
    made_safe = plain(text)
    assert not re.search(r"(?<!\\)[`*_\[\]<>$#~|&:]", made_safe)
    assert "\n" not in made_safe and plain("42 %") == "42%"
    assert re.sub(r"\\(.)", r"\1", made_safe) == " ".join(text.split())
