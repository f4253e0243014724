"""Content of a slide, independent of the file format."""

from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from charts.chart import Chart

Tone = Literal["good", "part", "bad", "none"]
"""Tone of a verdict: supported, in part, not supported, or undecided."""


@dataclass(frozen=True, kw_only=True)
class Slide:
    """Content of a slide: the finding, its chart, up to three key figures, source and method.

    ``figures`` are (label, value, interval) as text; ``source`` is one line with settings, data and release; ``link``
    is the absolute, pinned address of the view, ``shown_link`` its short printed form; ``notes`` contain method and
    caveats. ``subtitle`` is below the headline, by default that of the chart; ``exhibit`` is the number of the view's
    chart, from 1. ``verdict``, one or two words with a ``tone``, is above the figures and ``reason`` below them.
    """

    headline: str
    chart: Chart
    figures: tuple[tuple[str, str, str], ...]
    source: str
    link: str
    shown_link: str
    notes: str
    subtitle: str = ""
    exhibit: int = 1
    verdict: str = ""
    tone: Tone = "none"
    reason: str = ""

    def __post_init__(self) -> None:
        parts = urlsplit(self.link)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError(
                "A slide's link is an absolute web address, as https://example.org/growth-gap?since=2018; "
                f"got {self.link!r}."
            )
