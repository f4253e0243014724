"""Which choices of /training-run take so long that their answer waits apart from the others."""

from data.standing import rows
from views.training_run.choices import architectures
from views.training_run.settings import CUSTOM, TrainingRunSettings

MANY_ACCELERATORS = 65_536
LONG_SEQUENCE = 32_768
"""From here on sequences are split over devices in three ways or more. [token]"""
MANY_WAYS = 150
"""More ways than this to split experts and sequences, over all halves of the accelerators, are many."""


def dear(settings: TrainingRunSettings) -> bool:
    """Return whether so many plans are tried that the answer may take more than half a second.

    Every half of the accelerators is tried, with experts and long sequences split in powers of two.
    """
    accelerators = min(settings.accelerators, settings.available or settings.accelerators)
    if accelerators > MANY_ACCELERATORS or settings.sequence >= LONG_SEQUENCE:
        return True
    experts = _experts(settings)
    sequences = 2 if settings.sequence >= LONG_SEQUENCE // 2 else 1
    return accelerators.bit_length() * sequences * (experts & -experts).bit_length() > MANY_WAYS


def _experts(settings: TrainingRunSettings) -> int:
    if settings.model == CUSTOM:
        return settings.experts
    with settings.reading():
        return int(rows("architectures", "name")[architectures()[settings.model]]["n_experts"]) or 1
