import pytest
from lxml import html

from views.methods import text as methods
from web.markdown import html_of

BOLD = "<strong>x</strong>: <code>y &lt; 1</code>"
CELLS = "<tr><th>a</th><th>b</th></tr><tr><td>1</td><td></td></tr>"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb", "<p>a b</p>"),
        ("- **x**: `y < 1`\n  w\n- $z$", f"<ul><li>{BOLD} w</li><li><code>z</code></li></ul>"),
        ("1. a\n2. b", "<ol><li>a</li><li>b</li></ol>"),
        ("$$\na & b\n$$", "<pre>a &amp; b</pre>"),
        ("$1,000 or $2", "<p>$1,000 or $2</p>"),
        ("[a & b](/x?y=1&z=2)", '<p><a href="/x?y=1&amp;z=2">a &amp; b</a></p>'),
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ("| a | b |\n|---|---|\n| 1 | |", f'<div class="rows"><table>{CELLS}</table></div>'),
    ],
)
def test_a_text_is_shown_as_it_is_meant(text, shown):
    assert html_of(text) == shown


SECTIONS = (*methods.NUMBERS, *methods.settings_sections())


@pytest.mark.parametrize("section", SECTIONS, ids=lambda one: one.anchor)
def test_nothing_of_our_own_texts_is_left_as_signs(section):
    page = html.fragment_fromstring(str(html_of(section.text)), create_parent=True)
    for code in page.xpath(".//code|.//pre"):
        code.drop_tree()
    left = page.text_content()
    assert "$" not in left or section not in methods.NUMBERS
    assert not [sign for sign in ("**", "`", "](", "|---") if sign in left]
    rows = [line for line in section.text.splitlines() if line.startswith("|") and not line.startswith("|--")]
    assert len(page.xpath(".//tr")) == len(rows)
