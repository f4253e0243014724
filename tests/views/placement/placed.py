"""What /placement answers, and its places by their word in a link."""

from typing import Any

from views.placement.settings import PRESETS, PlacementSettings
from views.placement.view import VIEW
from views.view import answer

ANSWERING = [word for word, preset in PRESETS.items() if not preset.tuning]


def result(**changes) -> Any:
    return answer(VIEW, PlacementSettings(**changes))


def rows(result_of) -> dict[str, Any]:
    names = [column.name for column in result_of.table.columns]
    return {row[names.index("word")]: dict(zip(names, row, strict=True)) for row in result_of.table.rows}
