"""A short link that leads nowhere says why."""

SHOWN_LENGTH = 24


class ShortLinkError(ValueError):
    """A short link cannot be followed; the message says what it is, what came and what to do.

    ``link`` is the long link of what can still be read of it; empty where nothing can.
    """

    def __init__(self, message: str, *, link: str = "") -> None:
        self.link = link
        super().__init__(message)


def damaged(text: str) -> ShortLinkError:
    """Return the error of a short link whose letters are not those it was made with."""
    short = text if len(text) <= SHOWN_LENGTH else text[:SHOWN_LENGTH] + "…"
    seen = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in short)
    return ShortLinkError(
        f"This short link is damaged or cut short: its letters do not fit together; got {seen!r}. "
        "Copy it again in full, or ask whoever gave it to you for the long link."
    )


def newer() -> ShortLinkError:
    """Return the error of a short link that speaks of what this program does not know yet."""
    return ShortLinkError(
        "This short link was made by a newer version of this site, which may still be on its way to all of "
        "its servers. Try again in a few minutes."
    )
