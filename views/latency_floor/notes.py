"""What is said beside a floor: how near published speeds come, what does not fit, and what stages do."""

import math

import numpy as np

from analysis.latency_floor.enough_chips import Placed
from analysis.latency_floor.floor import Floor, resident_byte
from data.releases import Release
from views import wording
from views.chips.linked import OFFERED
from views.latency_floor.published import reach, speeds
from views.latency_floor.settings import LatencyFloorSettings
from views.models import names as model_names
from views.models import row


def fits(placed: Placed, floor: Floor) -> bool:
    """Return whether every chip has memory enough."""
    return float(floor.memory_byte_per_chip) <= placed.chip.memory_capacity_byte * (1 + 1e-9)


def notes(
    settings: LatencyFloorSettings, placed: Placed, *, floor: Floor, stages: int, release: Release
) -> tuple[str, ...]:
    """Return the notes: how near published speeds come, what does not fit, what stages do, what is assumed."""
    lines = [
        "This is a floor, not a forecast: peak bandwidth, ideal splits, least latencies, no software. "
        f"{_published(placed, release)}"
    ]
    if not fits(placed, floor):
        lines.append(
            "The speed shown is what bandwidth would allow if the memory were larger. Add stages or chips, or "
            "choose a smaller format."
        )
    elif stages > 1:
        lines.append(
            f"{stages} stages give {stages} times the memory. One request gets no faster: handing a token from stage "
            f"to stage takes {wording.significant(float(floor.stages_s) * 1e3)} of its "
            f"{wording.significant(float(floor.total_s) * 1e3)} ms. {_busy(settings, placed, stages=stages)}"
        )
    if not np.isfinite(placed.peak_flop_per_s):
        lines.append(f"Nobody states a dense peak of the {placed.name}; computing is taken to cost nothing.")
    links = OFFERED[settings.chip]
    if links["stated"]:
        lines.append(f"Links of the {placed.name}: {links['stated']}.")
    window = int(model_window(settings))
    if settings.context > window:
        lines.append(
            f"{model_names()[settings.model]} was made for at most {window:,} tokens of context; the number "
            "beyond that is arithmetic."
        )
    return tuple(lines)


def _published(placed: Placed, release: Release) -> str:
    """Return how near published speeds come, on these chips if there are any."""
    everywhere = speeds(release)
    here = [speed for speed in everywhere if speed.chip == placed.name]
    if share := reach(here):
        return f"Published speeds on the {placed.name} reach {share} of such floors."
    share = reach(everywhere)
    return f"No speed published on the {placed.name} is known to us; on other chips they reach {share} of such floors."


def _busy(settings: LatencyFloorSettings, placed: Placed, *, stages: int) -> str:
    """Return how many batches the stages work on at once, and what all of them would need."""
    groups = placed.groups(tensor=settings.tensor_parallel, stages=stages)
    batch = wording.counted(settings.batch, "request")
    if groups == stages:
        return f"All {stages} are busy when as many batches of {batch} are under way; their KV caches fit."
    layers, tensor = math.ceil(placed.model.n_layers / stages), settings.tensor_parallel
    held = (
        float(resident_byte(placed.model, placed.request, groups=stages))
        * layers
        / placed.model.n_layers
        / tensor
    )
    fitting = (
        "Only one batch" if groups == 1 else f"Only {groups} batches"
    ) + f" of {batch} {'fits' if groups == 1 else 'fit'}"
    return (
        f"{fitting} at once, so stages wait for one another. The fullest stage decides, with {layers:,} of "
        f"{placed.model.n_layers:,} layers: a batch for each stage would need {wording.quantity(held, 'byte')} on each "
        f"of its chips, which hold {wording.quantity(placed.chip.memory_capacity_byte, 'byte')}."
    )


def model_window(settings: LatencyFloorSettings) -> float:
    """Return how many tokens of context the model was made for. [tokens]"""
    return float(row(settings.model)["context_tokens"])
