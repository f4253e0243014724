"""An error that keeps why something cannot be apart from what to do about it."""


class Refusal(ValueError):  # noqa: N818 - what a reader is told, not a fault of the program
    """What cannot be: the ``reason``, and the ``remedy`` that leads out of it. Its text is both.

    A remedy with a capital letter is a sentence of its own behind the reason, any other part of the same one.
    """

    def __init__(self, reason: str, *, remedy: str) -> None:
        """Take both parts, the reason without its full stop."""
        super().__init__(f"{reason}{'. ' if remedy[:1].isupper() else '; '}{remedy}")
        self.reason = reason
        self.remedy = remedy
