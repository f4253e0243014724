"""The view mechanism: a view is a link, and every form of it renders the same result."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from urllib.parse import parse_qs, urlencode

from data.releases import Release, latest, load, names
from views.result import Exhibit, Figure, Result, Source
from views.settings import Ignored, Settings, choice, parse
from views.sources import CURATION, EPOCH_AI

LATEST = "latest"


@dataclass(frozen=True, kw_only=True)
class ReleaseSettings(Settings):
    """The one setting every view has: which frozen release of the data it reads."""

    release: str = choice(
        LATEST,
        {LATEST: "the newest release", **{name: f"the release of {name}, frozen" for name in names()}},
        label="Data release",
        help="Releases never change. A copied link names its release, so it shows the same numbers for good.",
    )


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What a view's build function returns; the mechanism adds link, release and sources to make a Result.

    Exhibits and notes that cost time are better given as :class:`views.on_demand.OnDemand`: a preview reads
    the headline, a statement one figure, a picture one chart.
    """

    headline: str
    figures: tuple[Figure, ...]
    exhibits: Sequence[Exhibit]
    settings_line: str
    notes: Sequence[str] = ()
    method: tuple[str, ...] = ()
    sources: tuple[Source, ...] = field(default=(EPOCH_AI, CURATION))


@dataclass(frozen=True, kw_only=True)
class View:
    """One question: its address, its settings, and the pure function that answers it."""

    path: str
    title: str
    question: str
    settings: type[ReleaseSettings]
    build: Callable[..., Finding]
    method: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return the name of the view, as in its files: the start page is ``overview``."""
        return self.path.strip("/") or "overview"

    @property
    def module(self) -> str:
        """Return the name of the view's module or package, which is that of its page's file too."""
        return self.build.__module__.split(".")[1]


def pinned(settings: ReleaseSettings) -> ReleaseSettings:
    """Return the settings with ``latest`` replaced by the release it stands for today."""
    return replace(settings, release=latest()) if settings.release == LATEST else settings


def link(view: View, settings: ReleaseSettings) -> str:
    """Return the canonical link: every setting spelled out, pinned to a release."""
    return f"{view.path}?{urlencode(pinned(settings).described())}"


def read(view: View, query: str | Mapping[str, Sequence[str]]) -> tuple[ReleaseSettings, tuple[Ignored, ...]]:
    """Return the settings that a query, as text or parsed, asks for, and what of it was ignored."""
    if isinstance(query, str):
        query = parse_qs(query, keep_blank_values=True, max_num_fields=None, errors="replace")
    return parse(view.settings, query)


def split(text: str) -> tuple[str, str]:
    """Return path and query string of a link, which may be absolute or start at the path."""
    address, _, query = text.partition("#")[0].partition("?")
    path = re.sub(r"^[A-Za-z][A-Za-z0-9+.-]*://[^/]*", "", address)
    return "/" + path.strip("/"), query


@lru_cache(maxsize=512)
def _finding(view: View, settings: ReleaseSettings) -> Finding:
    return view.build(settings, load(settings.release))


def answer(
    view: View,
    settings: ReleaseSettings,
    *,
    ignored: tuple[Ignored, ...] = (),
    release: Release | None = None,
) -> Result:
    """Return the result of a view, from the settings' release or from ``release``, one a reader brought.

    Results from frozen releases are kept by settings; results from a reader's own data are never kept.
    """
    settings = pinned(settings)
    finding = _finding(view, settings) if release is None else view.build(settings, release)
    described = settings.described()
    name = settings.release
    if release is not None:
        name = described["release"] = release.name
    return Result(
        view=view.name,
        question=view.question,
        link=link(view, settings) if release is None else "",
        release=name,
        settings=described,
        headline=finding.headline,
        figures=finding.figures,
        exhibits=finding.exhibits,
        settings_line=finding.settings_line,
        notes=finding.notes,
        method=finding.method or view.method,
        sources=finding.sources,
        ignored=ignored,
    )
