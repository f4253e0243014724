"""Results for /model-errors: the selected rows, their errors and their groups."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from analysis.model_errors.comparison import Comparison, by_model, summary
from analysis.model_errors.errors import Errors
from data import sources
from data.by_release import kept_by_release
from data.releases import load, reference
from views import wording
from views.model_errors.settings import ALL, ModelErrorsSettings, named, rows, word_of

FEWEST = 5
"""Minimum number of rows in a group. Smaller groups are merged."""
MOST = 14
"""Maximum number of groups in a chart. The table has all groups."""


@dataclass(frozen=True, kw_only=True)
class Group:
    """Rows that share a property, with the group's displayed name. ``pooled`` marks a group merged from several."""

    name: str
    rows: tuple[Comparison, ...]
    errors: Errors
    pooled: bool = False


def _half_year(row: Comparison) -> str:
    if math.isnan(row.software_date):
        return "Date not stated"
    year = math.floor(row.software_date)
    return f"{year}, {'first' if row.software_date - year < 0.5 else 'second'} half"


@kept_by_release()
def _products() -> Mapping[str, str]:
    chips = load(reference()).accelerators
    return dict(zip(chips["name"].astype(str), chips["product"].astype(str), strict=True))


def chip_of(row: Comparison) -> str:
    """Return a row's chip as displayed, such as H100 SXM. Empty if unknown."""
    return _products().get(row.accelerator) or row.accelerator


def source_title(row: Comparison) -> str:
    """Return the title of a row's source, or the source's id if it is not in our list."""
    return str(sources.rows().get(row.source_id, {}).get("title", row.source_id))


KEYS: Mapping[str, Callable[[Comparison], str]] = {
    "model": lambda row: wording.sentence_case(named(row.model)),
    "class": lambda row: named(row.kind, "kind"),
    "chip": lambda row: chip_of(row) or "Chip not stated",
    "architecture": lambda row: row.architecture or "Unknown language model",
    "engine": lambda row: row.engine or "Engine not stated",
    "software-date": _half_year,
    "way": lambda row: wording.sentence_case(row.held_out_by),
    "source": source_title,
}
IN_WORDS = frozenset({"class", "way"})
"""Groupings with common nouns as names, which are in lower case inside a sentence."""
ORDERED = frozenset({"software-date"})
"""Groupings in order of name instead of error."""


def key_of(by: str, *, of_a_model: bool = False) -> Callable[[Comparison], str]:
    """Return the function that assigns a row to a group. With ``of_a_model``, each group has rows of one model."""
    key = KEYS[by]
    if not of_a_model:
        return key
    inside = wording.small_initial if by in IN_WORDS else str
    return lambda row: f"{wording.sentence_case(named(row.model))}: {inside(key(row))}"


def grouped(rows: Sequence[Comparison], by: str, *, of_a_model: bool = False) -> tuple[Group, ...]:
    """Return every group of at least five rows, largest error first, then a group of the other rows.

    Groups ``of_a_model`` have rows of one model each: predictions of different models are never pooled.
    """
    key = key_of(by, of_a_model=of_a_model)
    by_name: dict[str, list[Comparison]] = {}
    for row in rows:
        by_name.setdefault(key(row), []).append(row)
    groups = [_group(name, members) for name, members in by_name.items() if len(members) >= FEWEST]
    groups.sort(key=lambda group: (0.0 if by in ORDERED else -group.errors.size, group.name))
    small = [members for members in by_name.values() if len(members) < FEWEST]
    if small:
        name = f"Fewer than {FEWEST} rows: {wording.counted(len(small), 'group')}"
        groups.append(_group(name, [row for members in small for row in members], pooled=True))
    return tuple(groups)


def shown(groups: Sequence[Group]) -> tuple[Group, ...]:
    """Return the groups for a chart. If there are too many, groups with small errors are merged."""
    single = [group for group in groups if not group.pooled]
    if len(single) <= MOST:
        return tuple(groups)
    rest = single[MOST - 1 :]
    name = f"Smaller errors: {wording.counted(len(rest), 'group')}"
    together = _group(name, [row for group in rest for row in group.rows], pooled=True)
    return (*single[: MOST - 1], together, *(group for group in groups if group.pooled))


def worst(groups: Sequence[Group], *, count: int) -> tuple[Group, ...]:
    """Return the ``count`` groups with the largest errors, except merged ones."""
    single = [group for group in groups if not group.pooled]
    return tuple(sorted(single, key=lambda group: -group.errors.size)[:count])


def _group(name: str, rows: Sequence[Comparison], *, pooled: bool = False) -> Group:
    return Group(name=name, rows=tuple(rows), errors=summary(rows), pooled=pooled)


TOO = {"tokens/s": ("fast", "slow"), "s": ("long", "short")}
"""Adjectives for predictions above and below a measurement, keyed by unit."""


def chosen(settings: ModelErrorsSettings) -> tuple[Comparison, ...]:
    """Return the chosen model's rows that contain every search word."""
    wanted = settings.only.lower().split()
    return tuple(
        row
        for row in rows()
        if settings.model in (ALL, word_of(row.model)) and all(word in _searched(row) for word in wanted)
    )


def _searched(row: Comparison) -> str:
    parts = (
        *(row.model, named(row.model), row.case, row.architecture, row.accelerator, row.kind),
        *(row.engine, row.held_out_by, row.source_id, row.row_id),
    )
    return " ".join(parts).lower()


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The selected rows, at least one, with their errors and groups."""

    settings: ModelErrorsSettings
    release: str
    rows: Sequence[Comparison]

    @cached_property
    def errors(self) -> Errors:
        """Return the error statistics over all rows."""
        return summary(self.rows)

    @cached_property
    def of_model(self) -> dict[str, Errors]:
        """Return the error statistics of each model. Models are never pooled."""
        return by_model(self.rows)

    @property
    def several(self) -> bool:
        """Return whether the rows belong to several models."""
        return len(self.of_model) > 1

    @property
    def by(self) -> str:
        """Return the property that groups the rows. For a single model, it is the class instead of the model."""
        one = self.settings.group == "model" and self.settings.model != ALL
        return "class" if one else self.settings.group

    @property
    def of_a_model(self) -> bool:
        """Return whether each group's name includes the name of its model."""
        return self.several and self.by != "model"

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """Return every group, largest error first."""
        return grouped(self.rows, self.by, of_a_model=self.of_a_model)

    @cached_property
    def drawn(self) -> tuple[Group, ...]:
        """Return the groups shown in charts."""
        return shown(self.groups)

    @cached_property
    def classes(self) -> tuple[Group, ...]:
        """Return the groups for notes. Rows of several models are grouped by class."""
        return grouped(self.rows, "class", of_a_model=True) if self.by == "model" else self.groups

    @property
    def directions(self) -> tuple[str, str]:
        """Return adjectives for predictions above and below measurements, such as "fast" and "slow"."""
        units = {row.unit for row in self.rows}
        return TOO.get(units.pop(), ("high", "low")) if len(units) == 1 else ("high", "low")
