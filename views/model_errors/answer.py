"""What the exhibits, figures and words of /model-errors share: the chosen rows, their errors and their groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from analysis.model_errors.comparison import Comparison, by_model, summary
from analysis.model_errors.errors import Errors
from views.model_errors.groups import Group, grouped, shown
from views.model_errors.settings import ALL, ModelErrorsSettings, rows, word_of

TOO = {"tokens/s": ("fast", "slow"), "s": ("long", "short")}
"""What a prediction is that is higher than what was measured, and one that is lower, by unit."""


def chosen(settings: ModelErrorsSettings) -> tuple[Comparison, ...]:
    """Return the rows of the settings' model that contain all their words."""
    wanted = settings.only.lower().split()
    return tuple(
        row
        for row in rows()
        if settings.model in (ALL, word_of(row.model)) and all(word in _searched(row) for word in wanted)
    )


def _searched(row: Comparison) -> str:
    parts = (
        *(row.model, row.case, row.architecture, row.accelerator, row.kind),
        *(row.engine, row.held_out_by, row.source_id, row.row_id),
    )
    return " ".join(parts).lower()


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One row or more, of one model or several, in groups."""

    settings: ModelErrorsSettings
    release: str
    rows: Sequence[Comparison]

    @cached_property
    def errors(self) -> Errors:
        """Return how far off the predictions of all rows are."""
        return summary(self.rows)

    @cached_property
    def of_model(self) -> dict[str, Errors]:
        """Return how far off each model's predictions are: models are never thrown together."""
        return by_model(self.rows)

    @property
    def several(self) -> bool:
        """Return whether the rows are those of several models."""
        return len(self.of_model) > 1

    @property
    def by(self) -> str:
        """Return what the rows are grouped by: of one model by its classes, where models are asked for."""
        one = self.settings.group == "model" and self.settings.model != ALL
        return "class" if one else self.settings.group

    @property
    def of_a_model(self) -> bool:
        """Return whether groups are named after their model too."""
        return self.several and self.by != "model"

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """Return every group, the furthest off first."""
        return grouped(self.rows, self.by, of_a_model=self.of_a_model)

    @cached_property
    def drawn(self) -> tuple[Group, ...]:
        """Return the groups that charts have room for."""
        return shown(self.groups)

    @cached_property
    def classes(self) -> tuple[Group, ...]:
        """Return the groups that notes name: the classes of each model where models are the groups."""
        return grouped(self.rows, "class", of_a_model=True) if self.by == "model" else self.groups

    @property
    def directions(self) -> tuple[str, str]:
        """Return what predictions above and below the measurements are: fast and slow, long and short, high and low."""
        units = {row.unit for row in self.rows}
        return TOO.get(units.pop(), ("high", "low")) if len(units) == 1 else ("high", "low")
