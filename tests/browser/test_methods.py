"""Each section of the methods can be linked to, and stands in the contents."""

from tests.browser.streamlit_page import APP

IN_SIGHT = """() => {
  const box = document.getElementById("glossary")?.getBoundingClientRect();
  return box && box.height > 0 && box.top > -5 && box.bottom < innerHeight;
}"""


def test_a_link_to_a_section_opens_there_the_contents_lead_to_it_and_formulas_are_drawn(open_page):
    page = open_page("/methods", viewport="phone")
    assert not page.evaluate(IN_SIGHT)
    page.locator(f"{APP} .katex").first.wait_for(state="attached")
    page.get_by_role("link", name="Glossary", exact=True).first.click()
    page.wait_for_function(IN_SIGHT)
    assert page.url.endswith("/methods#glossary")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.reload()
    page.wait_for_function(IN_SIGHT)
