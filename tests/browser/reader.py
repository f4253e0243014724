"""What a reader does with the page of a view, and what they see of it."""

from playwright.sync_api import Locator, Page

from panel.document import WAITING
from panel.menu import TITLES
from panel.page import MOST_FIGURES
from tests.browser.streamlit_page import MAIN, PANEL
from views.registry import VIEWS
from views.result import Result
from views.view import answer, read

DEADLINE_S = 180.0
"""What a reader waits for comes, or a test fails: so late that a busy machine is no reason. [s]"""
NO_BREAK = "\N{NO-BREAK SPACE}"
MOST_LOADS = 20


def spaced(text: str) -> str:
    """Return text of the page with plain spaces where it is kept on one line."""
    return text.replace(NO_BREAK, " ").strip()


def result_of(link: str) -> Result:
    """Return what the page of a link must show."""
    path, _, query = link.partition("?")
    return answer(VIEWS[path], read(VIEWS[path], query)[0])


def panel(page: Page) -> Locator:
    """Return the page of the view in sight."""
    return page.locator(PANEL)


def headline(page: Page) -> str:
    """Return the headline in sight; a page has one."""
    return spaced(page.locator("h1").inner_text())


def until_answered(page: Page) -> None:
    """Load a page that no script of ours brings up to date again until its finding has come."""
    for _ in range(MOST_LOADS):
        if headline(page) != WAITING:
            return
        page.reload()
    raise AssertionError(f"{page.url} never came with its finding")


def until_headline(page: Page, text: str) -> None:
    """Return when the page says this."""
    page.wait_for_function(
        """text => document.querySelectorAll("h1").length === 1 &&
        document.querySelector("h1").innerText.replaceAll("\\u00a0", " ").trim() === text""",
        arg=text,
    )


def until_shows(page: Page, link: str) -> None:
    """Return when headline, figures and every control are those of a link."""
    path, _, query = link.partition("?")
    result, settings = result_of(link), read(VIEWS[path], query)[0]
    page.wait_for_function(
        """({path, headline, figures, held}) => {
          const panel = document.querySelector(`.panel[data-path="${path}"]`);
          const text = (one) => one?.innerText.replaceAll("\u00a0", " ").trim();
          return panel && text(panel.querySelector("h1")) === headline &&
            JSON.stringify([...panel.querySelectorAll(".figures dd b")].map(text)) === JSON.stringify(figures) &&
            Object.entries(held).every(([name, value]) => panel.querySelector(`[name="${name}"]`).value === value);
        }""",
        arg={
            "path": path,
            "headline": result.headline,
            "figures": key_figures(result),
            "held": settings.described(),
        },
    )


def figures(page: Page) -> list[str]:
    """Return the key figures in sight, without their intervals."""
    return [spaced(text) for text in page.locator(".panel .figures dd b").all_inner_texts()]


def key_figures(result: Result) -> list[str]:
    """Return the key figures a page must show."""
    return [figure.text for figure in result.figures if figure.key][:MOST_FIGURES]


def control(page: Page, name: str) -> Locator:
    """Return the control of a setting."""
    return page.locator(f'.panel .controls [name="{name}"]')


def reach(page: Page, name: str) -> Locator:
    """Return the control of a setting once it is in sight: some are behind Adjust."""
    field = control(page, name)
    if not field.is_visible():
        for part in ("details.adjust", f'details.fold:has([name="{name}"])'):
            if not field.is_visible() and page.locator(f".panel {part}:not([open])").count():
                page.locator(f".panel {part} > summary").click()
        field.wait_for(state="visible")
    return field


def choose(page: Page, name: str, *, to: str) -> None:
    """Change a control as a reader does, and wait until the page shows the answer."""
    field = reach(page, name)
    before = watch(page)
    if field.evaluate("control => control.tagName") == "SELECT":
        field.select_option(to)
    else:
        field.fill(to)
        field.press("Tab")
    until_shown(page, before=before)


def watch(page: Page) -> int:
    """Return how many answers the page has shown since it was first asked; see ``until_shown``."""
    return page.evaluate(
        """() => {
          if (window.answersShown === undefined) {
            window.answersShown = 0;
            addEventListener("shown", () => { window.answersShown += 1 });
          }
          return window.answersShown;
        }"""
    )


def until_shown(page: Page, *, before: int) -> None:
    """Return when the page has shown another answer than those it had."""
    page.wait_for_function("before => window.answersShown > before", arg=before)


def warnings(page: Page) -> list[str]:
    """Return what the page says it ignored of its link."""
    return [spaced(text) for text in page.locator(".panel .warning").all_inner_texts()]


def open_share(page: Page) -> Locator:
    """Open Share; return its dialog once its links have come."""
    page.get_by_role("button", name="Share", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Share this view").wait_for()
    dialog.locator("section, .files").first.wait_for()
    return dialog


def full_link(page: Page) -> str:
    """Return the link that Share gives for the view in sight, every setting spelled out."""
    link = open_share(page).get_by_role("textbox", name="Full link").input_value()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    return link


def go_by_menu(page: Page, title: str) -> None:
    """Press an entry of the menu, and wait until its page has taken the place of the one before."""
    path = next(path for path, name in TITLES.items() if name == title)
    entry = page.locator(f'.bar-menu a[href="{path}"]')
    if page.locator(".bar > .menu").is_visible():
        page.locator(".bar > .menu").click()
    elif not entry.is_visible():
        page.locator(f'.bar-menu details:has(a[href="{path}"]) > summary').click()
    entry.click()
    page.wait_for_function("path => location.pathname === path", arg=path)


def open_exhibits(page: Page) -> None:
    """Open every exhibit that stands closed, and the section it stands in."""
    page.evaluate(
        """() => { for (const one of document.querySelectorAll('.panel details:is(#sure, #changes, .exhibit)'))
          one.open = true }"""
    )


def see_all(page: Page) -> None:
    """Open every exhibit and scroll through the page, so that each chart is drawn; end at the top."""
    open_exhibits(page)
    for plot in page.locator(".panel .plot").all():
        plot.scroll_into_view_if_needed()
        plot.locator(".live.js-plotly-plot .main-svg").first.wait_for()
    page.evaluate(f"() => document.querySelector('{MAIN}').scrollTo(0, 0)")
