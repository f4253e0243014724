"""Times of /latency-floor in a reader's words."""

from views import wording


def milliseconds(seconds: float) -> str:
    """Return a time in milliseconds: 2.8 ms."""
    return f"{wording.significant(seconds * 1e3)} ms"
