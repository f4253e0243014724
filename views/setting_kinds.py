"""Kinds of settings: their values, and how links, pages and JSON Schema present them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from views.wording import month_words, sentence_case
from views.written import toml

SHOWN_LENGTH = 60
GROUPS: tuple[str, ...] = tuple(toml(__file__, name="groups.toml")["groups"])
"""Headings of the controls below the first row, in page order."""
FOLDED = frozenset({"Own chip", "Reliability"})
"""Headings that are collapsed while their settings have their defaults."""

NOTHING = "–"
CALENDAR_YEARS = (1900, 2100)


def _shown(text: str) -> str:
    short = text if len(text) <= SHOWN_LENGTH else text[:SHOWN_LENGTH] + "…"
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in short)


class SettingError(ValueError):
    """Raised for an invalid value in a link. It has the setting, the value and what is allowed."""

    def __init__(self, setting: str, value: str, *, allowed: str) -> None:
        self.setting = _shown(setting)
        self.value = _shown(value)
        self.allowed = allowed
        super().__init__(f"{self.setting}: got {self.value!r}; allowed: {allowed}.")


@dataclass(frozen=True, kw_only=True)
class Setting:
    """Base class of all settings: their labels and the positions of their controls.

    The control is in the first row, or under the heading ``group`` (one of ``GROUPS``). The setting has no effect
    unless each setting in ``needs`` has one of the listed values.
    """

    label: str
    help: str
    first_row: bool = False
    group: str = ""
    needs: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise ValueError for an unknown heading."""
        if self.group and self.group not in GROUPS:
            raise ValueError(f"group is one of {', '.join(GROUPS)}; got {self.group!r} for {self.label!r}.")

    @property
    def allowed(self) -> str:
        """Return a description of the allowed values."""
        raise NotImplementedError

    def parse(self, name: str, text: str) -> Any:
        """Return the value that a text represents. Raises SettingError, with what is allowed, if there is none."""
        raise NotImplementedError

    def text(self, value: Any) -> str:
        """Return a value as written in a link."""
        return str(value)

    def shown(self, value: Any) -> str:
        """Return a value as displayed, or the text for an unset value."""
        return self.text(value)

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the setting."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Choice(Setting):
    """One of a few options. ``options`` maps each to its meaning, and ``labels`` to its displayed label.

    An option without a label is displayed by its meaning if that is short, such as a model's name. If the page shows
    the options as a row of pills, ``pills`` gives the figure on each option's pill; ``ordered`` options are steps with
    links to the previous and next. ``former`` gives the replacements of options in old links.
    """

    options: Mapping[str, str]
    labels: Mapping[str, str] = field(default_factory=dict)
    pills: Mapping[str, str] = field(default_factory=dict)
    ordered: bool = False
    former: Mapping[str, str] = field(default_factory=dict)

    @property
    def allowed(self) -> str:
        """Return a description of the allowed values."""
        return ", ".join(self.options)

    def parse(self, name: str, text: str) -> str:
        """Return the option named by a text. Raises SettingError if no option has that name."""
        text = self.former.get(text, text)
        if text not in self.options:
            raise SettingError(name, text, allowed=self.allowed)
        return text

    def label_of(self, word: str) -> str:
        """Return the short label of an option."""
        return self.labels.get(word) or sentence_case(self.options[word])

    def more_of(self, word: str) -> str:
        """Return the meaning of an option. Empty if it adds nothing to the label."""
        meaning, label = self.options[word], self.label_of(word)
        return "" if meaning.removeprefix("the ").casefold() == label.casefold() else meaning

    def shown(self, value: str) -> str:
        """Return the label of an option."""
        return self.label_of(value)

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the setting, with the label and meaning of each option."""
        described = []
        for word in self.options:
            more = self.more_of(word)
            described.append(
                {"const": word, "title": self.label_of(word), **({"description": more} if more else {})}
            )
        return {"type": "string", "enum": list(self.options), "oneOf": described, "description": self.help}


@dataclass(frozen=True, kw_only=True)
class Number(Setting):
    """A number between two inclusive bounds. It may be empty if ``unset`` states what that means.

    With ``zero_is_unset``, 0 in old links is read as empty, and written as empty.
    """

    low: float
    high: float
    unset: str = ""
    zero_is_unset: bool = False

    noun: ClassVar[str]
    json_type: ClassVar[str]
    pattern: ClassVar[str]
    read: ClassVar[Callable[[str], float]]

    @property
    def allowed(self) -> str:
        """Return a description of the allowed values."""
        empty = f", or empty for {self.unset}" if self.unset else ""
        return f"{self.noun} from {self.shown(self.low)} to {self.shown(self.high)}{empty}"

    def parse(self, name: str, text: str) -> float | None:
        """Return the number in a text. None if the text is empty. Raises SettingError if it is invalid."""
        if self.unset and not text:
            return None
        if not re.fullmatch(self.pattern, text, flags=re.ASCII) or not self.low <= float(text) <= self.high:
            raise SettingError(name, text, allowed=self.allowed)
        return None if self.zero_is_unset and not float(text) else type(self).read(text)

    def text(self, value: float | None) -> str:
        """Return a number without an exponent or trailing zeros. Empty if it is unset."""
        return "" if value is None else self._digits(value).replace(",", "")

    def shown(self, value: float | None) -> str:
        """Return a number with thousands separators, or the text for an unset number."""
        return self.unset if value is None else self._digits(value)

    def _digits(self, value: float) -> str:
        return f"{value:,.9f}".rstrip("0").rstrip(".")

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the setting."""
        bounds = {"minimum": self.low, "maximum": self.high}
        if not self.unset:
            return {"type": self.json_type, **bounds, "description": self.help}
        empty = f"{self.help} Null, empty in a link: {self.unset}."
        return {"type": [self.json_type, "null"], **bounds, "description": empty}


@dataclass(frozen=True, kw_only=True)
class WholeNumber(Number):
    """A whole number between two bounds. Years have no thousands separators."""

    noun, json_type, pattern, read = "a whole number", "integer", r"[0-9]{1,9}", int

    def shown(self, value: float | None) -> str:
        """Return a number with thousands separators (except years), or the text for an unset number."""
        first, last = CALENDAR_YEARS
        return (
            self.text(value)
            if value is not None and first <= self.low and self.high <= last
            else super().shown(value)
        )


@dataclass(frozen=True, kw_only=True)
class Decimal(Number):
    """A number between two bounds, written without an exponent. Its control changes it by ``step``."""

    step: float

    noun, json_type, pattern, read = "a number", "number", r"[0-9]{1,9}(\.[0-9]{1,9})?", float


@dataclass(frozen=True, kw_only=True)
class Month(Setting):
    """A year such as 2018 or a month such as 2018-06. The option ``unbounded`` stands for no limit.

    Its displayed text is ``no_limit``.
    """

    low: int
    high: int
    unbounded: str | None = None
    no_limit: str = "No limit"

    @property
    def allowed(self) -> str:
        """Return a description of the allowed values."""
        dates = (
            f"a year or month from {self.low} to {self.high}, such as {self.high - 6} or {self.high - 6}-06"
        )
        return f"{dates}, or {self.unbounded}" if self.unbounded else dates

    def parse(self, name: str, text: str) -> str:
        """Return the year, month or option in a text. Raises SettingError if the text is none of these."""
        if text == self.unbounded:
            return text
        match = re.fullmatch(r"([0-9]{4})(?:-(0[1-9]|1[0-2]))?", text, flags=re.ASCII)
        if not match or not self.low <= int(match.group(1)) <= self.high:
            raise SettingError(name, text, allowed=self.allowed)
        return text

    def shown(self, value: str) -> str:
        """Return the year, the month in the form "Jun 2018", or the text for no limit."""
        return self.no_limit if value == self.unbounded else month_words(value)

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the setting."""
        pattern = "^[0-9]{4}(-(0[1-9]|1[0-2]))?$"
        if self.unbounded:
            pattern = f"{pattern}|^{self.unbounded}$"
        return {"type": "string", "pattern": pattern, "description": f"{self.help} {self.allowed}."}


@dataclass(frozen=True, kw_only=True)
class Text(Setting):
    """Words to find in rows; empty for no search. ``shorten`` makes the words fit a short link."""

    longest: int = 60
    shorten: Callable[[str], str] = str.strip

    @property
    def allowed(self) -> str:
        """Return a description of the allowed values."""
        return f"up to {self.longest} printable characters"

    def parse(self, name: str, text: str) -> str:
        """Return the words without surrounding space. Raises SettingError if they are too long or unprintable."""
        if len(text) > self.longest or not text.isprintable():
            raise SettingError(name, text, allowed=self.allowed)
        return self.shorten(text.strip())

    def shown(self, value: str) -> str:
        """Return the words in quotation marks, or a dash if there are none."""
        return f"“{value}”" if value else NOTHING

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the setting."""
        return {"type": "string", "maxLength": self.longest, "description": self.help}
