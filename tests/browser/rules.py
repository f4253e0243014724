"""Which of axe-core's rules a page breaks; of a table its first rows stand for all, and a chart is one picture."""

from importlib.resources import files

from playwright.sync_api import Page

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
BROKEN = """() => axe.run({exclude: [['tbody tr:nth-child(n+4)'], ['.main-svg']]}, {resultTypes: ['violations']}).then(
  found => found.violations.map(one => `${one.id} (${one.impact}): ${one.nodes.slice(0, 3).map(node => node.html)}`))"""


def broken_rules(page: Page) -> list[str]:
    """Return each rule that the page as it is now breaks, with the first places."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE)
    return page.evaluate(BROKEN)
