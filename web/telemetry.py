"""Telemetry for operators: counts in Prometheus's text format, and a log line per request.

Neither identifies a reader or their choices: no query, address, session, or short link.
"""

import json
import logging
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import prometheus_client as prometheus
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from data import releases
from panel.streamlit_names import SESSIONS
from views.compute_pool import POOLS
from views.registry import VIEWS
from views.store import stores
from views.view import SHORT
from views.worker import WORKER
from web.forms import FORMS
from web.release_watch import WATCH
from web.settings import Settings

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30)
LONGEST_PATH = 80
OTHERS = ("static", "assets", SESSIONS.strip("/"), "media", "component", "api", "data", "healthz", "mcp")
"""First path segments of addresses without a view."""
PAGES = {view.path: view.name for view in VIEWS.values()}
FILES = {f"/{view.name}": view.name for view in VIEWS.values()} | {"/deck": "deck"}

log = logging.getLogger(__name__)
lines = logging.getLogger("scaling_gap.requests")


def what_of(path: str) -> tuple[str, str]:
    """Return the view and form of an address. For other addresses, return the first segment or "other"."""
    if path in PAGES:
        return PAGES[path], "page"
    stem, _, extension = path.partition(".")
    if stem in FILES and (extension in FORMS or extension == "panel.json"):
        return FILES[stem], "panel" if extension == "panel.json" else extension
    if path.startswith(SHORT):
        return "short link", ""
    first = path.lstrip("/").partition("/")[0]
    return (first, "") if first in OTHERS else ("other", "")


class Metrics:
    """Counters of responses, and the state of the process. Each process or test has one instance."""

    def __init__(self, *, sessions: Callable[[], int] = int) -> None:
        self.registry = prometheus.CollectorRegistry()
        self.answers = prometheus.Counter(
            "scaling_gap_answers",
            "Answers, by view, form and HTTP status; 499 is a reader who hung up.",
            ("view", "form", "status"),
            registry=self.registry,
        )
        self.seconds = prometheus.Histogram(
            "scaling_gap_answer_seconds",
            "Time from a request to the end of its answer.",
            ("view", "form"),
            buckets=SECONDS,
            registry=self.registry,
        )
        self.registry.register(_Held(sessions))
        for collector in (prometheus.ProcessCollector, prometheus.PlatformCollector, prometheus.GCCollector):
            collector(registry=self.registry)

    def answered(self, path: str, status: int, *, seconds: float) -> None:
        """Record a response and its time."""
        view, form = what_of(path)
        self.answers.labels(view, form, str(status)).inc()
        self.seconds.labels(view, form).observe(seconds)


class _Held(Collector):
    """Collector of cache sizes, queue lengths and numbers of sessions. They are read at each scrape."""

    def __init__(self, sessions: Callable[[], int]) -> None:
        self.sessions = sessions

    def collect(self) -> Iterable[CounterMetricFamily | GaugeMetricFamily]:
        """Yield the metric families."""
        jobs = {name: pool.jobs for name, pool in POOLS.items()}
        wait_s = {name: pool.wait_s for name, pool in POOLS.items()}
        for kind, name, what, label, values in (
            (GaugeMetricFamily, "cache_bytes", "What is kept in memory.", "cache", _sums("kept_byte")),
            (GaugeMetricFamily, "cache_bound_bytes", "What may be kept.", "cache", _sums("keep_byte")),
            (CounterMetricFamily, "cache_hits", "Asked for and kept.", "cache", _sums("hits")),
            (CounterMetricFamily, "cache_misses", "Asked for and not kept.", "cache", _sums("misses")),
            (GaugeMetricFamily, "queue_jobs", "Answers waiting or being made.", "lane", jobs),
            (GaugeMetricFamily, "queue_wait_seconds", "The wait expected of a new one.", "lane", wait_s),
        ):
            family = kind(f"scaling_gap_{name}", what, labels=[label])
            for labelled_by, value in values.items():
                family.add_metric([labelled_by], value)
            yield family
        age_s = WATCH.clock() - WATCH.looked_s
        for name, what, value in (
            ("sessions", "Open sessions.", self.sessions()),
            ("worker_resident_memory_bytes", "Of the process that reads own data.", WORKER.memory_byte),
            ("releases", "Releases that are served, from memory.", len(releases.names())),
            ("release_look_age_seconds", "Since new releases were looked for.", age_s),
        ):
            yield GaugeMetricFamily(f"scaling_gap_{name}", what, value=value)


def _sums(name: str) -> dict[str, float]:
    """Return the sum of an attribute over all stores with the same name, keyed by that name."""
    return {cache: sum(getattr(store, name) for store in alike) for cache, alike in stores().items()}


def line_of(path: str, *, request: str, method: str, status: int, seconds: float, byte: int) -> str:
    """Return the log line of a request, as JSON."""
    view, form = what_of(path)
    known = view != "other" and view not in (SESSIONS.strip("/"), "media", "short link")
    return json.dumps(
        {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "request": request,
            "method": method[:8],
            "path": path[:LONGEST_PATH] if known else "",
            "view": view,
            "form": form,
            "status": status,
            "seconds": round(seconds, 4),
            "byte": byte,
        }
    )


def log_lines() -> None:
    """Write request log lines to standard output."""
    if not lines.handlers:
        handler = logging.StreamHandler(sys.stdout)
        handler.setFormatter(logging.Formatter("%(message)s"))
        lines.addHandler(handler)
        lines.setLevel(logging.INFO)
        lines.propagate = False


@contextmanager
def exposed(metrics: Metrics | None, settings: Settings) -> Iterator[None]:
    """Expose metrics at /metrics of a separate address while the context lasts, if METRICS is set.

    If the port is taken, this is logged and the app runs without metrics.
    """
    if metrics is None or settings.metrics is None:
        yield
        return
    host, port = settings.metrics
    try:
        server, thread = prometheus.start_http_server(port, addr=host, registry=metrics.registry)
    except OSError as problem:
        log.error(
            "METRICS: no metrics are exposed, since %s:%d cannot be used: %s.", host, port, problem.strerror
        )
        yield
        return
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
