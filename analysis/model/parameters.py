"""Parameter counts of a model, in total and by part."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class ParameterCounts:
    """Parameter counts of a model, in total and by part.

    ``active`` parameters process one token. ``routed`` are those of all experts a token can be routed to, 0 in a dense
    model. ``lookup`` are those of an untied input embedding, of which a token reads one row.
    """

    total: float
    active: float
    routed: float = 0.0
    lookup: float = 0.0

    def __post_init__(self) -> None:
        if not 0 < self.active <= self.total:
            raise ValueError(
                f"active parameters lie above 0 and at most at all {self.total:g}; got {self.active:g}. Pass how many "
                "work on one token."
            )
