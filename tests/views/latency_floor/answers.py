"""What /latency-floor answers to a link, and the model on its chips that the answer is made of."""

from functools import partial
from typing import Any

from data.releases import latest, load
from tests.views.reading import answer_to
from tests.views.reading import columns as columns
from tests.views.reading import value as value
from views.latency_floor import settings as choices
from views.latency_floor.answer import FloorAnswer
from views.latency_floor.settings import LatencyFloorSettings
from views.latency_floor.view import VIEW

ask = partial(answer_to, VIEW)


def placed(**settings: Any):
    """Return the model and requests on the chosen chip of the newest release."""
    chosen = LatencyFloorSettings(**settings)
    on_chip = choices.placed(chosen, load(latest()), chip=chosen.chip)
    assert on_chip is not None
    return on_chip


def floor_answer(**settings: Any) -> FloorAnswer:
    """Return the answer on the chosen chip of the newest release."""
    chosen, release = LatencyFloorSettings(**settings), load(latest())
    return FloorAnswer(settings=chosen, release=release, placed=placed(**settings))
