"""What a form of a view is: its extension, its type, its own settings, and how a result is written as it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from views.result import Exhibit, Result
from views.settings import Ignored, Settings, whole_number

MOST_EXHIBITS = 9


class NoSuchExhibit(LookupError):  # noqa: N818 - the reader's word for it
    """The view has fewer exhibits than asked for; carries what a 422 says."""

    def __init__(self, asked: int, *, there: int) -> None:
        allowed = f"a whole number from 1 to {there}"
        self.ignored = Ignored(setting="exhibit", value=str(asked), allowed=allowed)
        super().__init__(f"exhibit: got {asked}; allowed: {allowed}.")


@dataclass(frozen=True, kw_only=True)
class ExhibitSettings(Settings):
    """Which chart or table of the view is meant."""

    exhibit: int = whole_number(
        1,
        low=1,
        high=MOST_EXHIBITS,
        label="Exhibit",
        help="Which chart of the view, from the top of its page.",
    )


@dataclass(frozen=True, kw_only=True)
class Order:
    """What is written: a result, the form's own settings, the site's address, and today."""

    result: Result
    options: Any
    origin: str
    today: date

    @property
    def link(self) -> str:
        """Return the absolute, pinned address of the view."""
        return f"{self.origin}{self.result.link}"

    @property
    def exhibit(self) -> Exhibit:
        """Return the exhibit asked for; raise NoSuchExhibit where the view has none of that number."""
        there = len(self.result.exhibits)
        if self.options.exhibit > there:
            raise NoSuchExhibit(self.options.exhibit, there=there)
        return self.result.exhibits[self.options.exhibit - 1]


@dataclass(frozen=True, kw_only=True)
class Form:
    """One form that every view has.

    ``dated`` says that the file depends on the day it is fetched; ``policy`` is its own content security
    policy; ``download`` has a browser save it rather than show it.
    """

    extension: str
    media_type: str
    what: str
    write: Callable[[Order], bytes]
    options: type[Settings] = Settings
    download: bool = False
    dated: bool = False
    policy: str = ""
