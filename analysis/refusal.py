"""An error with separate texts for its reason and its remedy."""


class Refusal(ValueError):  # noqa: N818 - a message for the reader, not a fault of the program
    """Error for an impossible request. Its text consists of the ``reason`` and the ``remedy``.

    A remedy with a capital letter is a separate sentence after the reason; otherwise it continues the reason's.
    """

    def __init__(self, reason: str, *, remedy: str) -> None:
        """Store the reason and the remedy. The reason has no full stop."""
        super().__init__(f"{reason}{'. ' if remedy[:1].isupper() else '; '}{remedy}")
        self.reason = reason
        self.remedy = remedy
