"""Waiting times of a reader in Chromium, for our page and for a minimal Dash page.

Both draw the same figure. Dash only sends a prepared figure; ours reads the link, draws its controls, fits, and
describes the result. Results are medians of a run in which the two alternate.

A page is readable when the finding is visible: headline and chart on ours, only the chart on Dash's. It is live when
plotly has drawn.
"""

import json
import statistics
import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.clients import fetch
from benchmarks.servers import started
from charts.plotly import figure
from scripts.prepare import find_chromium
from views.training_compute import VIEW
from views.view import answer, read

PATH = "/training-compute"
YEARS = ["2012", "2014", "2016", "2018", "2020", "2010", "2008"]
"""Years to choose. No two are neighbours, so none is prefetched."""
REPEATS = 8
KEY_MS = 100
"""Time between two keys. People take 239 ms on average, the fastest about 120 ms (Dhakal et al., CHI 2018). [ms]"""
FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run"]
NETWORK = {"offline": False, "latency": 20, "downloadThroughput": 1.25e6, "uploadThroughput": 1.25e6}
LIMITS: dict[str, tuple[str, dict[str, Any]]] = {
    "10 Mbit/s, 20 ms": ("Network.emulateNetworkConditions", NETWORK),
    "processor 4 times slower": ("Emulation.setCPUThrottlingRate", {"rate": 4}),
}
"""Slow networks and machines, each as a command of Chromium's protocol with its parameters."""
WATCH = Path(__file__).with_name("watch.js")
Waits = dict[str, list[float]]
"""Waiting times for our page and for Dash. [ms]"""


def main() -> None:
    """Print each waiting time relative to that of Dash, measured side by side."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "figures.json").write_text(json.dumps(figures()))
        urls = {name: stack.enter_context(started(name, folder=folder))[0] for name in ("ours", "Dash")}
        fetch(urls["ours"], "/placement.json")  # prepared last, after which the server is idle
        urls["ours"] += PATH
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        stack.callback(browser.close)
        for what, waits in changes(browser, urls, key_ms=KEY_MS).items():
            report(f"control change to redrawn chart, {what}", waits)
        pasted = changes(browser, urls | {"ours": urls["ours"] + "?level=80"}, key_ms=0)
        report("control change to redrawn chart, a new choice, pasted", pasted["a new choice"])
        before = {name: new_context(browser) for name in urls}
        compare("warm link", urls, by=lambda name: visit(before[name], urls[name]))
        for what, limit in {"": None, **LIMITS}.items():
            compare(
                ", ".join(filter(None, ["first visit, empty cache", what])),
                urls,
                by=lambda name, limit=limit: first_visit(browser, urls[name], limit=limit),
                repeats=3 if what else REPEATS,
            )


def compare(
    what: str, names: Iterable[str], *, by: Callable[[str], list[float]], repeats: int = REPEATS
) -> None:
    """Print the times until the finding is readable and the chart is live, relative to those of Dash.

    Visits alternate, so that load spikes affect both, after one uncounted visit to each.
    """
    visits: dict[str, list[list[float]]] = {name: [] for name in names}
    for _ in range(repeats + 1):
        for name, every in visits.items():
            every.append(by(name))
    for place, moment in enumerate(("readable", "live chart")):
        report(
            f"{what}: {moment}", {name: [one[place] for one in every[1:]] for name, every in visits.items()}
        )


def figures() -> dict[str, dict]:
    """Return our page's figure for each year, as JSON values."""
    drawn = {}
    for year in YEARS:
        settings, _ = read(VIEW, f"since={year}")
        chart = answer(VIEW, settings).exhibits[0].chart
        drawn[year] = json.loads(figure(chart, theme="light").to_json() or "{}")
    return drawn


def report(what: str, waits: Waits) -> None:
    """Print our median waiting time relative to that of Dash. Below 1, our page is faster."""
    ratio = statistics.median(waits["ours"]) / statistics.median(waits["Dash"])
    print(f"{what:62} {ratio:5.2f}x Dash   (n = {len(waits['ours'])})", flush=True)


def changes(browser: Browser, urls: dict[str, str], *, key_ms: int) -> dict[str, Waits]:
    """Return the times from choosing a year to the redrawn chart, for new and for repeated years. [ms]"""
    pages = {name: opened(new_context(browser), url) for name, url in urls.items()}
    years = {"a new choice": YEARS[1:], "a choice made before": [*YEARS[-2::-1], *YEARS[1:]]}
    waits: dict[str, Waits] = {what: {name: [] for name in urls} for what in years}
    for what, chosen in years.items():
        for year in chosen:
            for name, page in pages.items():
                page.bring_to_front()
                waits[what][name].append(change(page, year, key_ms=key_ms))
    for page in pages.values():
        page.context.close()
    return waits


def change(page: Page, year: str, *, key_ms: int) -> float:
    """Return the time from the last keystroke or click in choosing a year to the redrawn chart. [ms]"""
    own = page.locator(".panel .controls [name=since]")
    if own.count():
        own.select_text()
        page.evaluate("window.__watchChange()")
        own.press_sequentially(year, delay=key_ms)
        own.press("Enter")
    else:
        page.locator("#since").click()
        option = page.get_by_role("option", name=year, exact=True)
        option.wait_for()
        page.evaluate("window.__watchChange()")
        option.click()
    page.wait_for_function("() => window.__redrawn !== null", timeout=20_000)
    page.wait_for_timeout(300)
    return page.evaluate("window.__redrawn")


def visit(context: BrowserContext, url: str, *, limit: tuple[str, dict] | None = None) -> list[float]:
    """Return when a visit's finding was readable and its chart was live, under a ``limit`` on resources. [ms]"""
    page = opened(context, url, limit=limit)
    page.wait_for_timeout(1500)
    seen = page.evaluate("[window.__read, window.__drawn]")
    page.close()
    return seen


def first_visit(browser: Browser, url: str, *, limit: tuple[str, dict] | None) -> list[float]:
    """Return the waiting times of a visit that starts with an empty cache. [ms]"""
    with new_context(browser) as context:
        return visit(context, url, limit=limit)


def new_context(browser: Browser) -> BrowserContext:
    """Return a browser context with an empty cache and no cookies."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(path=WATCH)
    return context


def opened(context: BrowserContext, url: str, *, limit: tuple[str, dict] | None = None) -> Page:
    """Return a page that has drawn its chart."""
    page = context.new_page()
    if limit:
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send(*limit)
    page.goto(url, wait_until="commit")
    page.wait_for_function("() => window.__drawn", timeout=60_000)
    page.wait_for_timeout(300)
    return page


if __name__ == "__main__":
    main()
