"""An error with separate texts for the reason and the remedy."""


class Refusal(ValueError):  # noqa: N818 - a message for the reader, not a fault of the program
    """Error for an impossible request: the ``reason`` and the ``remedy``. Its text consists of both.

    A remedy with a capital letter is a separate sentence after the reason; otherwise it continues the reason's.
    """

    def __init__(self, reason: str, *, remedy: str) -> None:
        """Store both parts; the reason has no full stop."""
        super().__init__(f"{reason}{'. ' if remedy[:1].isupper() else '; '}{remedy}")
        self.reason = reason
        self.remedy = remedy
