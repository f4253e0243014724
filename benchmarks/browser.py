"""How long a reader waits, in Chromium: our page against the least a Dash page can do.

Both draw the same figure. Dash gets each figure ready-made and only sends it; ours reads the link, draws its controls,
fits, and says what it found. Medians of a run in which the two take turns.

Readable is the moment at which the finding can be read: ours when headline and chart stand on the screen, drawn by
whatever; that of Dash when its chart does, which is all it says. Live is the moment at which plotly has drawn.
"""

import json
import statistics
import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.servers import started
from charts.plotly import figure
from scripts.prepare import find_chromium
from views.training_compute import VIEW
from views.view import answer, read

PATH = "/training-compute"
YEARS = ["2012", "2014", "2016", "2018", "2020", "2010", "2008"]
"""No two are neighbours, so none is fetched ahead."""
REPEATS = 8
FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run"]
LIMITS: dict[str, dict[str, dict[str, Any]]] = {
    "10 Mbit/s, 20 ms": {
        "Network_emulateNetworkConditions": {
            **{"offline": False, "latency": 20},
            **{"downloadThroughput": 1.25e6, "uploadThroughput": 1.25e6},
        }
    },
    "processor 4 times slower": {"Emulation_setCPUThrottlingRate": {"rate": 4}},
}
"""Slow networks and machines, as commands of Chromium's protocol."""
WATCH = Path(__file__).with_name("watch.js")
Visit = tuple[float, float, float]
"""When the finding of a visit could be read, when its chart was live [ms], and how much moved on the way."""


def main() -> None:
    """Print each wait as a ratio to that of Dash, measured side by side."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "figures.json").write_text(json.dumps(figures()))
        urls = {name: stack.enter_context(started(name, folder=folder))[0] for name in ("ours", "Dash")}
        urls["ours"] += PATH
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        stack.callback(browser.close)
        new, known = changes(browser, urls)
        report("control change to redrawn chart, a new choice", new)
        report("control change to redrawn chart, a choice made before", known)
        before = {name: new_context(browser) for name in urls}
        compare("warm link", urls, by=lambda name: visit(before[name], urls[name]))
        first = "first visit, empty cache"
        compare(first, urls, by=lambda name: first_visit(browser, urls[name]))
        for what, limits in LIMITS.items():
            slow = partial(lambda name, limits: first_visit(browser, urls[name], **limits), limits=limits)
            compare(f"{first}, {what}", urls, by=slow, repeats=3)


def compare(what: str, names: Iterable[str], *, by: Callable[[str], Visit], repeats: int = REPEATS) -> None:
    """Print when the finding is readable and when the chart is live, each over Dash's, and what moved.

    They are visited in turns, so that a busy moment hits all alike, after a visit to each that does not count.
    """
    visits: dict[str, list[Visit]] = {name: [] for name in names}
    for turn in range(repeats + 1):
        for name, every in visits.items():
            one = by(name)
            every += [one] if turn else []
    for place, moment in enumerate(("readable", "live chart")):
        report(f"{what}: {moment}", {name: [one[place] for one in every] for name, every in visits.items()})
    print(
        f"{f'{what}: layout shift':62} {max(shift for *_, shift in visits['ours']):.3f} at most", flush=True
    )


def figures() -> dict[str, dict]:
    """Return the figure that our page draws for each year, as plain JSON."""
    drawn = {}
    for year in YEARS:
        settings, _ = read(VIEW, f"since={year}")
        chart = answer(VIEW, settings).exhibits[0].chart
        drawn[year] = json.loads(figure(chart, theme="light").to_json() or "{}")
    return drawn


def report(what: str, waits: dict[str, list[float]]) -> None:
    """Print our median wait over that of Dash; below 1 is faster."""
    ratio = statistics.median(waits["ours"]) / statistics.median(waits["Dash"])
    print(f"{what:62} {ratio:5.2f}x Dash   (n = {len(waits['ours'])})", flush=True)


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
    """Return the wait from the choice of a year to the redrawn chart. [ms]"""
    own = page.locator(".panel .controls [name=since]")
    if own.count():
        own.fill(year)
        page.evaluate("window.__watchChange()")
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


def visit(context: BrowserContext, url: str, **limits: dict[str, Any]) -> Visit:
    """Return how a visit went, by what the page wrote down of itself; ``limits`` are those of :func:`opened`."""
    page = opened(context, url, **limits)
    page.wait_for_timeout(1500)
    seen = page.evaluate("[window.__read, window.__drawn, window.__moved]")
    page.close()
    return seen


def first_visit(browser: Browser, url: str, **limits: dict[str, Any]) -> Visit:
    """Return how the first visit ever went."""
    with new_context(browser) as context:
        return visit(context, url, **limits)


def new_context(browser: Browser) -> BrowserContext:
    """Return a browser without cache or cookies."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(path=WATCH)
    return context


def opened(context: BrowserContext, url: str, **limits: dict[str, Any]) -> Page:
    """Return a page that has drawn its chart; ``limits`` are options of commands of Chromium's protocol."""
    page = context.new_page()
    if limits:
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        for command, options in limits.items():
            session.send(command.replace("_", "."), options)
    page.goto(url, wait_until="commit")
    page.wait_for_function("() => window.__drawn", timeout=60_000)
    page.wait_for_timeout(300)
    return page


if __name__ == "__main__":
    main()
