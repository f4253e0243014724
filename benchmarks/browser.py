"""How long a reader waits, in Chromium: our page against the least a Streamlit or a Dash page can do.

All three draw the same figure. The rivals get each figure ready-made and only send it; ours reads the link,
draws its controls, fits, and says what it found. Medians of a run in which the three take turns.
"""

import json
import statistics
import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.servers import serving
from charts.plotly import figure
from scripts.prepare import find_chromium
from views.training_compute import VIEW
from views.view import answer, read

PATH = "/training-compute"
YEARS = ["2012", "2013", "2014", "2015", "2016", "2017", "2018"]
REPEATS = 8
FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run"]
SLOW_NETWORK = {"offline": False, "latency": 20, "downloadThroughput": 1.25e6, "uploadThroughput": 1.25e6}
"""10 Mbit/s, 20 ms to the server and back."""

WATCH = """
window.__plot = () => {
  const plot = document.querySelector('.js-plotly-plot');
  return plot && plot._fullData && plot.querySelector('.scatterlayer .trace') ? plot : null;
};
window.__signature = () => {
  const plot = window.__plot();
  return plot && plot._fullData.map(t => [t._length, t.x && t.x[0], t.y && t.y[0]].join()).join('|');
};
const first = () => {
  if (window.__plot()) requestAnimationFrame(() => { window.__drawn = performance.now(); });
  else requestAnimationFrame(first);
};
requestAnimationFrame(first);
"""
CLICKED = """() => {
  const before = window.__signature();
  let start = null;
  document.addEventListener('click', event => { start = event.timeStamp; }, {capture: true});
  window.__redrawn = null;
  const look = () => {
    if (start !== null && window.__signature() && window.__signature() !== before)
      requestAnimationFrame(() => { window.__redrawn = performance.now() - start; });
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""


def main() -> None:
    """Print each wait as a ratio to the rivals, measured side by side."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "figures.json").write_text(json.dumps(figures()))
        names = ("ours", "bare Streamlit", "Dash")
        urls = {name: stack.enter_context(serving(name, folder=folder)) for name in names}
        urls["ours"] += PATH
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        stack.callback(browser.close)
        new, known = changes(browser, urls)
        report("control change to redrawn chart, a new choice", new)
        report("control change to redrawn chart, a choice made before", known)
        contexts = {name: visited(browser, url) for name, url in urls.items()}
        report(
            "warm link to visible chart", take_turns(urls, lambda name: follow(contexts[name], urls[name]))
        )
        report("first visit, empty cache", take_turns(urls, lambda name: visit(browser, urls[name])))
        slow = take_turns(urls, lambda name: visit(browser, urls[name], slow=True), repeats=3)
        report("first visit, empty cache, 10 Mbit/s", slow)


def figures() -> dict[str, dict]:
    """Return the figure that our page draws for each year, as plain JSON."""
    drawn = {}
    for year in YEARS:
        settings, _ = read(VIEW, f"since={year}")
        chart = answer(VIEW, settings).exhibits[0].chart
        drawn[year] = json.loads(figure(chart, theme="light").to_json() or "{}")
    return drawn


def report(what: str, waits: dict[str, list[float]]) -> None:
    """Print our median wait over each rival's; below 1 is faster than the rival."""
    medians = {name: statistics.median(times) for name, times in waits.items()}
    ratios = "  ".join(f"{medians['ours'] / medians[n]:5.2f}x {n}" for n in medians if n != "ours")
    print(f"{what:52} {ratios}   (n = {len(waits['ours'])})", flush=True)


def take_turns(
    names: Iterable[str], measure: Callable[[str], float], *, repeats: int = REPEATS
) -> dict[str, list[float]]:
    """Return the waits of each, measured in turns so that a busy moment hits all alike. [ms]"""
    waits: dict[str, list[float]] = {name: [] for name in names}
    for name in waits:
        measure(name)
    for _ in range(repeats):
        for name, times in waits.items():
            times.append(measure(name))
    return waits


def changes(browser: Browser, urls: dict[str, str]) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Return the waits from a click on a year to the redrawn chart, for years new and chosen before. [ms]"""
    pages = {name: opened(new_context(browser), url) for name, url in urls.items()}
    new: dict[str, list[float]] = {name: [] for name in urls}
    known: dict[str, list[float]] = {name: [] for name in urls}
    for waits, years in ((new, YEARS[1:]), (known, YEARS[-2::-1]), (known, YEARS[1:])):
        for year in years:
            for name, page in pages.items():
                page.bring_to_front()
                waits[name].append(change(page, year))
    for page in pages.values():
        page.context.close()
    return new, known


def change(page: Page, year: str) -> float:
    """Return the wait from the click on a year to the redrawn chart. [ms]"""
    if page.locator("#since").count():
        page.locator("#since").click()
    else:
        page.get_by_role("combobox", name="Since").click()
        page.keyboard.type(year)
    option = page.get_by_role("option", name=year, exact=True)
    option.wait_for()
    page.evaluate(CLICKED)
    option.click()
    page.wait_for_function("() => window.__redrawn !== null", timeout=20_000)
    page.wait_for_timeout(300)
    return page.evaluate("window.__redrawn")


def visited(browser: Browser, url: str) -> BrowserContext:
    """Return a browser that was here before."""
    context = new_context(browser)
    opened(context, url).close()
    return context


def follow(context: BrowserContext, url: str) -> float:
    """Return the wait from following a link to the visible chart. [ms]"""
    page = opened(context, url)
    wait = page.evaluate("window.__drawn")
    page.close()
    return wait


def visit(browser: Browser, url: str, *, slow: bool = False) -> float:
    """Return the wait from the first visit ever to the visible chart. [ms]"""
    context = new_context(browser)
    page = opened(context, url, slow=slow)
    wait = page.evaluate("window.__drawn")
    context.close()
    return wait


def new_context(browser: Browser) -> BrowserContext:
    """Return a browser without cache or cookies."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(WATCH)
    return context


def opened(context: BrowserContext, url: str, *, slow: bool = False) -> Page:
    """Return a page that has drawn its chart."""
    page = context.new_page()
    if slow:
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", SLOW_NETWORK)
    page.goto(url, wait_until="commit")
    page.wait_for_function("() => window.__drawn", timeout=60_000)
    page.wait_for_timeout(300)
    return page
