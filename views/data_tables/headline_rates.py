"""The growth rates people quote, from any release side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

from data.releases import Release
from views import accelerators, training_compute, wording
from views.result import Column, Table
from views.view import View, answer, read

QUOTED: tuple[tuple[str, View, str], ...] = (
    ("Training compute, top 10 at release, since 2012", training_compute.VIEW, ""),
    ("Training compute, language, top 10, since 2020", training_compute.VIEW, "since=2020&domain=language"),
    ("Training compute, all notable runs, since 2010", training_compute.VIEW, "since=2010&rule=notable"),
    ("Memory bandwidth, all products", accelerators.VIEW, ""),
    ("Memory bandwidth, all rows as exported", accelerators.VIEW, "curation=as-exported"),
    (
        "Memory bandwidth, NVIDIA flagships, since 2012",
        accelerators.VIEW,
        "rule=flagships&vendor=nvidia&since=2012",
    ),
)


@dataclass(frozen=True, kw_only=True)
class Rate:
    """A quoted rate as one release gives it: text with interval, or why there is none."""

    label: str
    text: str


def rates(release: Release) -> tuple[Rate, ...]:
    """Return every quoted rate as the release gives it."""
    found = []
    for label, view, query in QUOTED:
        settings, _ = read(view, query)
        result = answer(view, settings, release=release)
        growth = [figure for figure in result.figures if figure.name == "yearly_growth"]
        text = f"{growth[0].text} ({growth[0].interval_text})" if growth else result.headline
        found.append(Rate(label=label, text=text))
    return tuple(found)


def compared(releases: Sequence[Release]) -> Table:
    """Return the quoted rates of several releases as one table, a column each."""
    columns = [rates(release) for release in releases]
    return Table(
        columns=(
            Column(name="rate", label="Growth", kind="text"),
            *(
                Column(name=f"release_{number}", label=wording.sentence_case(release.name), kind="text")
                for number, release in enumerate(releases)
            ),
        ),
        rows=tuple(
            (label, *(column[index].text for column in columns)) for index, (label, _, _) in enumerate(QUOTED)
        ),
    )
