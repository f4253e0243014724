"""What a form of a view is: its extension, its type, its own settings, and how a result is written as it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from views.result import Exhibit, Result
from views.settings import Settings, whole_number

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
        """Return the exhibit asked for; raise SettingError where the view has none of that number."""
        return self.result.exhibit(self.options.exhibit)


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
