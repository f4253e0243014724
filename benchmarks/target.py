"""A server under attack: how long other readers wait, whether it serves them, and the verdict."""

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlencode

import numpy as np

from benchmarks.clients import LOST, Session, fetch
from benchmarks.servers import started

LOOPBACK = "http://127.0.0.1:"
FRESH_S = 1.0
"""Maximum 95th percentile of another reader's wait for a fresh file during an attack. [s]"""
ALONE_S = 0.5
"""If a fresh file takes longer than this without an attack, the machine is too busy to judge. [s]"""
LEAST = 20
"""Minimum number of waiting times for a 95th percentile."""
Verdict = Literal["held", "fell", "inconclusive"]
LARGE = {"accelerators": 786432, "batch": 805.306368, "sequence": 65536, "memory": 100000, "domain": 100000}
LISTED = LARGE | {"model": "qwen3-30b-a3b", "accelerator": "gb300", "link": 100000}
LISTED |= {"available": 1000000, "sites": 1000}
CUSTOM = LARGE | {"model": "custom", "layers": 960, "heads": 2048, "experts": 4096}


def expensive(number: int) -> str:
    """Return a link to /training-run, different for each ``number``, that evaluates very many plans."""
    choices = LISTED if number % 10 else CUSTOM
    return f"/training-run.json?{urlencode({**choices, 'tokens': 1000 + number})}"


def ordinary(address: str, number: int) -> str:
    """Return an ordinary link to a trend for each ``number``. The first 728 links differ only in window and level."""
    turn, rest = divmod(number, 728)
    rest, since = divmod(rest, 13)
    level, to = divmod(rest, 14)
    more = f"&top={4 + turn}" if turn else ""
    return f"{address}?since={2010 + since}&to={2027 + to}&level={(50, 80, 90, 95)[level]}{more}"


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the table: the load, the observations and the faults.

    ``waits_s`` are those of other readers for fresh files, infinite without a response; ``alone_s`` is the time of one
    without an attack [s]; ``stretch`` is that of the target.
    """

    test: str = ""
    load: str
    result: str = ""
    faults: Sequence[str] = ()
    waits_s: Sequence[float] | None = None
    alone_s: float = 0.0
    stretch: float = 1.0

    @property
    def verdict(self) -> Verdict:
        """Return the outcome. A fault counts on any machine, a long wait only if the machine is not too busy."""
        if self.faults:
            return "fell"
        if self.waits_s is None:
            return "held"
        if self.alone_s > self.stretch * ALONE_S:
            return "inconclusive"
        if too_late(self.waits_s, stretch=self.stretch):
            return "fell"
        return "held" if len(self.waits_s) >= LEAST else "inconclusive"

    def __str__(self) -> str:
        seen = [self.result, *(f"WRONG: {fault}" for fault in self.faults)]
        if self.waits_s is not None:
            p95_s = np.quantile(self.waits_s or [np.inf], 0.95, method="inverted_cdf")
            wait = f"p95 {p95_s:.2f} s" if np.isfinite(p95_s) else "late or refused"
            counts = f"n = {len(self.waits_s)}; alone {self.alone_s:.2f} s"
            seen.append(f"a fresh file beside it: {wait}, {counts}")
        words = "\n".join(f"{'':14}{line}" for line in seen if line)
        shown = self.verdict if self.verdict != "fell" else "FELL"
        return f"{shown:13} {self.test}: {self.load}\n{words}"


def too_late(waits_s: Sequence[float], *, stretch: float = 1.0) -> bool:
    """Return whether more than one in twenty of at least ``LEAST`` waiting times exceed the limit."""
    return sum(wait_s > stretch * FRESH_S for wait_s in waits_s) > max(len(waits_s), LEAST) / 20


@dataclass(frozen=True, kw_only=True)
class Target:
    """The server under attack, the share of the full load to apply, and the factor for every time limit.

    ``patience_s`` is the maximum wait for released resources [s]; ``without`` lists its broken parts.
    """

    folder: Path
    share: float = 1.0
    stretch: float = 1.0
    patience_s: float = 60.0
    without: Sequence[str] = ()
    url: str = ""
    process: int = 0
    numbers: Iterator[int] = field(default_factory=itertools.count)

    @contextmanager
    def start(self, name: str = "", **circumstances: Any) -> "Iterator[Target]":
        """Yield this target with a running server. ``circumstances`` are arguments of :func:`started`."""
        folder = self.folder / name
        with started("ours", folder=folder, without=self.without, **circumstances) as (url, process):
            if not url.startswith(LOOPBACK):
                raise ValueError(f"Only a server on this machine is attacked; got {url}.")
            yield replace(self, url=url, process=process, folder=folder, numbers=itertools.count())

    @property
    def port(self) -> int:
        """Return the port of the server."""
        return int(self.url.rpartition(":")[2])

    def of(self, count: int) -> int:
        """Return this target's share of a count, but at least one."""
        return max(round(self.share * count), 1)

    def until_warm(self) -> None:
        """Wait until the server has warmed up, that is, until the last view that it prepares is cached."""
        fetch(self.url, "/placement.json")

    def fresh_s(self, **request: Any) -> float:
        """Return the time of a response that is not cached. Infinite if it is late or fails. [s]"""
        link = ordinary("/training-compute.csv", next(self.numbers))
        try:
            answer = fetch(self.url, link, timeout_s=10 * self.stretch * FRESH_S, **request)
        except OSError:
            return float("inf")
        return answer.wait_s if answer.status == 200 and answer.body.count(b"\n") > 5 else float("inf")

    def alone_s(self) -> float:
        """Return the current response time for a fresh file, as the median of five requests. [s]"""
        return float(np.median([self.fresh_s() for _ in range(5)]))

    def fresh_waits_s(self, *, go_on: Callable[[], bool] | None = None, **request: Any) -> list[float]:
        """Return waiting times, measured until ``go_on`` is false and there are enough or too many late ones. [s]"""
        waits_s: list[float] = []
        while (go_on is not None and go_on()) or (
            len(waits_s) < LEAST and not too_late(waits_s, stretch=self.stretch)
        ):
            waits_s.append(self.fresh_s(**request))
            time.sleep(0.1)
        return waits_s

    def faults_of_service(self) -> list[str]:
        """Return what an ordinary reader does not get: a page, a view's numbers, a session or an upload."""
        contents = {"/growth-gap": b"<h1", "/growth-gap.json": b'"headline"', "/fleet.png": b"PNG"}
        faults = []
        for path, content in contents.items():
            answer = fetch(self.url, path)
            if answer.status != 200 or content not in answer.body:
                faults.append(f"an ordinary reader's {path}: {answer.status}, {len(answer.body)} bytes")
        try:
            faults += asyncio.run(_faults_of_a_session(self.url))
        except LOST as fault:
            faults.append(f"an ordinary reader's session: {type(fault).__name__}: {fault}")
        return faults


async def _faults_of_a_session(url: str) -> list[str]:
    async with await Session.open(url, "data") as session:
        status = await session.upload(b"Model\n")
        await session.take_away()
    return [] if status == 204 else [f"an ordinary reader's upload: {status}"]


def counted(counts: Counter[int] | Counter[str]) -> str:
    """Return text that lists each item with its count."""
    return ", ".join(f"{count:,} × {what}" for what, count in sorted(counts.items(), key=str)) or "nothing"


def true_of(faults: Mapping[str, bool]) -> list[str]:
    """Return the names of the true faults."""
    return [fault for fault, is_so in faults.items() if is_so]
