import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charts.plotly.axes import escaped
from charts.svg.text import Place, attribute, lines_of, paint, text
from tests.charts.svg.drawing import texts


def shown(said: str) -> str:
    """Return what can be shown of a text: no control characters."""
    printable = (c for c in said if c >= " " and not 0xD800 <= ord(c) <= 0xDFFF and c not in "\ufffe\uffff")
    return "".join(printable)


@given(st.text() | st.from_regex(r"(<b>|&lt;|</text>|&#36;|\"|'|<br>){1,5}"))
def test_a_text_is_read_as_it_was_written_whatever_it_holds(said: str) -> None:
    element = ET.fromstring(text(f"<b>{escaped(said)}</b><br>{escaped(said)}", Place(x="1%", y=2)))
    once = shown(" ".join(said.split()))
    assert {part.tag for part in element.iter()} <= {"text", "tspan"}
    assert texts(ET.fromstring(f"<g>{ET.tostring(element, encoding='unicode')}</g>")) == [f"{once}\n{once}"]


@given(st.text())
def test_an_attribute_ends_where_it_should(said: str) -> None:
    element = ET.fromstring(f'<a b="{attribute(said)}"/>')
    spaced = said.translate(str.maketrans("\t\n\r", "   "))
    assert element.attrib["b"].split() == shown(spaced).split()


def test_bold_runs_over_lines_and_a_span_has_its_colour() -> None:
    assert lines_of("<b>One<br>two</b> &lt;b&gt; three") == [
        '<tspan font-weight="700">One</tspan>',
        '<tspan font-weight="700">two</tspan> &lt;b&gt; three',
    ]
    marked = '<span style="color:#27968B">■</span> GPU'
    assert lines_of(marked) == ['<tspan style="fill:#27968b">■</tspan> GPU']


def test_a_line_begins_where_the_first_one_does() -> None:
    said = text("One<br>two", Place(x="12.5%", y=3.456, down=8, anchor="end"), extra=' class="wide-only"')
    assert said == (
        '<text x="12.5%" y="3.46" transform="translate(0 8)" text-anchor="end" class="wide-only">'
        'One<tspan x="12.5%" dy="1.3em">two</tspan></text>'
    )


def test_a_tag_that_is_not_known_is_refused() -> None:
    for tag in ("<i>", "<a href='x'>", "</p>", '<span style="font:x">'):
        with pytest.raises(ValueError, match=r"has the tag .*, which charts/svg does not know how to draw"):
            lines_of(f"a{tag}b")


def test_a_colour_cannot_end_the_style_it_stands_in() -> None:
    colours = ["#abcdef", "rgba(1, 2,3,0.5)", "var(--c12)"]
    assert [paint(colour) for colour in ("#ABCDEF", *colours[1:])] == colours
    for wrong in ("red", "", '#abcdef"', "#abcdef;x:y", "url(#p)", "var(--x)"):
        with pytest.raises(ValueError, match=r"A colour is #rrggbb, .* got"):
            paint(wrong)
