"""What /placement answers, and its places by their word in a link."""

from typing import Any

from tests.views import reading
from views.placement.settings import PRESETS, PlacementSettings
from views.placement.view import VIEW
from views.view import answer

ANSWERING = [word for word, preset in PRESETS.items() if not preset.tuning]


def result(**changes) -> Any:
    return answer(VIEW, PlacementSettings(**changes))


def rows(result_of) -> dict[str, Any]:
    return {row["word"]: row for row in reading.rows(result_of.exhibits[0])}
