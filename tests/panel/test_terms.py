"""Terms of art: each is explained once on a page, from its entry in the glossary; the text stays as it is."""

import lxml.html
import pytest
from markupsafe import Markup

from panel.page import page_html, page_parts
from panel.terms import LINK, Reader, as_set
from tests.cases import cases
from tests.panel.shown import shown_of
from views.methods import text as methods

SHOWN = shown_of("/compute-to-memory")


def terms(html):
    return lxml.html.fragment_fromstring(html, create_parent=True).xpath("//a[@class='term']")


def words(html):
    return "".join(lxml.html.fragment_fromstring(html, create_parent=True).itertext())


@pytest.mark.parametrize("entry", methods.FORMS)
def test_every_form_of_a_term_tells_its_entry_and_leads_to_the_glossary(entry):
    for form in methods.FORMS[entry]:
        (term,) = terms(Reader().text(f"The {form} is told."))
        assert term.text == form
        assert term.get("href") == LINK
        assert term.get("aria-description").startswith(entry)
        assert len(term.get("aria-description")) > len(entry) + 2


@pytest.mark.parametrize(("text", "terms_in_it"), cases(__file__)["found"])
def test_terms_are_found_as_words(text, terms_in_it):
    assert [term.text for term in terms(Reader().text(text))] == terms_in_it


def test_text_stays_as_it_is_read_and_is_never_markup():
    text = 'Prefill at 42% of <b>peak</b> & "decode" by its roofline'
    html = Reader().text(text)
    assert isinstance(html, Markup)
    assert words(html) == as_set(text)
    assert "<b>" not in html


def test_a_page_explains_a_term_once_in_running_text_alone():
    page = terms(page_html(SHOWN))
    assert len(page) > 5
    described = [term.get("aria-description") for term in page]
    assert len(set(described)) == len(described)
    for above in ("h1", "h2", "a", "button", "table"):
        assert not any(term.xpath(f"ancestor::{above}") for term in page)
    assert len(terms("".join(page_parts(SHOWN).values()))) == len(page)


def test_a_range_and_a_claim_s_number_stay_on_one_line_and_nothing_else_is_marked():
    html = Reader().text("Between 93–99 % (1.31–1.48×), not <b> – or A100–like, S2-10.")
    assert html == (
        'Between <span class="range">93–99%</span> <span class="range">(1.31–1.48×),</span> '
        'not &lt;b&gt; – or A100–like, <span class="range">S2-10</span>.'
    )
