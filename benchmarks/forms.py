"""What a file costs: a picture, a slide, and a file at hand, each beside plotly's own way with Chromium.

The rival is kaleido, drawing the figure of the same page: one-shot, as its documentation begins, and with the
browser kept open. It has no slide; a picture of its kind would have to be pasted into one.
"""

import http.client
import os
import statistics
import tempfile
import time
import warnings
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.clients import fetch
from benchmarks.servers import serving
from charts.matplotlib import render
from charts.plotly import figure
from scripts.prepare import find_chromium
from views.training_compute import VIEW
from views.view import answer, read
from web.forms import FORMS, Order

REPEATS = 7
ASKED = 1500
WIDTH, HEIGHT = 1920, 1080


def main() -> None:
    """Print how many of each of our files are made in the time that kaleido takes for its picture."""
    result = answer(VIEW, read(VIEW, "")[0])
    form = FORMS["pptx"]
    order = Order(
        result=result, options=form.options(), origin="https://gap.example.org", today=date(2026, 1, 1)
    )
    chart = result.exhibits[0].chart
    ours = {
        "picture, PNG 1920x1080": lambda: render(chart, format="png", size="slide"),
        "slide, native PowerPoint chart": lambda: form.write(order),
    }
    times = {what: median(make) for what, make in ours.items()}
    times["cached file over HTTP"] = cached()
    for rival, seconds in kaleido(figure(chart, theme="light")).items():
        for what, own in times.items():
            print(f"{what:34} {seconds / own:9.1f}x the rate of {rival}", flush=True)


def median(make: Callable[[], object], *, repeats: int = REPEATS) -> float:
    """Return how long a call takes once warm. [s]"""
    make()
    taken = []
    for _ in range(repeats):
        began = time.perf_counter()
        make()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def cached() -> float:
    """Return how long one of many requests for a kept file takes, one after another on one connection. [s]"""
    with tempfile.TemporaryDirectory() as folder, serving("ours", folder=Path(folder)) as url:
        fetch(url, "/training-compute.csv")
        connection = http.client.HTTPConnection(url.partition("//")[2], timeout=60)
        began = time.perf_counter()
        for _ in range(ASKED):
            connection.request("GET", "/training-compute.csv", headers={"Accept-Encoding": "gzip"})
            connection.getresponse().read()
        taken = (time.perf_counter() - began) / ASKED
        connection.close()
    return taken


def kaleido(drawn: Any) -> dict[str, float]:
    """Return how long kaleido takes for the same picture, by way of using it; empty without kaleido. [s]"""
    try:
        import kaleido as rival  # pyright: ignore[reportMissingImports]
    except ImportError:
        print("kaleido is not installed, so there is nothing to compare with; `make bench` installs it.")
        return {}
    os.environ["BROWSER_PATH"] = find_chromium() or ""

    def picture() -> bytes:
        with warnings.catch_warnings():  # an open browser takes no options, and says so each time
            warnings.simplefilter("ignore", UserWarning)
            return drawn.to_image(format="png", width=WIDTH, height=HEIGHT)

    one_shot = median(picture, repeats=3)
    rival.start_sync_server(n=1, silence_warnings=True)
    try:
        kept_open = median(picture)
    finally:
        rival.stop_sync_server(silence_warnings=True)
    return {"kaleido, one-shot": one_shot, "kaleido, browser kept open": kept_open}
