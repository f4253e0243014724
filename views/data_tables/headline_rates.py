"""The growth rates people quote, from any release side by side."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from data.releases import Release
from views import wording
from views.result import Column, Figure, Result, Table
from views.runs import disclosure
from views.runs.choice import TrainingComputeSettings
from views.view import ReleaseSettings, View, answer, read, split

QUOTED: tuple[tuple[str, str], ...] = (
    ("Training compute, top 10 at release, since 2012", "/training-compute"),
    ("Training compute, language, top 10, since 2020", "/training-compute?since=2020&domain=language"),
    ("Training compute, all notable runs, since 2010", "/training-compute?since=2010&rule=notable"),
    ("Memory bandwidth, all products", "/accelerators"),
    ("Memory bandwidth, all rows as exported", "/accelerators?curation=as-exported"),
    (
        "Memory bandwidth, NVIDIA flagships, since 2012",
        "/accelerators?rule=flagships&vendor=nvidia&since=2012",
    ),
)
"""What each rate is called, and the link that gives it."""


class Rate(NamedTuple):
    """A growth rate a year and the bounds of its 90 % interval."""

    value: float
    low: float
    high: float


def rates_of(release: Release, *, views: Mapping[str, View]) -> dict[str, Rate]:
    """Return the quoted rates of a release by what each is called, without those that it has too few rows for."""
    rates = {}
    for label, link in QUOTED:
        growth = _growth(_answer(link, views=views, release=release)[1])
        if growth and growth.value is not None and growth.low is not None and growth.high is not None:
            rates[label] = Rate(growth.value, growth.low, growth.high)
    return rates


def rate_words(link: str, *, views: Mapping[str, View], release: Release) -> str:
    """Return the rate that a link gives at a release, with its interval and its warning, or why there is none."""
    settings, result = _answer(link, views=views, release=release)
    growth = _growth(result)
    if growth is None:
        return result.headline
    words = f"{growth.text} ({growth.interval_text})"
    warning = disclosure.warning(release, settings) if isinstance(settings, TrainingComputeSettings) else ""
    return f"{words}. {warning}" if warning else words


def _answer(link: str, *, views: Mapping[str, View], release: Release) -> tuple[ReleaseSettings, Result]:
    path, query = split(link)
    settings, _ = read(views[path], query)
    return settings, answer(views[path], settings, release=release)


def _growth(result: Result) -> Figure | None:
    return next((figure for figure in result.figures if figure.name == "yearly_growth"), None)


def compared(releases: Sequence[Release], *, views: Mapping[str, View]) -> Table:
    """Return the quoted rates of several releases as one table, a column each; ``views`` by address."""
    return Table(
        columns=(
            Column(name="rate", label="Growth", kind="text"),
            *(
                Column(name=f"release_{number}", label=wording.sentence_case(release.name), kind="text")
                for number, release in enumerate(releases)
            ),
        ),
        rows=tuple(
            (label, *(rate_words(link, views=views, release=release) for release in releases))
            for label, link in QUOTED
        ),
    )
