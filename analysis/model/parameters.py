"""How many parameters a model has, and how many of them do what."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class ParameterCounts:
    """How many parameters a model has in all, and how many of them do what.

    ``active`` work on one token. ``routed`` are those of all experts a token can be sent to, 0 in a dense model.
    ``lookup`` are those of an input embedding kept apart, of which a token reads one row.
    """

    total: float
    active: float
    routed: float = 0.0
    lookup: float = 0.0

    def __post_init__(self) -> None:
        """Refuse a model that no one can run."""
        if not 0 < self.active <= self.total:
            raise ValueError(
                f"active parameters lie above 0 and at most at all {self.total:g}; got {self.active:g}. Pass how many "
                "work on one token."
            )


def megatron_parameters(
    *, n_layers: int, hidden_size: int, vocabulary_size: int, sequence_length: int
) -> float:
    """Return the parameters of a GPT with learned positions.

    References
    ----------
    Narayanan et al., "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    arXiv:2104.04473, equation 2.
    """
    inside = 1 + 13 / (12 * hidden_size)
    inside += (vocabulary_size + sequence_length) / (12 * n_layers * hidden_size)
    return 12 * n_layers * hidden_size**2 * inside
