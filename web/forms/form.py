"""What a form of a view is: its extension, its type, its own settings, and how a result is written as it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from views.result import Exhibit, Result
from views.settings import Ignored, Settings, whole_number
from web.problem import UnusableError

MOST_EXHIBITS = 9


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
        """Return the exhibit asked for; raise UnusableError where the view has none of that number."""
        self.check()
        return self.result.exhibits[self.options.exhibit - 1]

    def check(self) -> None:
        """Return when the view has the exhibit asked for; else raise UnusableError."""
        asked, there = self.options.exhibit, len(self.result.exhibits)
        if asked > there:
            allowed = f"a whole number from 1 to {there}"
            raise UnusableError([Ignored(setting="exhibit", value=str(asked), allowed=allowed)])


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
