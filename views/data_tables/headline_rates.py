"""The growth rates people quote, from any release side by side."""

from collections.abc import Mapping, Sequence

from data.releases import Release
from views import wording
from views.result import Column, Figure, Table
from views.runs import disclosure
from views.runs.choice import TrainingComputeSettings
from views.view import View, answer, read, split

QUOTED: tuple[tuple[str, str], ...] = (
    ("Training compute, top 10 at release, since 2012", "/training-compute"),
    (
        "Training compute, language, top 10, since 2020",
        "/training-compute?since=2020&domain=language",
    ),
    ("Training compute, all notable runs, since 2010", "/training-compute?since=2010&rule=notable"),
    ("Memory bandwidth, all products", "/accelerators"),
    ("Memory bandwidth, all rows as exported", "/accelerators?curation=as-exported"),
    (
        "Memory bandwidth, NVIDIA flagships, since 2012",
        "/accelerators?rule=flagships&vendor=nvidia&since=2012",
    ),
)
"""What each rate is called, and the link that gives it."""


def rate_words(link: str, *, views: Mapping[str, View], release: Release) -> str:
    """Return the rate that a link gives at a release, with its interval and its warning, or why there is none."""
    path, query = split(link)
    settings, _ = read(views[path], query)
    result = answer(views[path], settings, release=release)
    growth = [figure for figure in result.figures if figure.name == "yearly_growth"]
    if not growth:
        return result.headline
    warning = disclosure.warning(release, settings) if isinstance(settings, TrainingComputeSettings) else ""
    return f"{_rate(growth[0])}. {warning}" if warning else _rate(growth[0])


def _rate(growth: Figure) -> str:
    return f"{growth.text} ({growth.interval_text})"


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
