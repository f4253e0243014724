"""The runs and chips readers know, which charts name."""

from collections.abc import Mapping, Sequence
from typing import Literal

from data import standing
from data.by_release import kept_by_release

Kind = Literal["training_runs", "accelerators"]


@kept_by_release()
def labels(kind: Kind) -> Mapping[str, str]:
    """Return what charts print for the known runs or chips, by their name in the data, best known first."""
    rows = standing.table("landmarks")
    known = rows.loc[rows["table"] == kind]
    return dict(zip(known["name"], known["label"], strict=True))


def marked(names: Sequence[str], *, kind: Kind) -> tuple[tuple[int, str], ...]:
    """Return index and label of the known runs or chips among ``names``, best known first."""
    places = {name: index for index, name in enumerate(names)}
    return tuple((places[name], label) for name, label in labels(kind).items() if name in places)
