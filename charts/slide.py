"""What a slide says, before any format."""

from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from charts.chart import Chart

Tone = Literal["good", "part", "bad", "none"]
"""How a verdict sounds: it holds, it holds in part, it does not, it cannot be told."""


@dataclass(frozen=True, kw_only=True)
class Slide:
    """What a slide says: the finding, its chart, up to three key figures, the source, and how it was made.

    ``figures`` are (label, value, interval), all in words; ``source`` is one line with settings, data and
    release; ``link`` is the absolute, pinned address of the view, ``shown_link`` how it is written, short enough to
    be typed; ``notes`` carry method and caveats. ``subtitle`` stands below the headline, that of the chart where it
    is empty; ``exhibit`` says which chart of the view this is, from 1. ``verdict`` in a word or two, with its ``tone``,
    stands above the figures and ``reason`` below them.
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
