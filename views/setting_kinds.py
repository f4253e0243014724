"""Kinds of setting: what each takes, how it reads and writes a link, how a reader sees it, its JSON Schema."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from views.wording import month_words, sentence_case
from views.written import toml

SHOWN_LENGTH = 60
GROUPS: tuple[str, ...] = tuple(toml(__file__, name="groups.toml")["groups"])
"""The headings that controls outside the first row stand under, in the order of a page."""
FOLDED = frozenset({"Own chip", "Reliability"})
"""The headings that few open: what is under them is shown on demand, and where any of it is off its default."""

NOTHING = "–"
CALENDAR_YEARS = (1900, 2100)


def _shown(text: str) -> str:
    short = text if len(text) <= SHOWN_LENGTH else text[:SHOWN_LENGTH] + "…"
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in short)


class SettingError(ValueError):
    """A link gave a setting a value it cannot take; carries the setting, the value and what is allowed."""

    def __init__(self, setting: str, value: str, *, allowed: str) -> None:
        self.setting = _shown(setting)
        self.value = _shown(value)
        self.allowed = allowed
        super().__init__(f"{self.setting}: got {self.value!r}; allowed: {allowed}.")


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What every kind of setting has: its words, and where its control stands.

    That is in the first row, or under the heading ``group`` (one of ``GROUPS``) among the others. It changes nothing
    unless each setting that it ``needs`` has one of these words.
    """

    label: str
    help: str
    first_row: bool = False
    group: str = ""
    needs: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise ValueError for a heading that there is none of."""
        if self.group and self.group not in GROUPS:
            raise ValueError(f"group is one of {', '.join(GROUPS)}; got {self.group!r} for {self.label!r}.")

    @property
    def allowed(self) -> str:
        """Return, in words, which values the setting takes."""
        raise NotImplementedError

    def parse(self, name: str, text: str) -> Any:
        """Return the value that ``text`` stands for, or raise SettingError naming what is allowed."""
        raise NotImplementedError

    def text(self, value: Any) -> str:
        """Return the value as it stands in a link."""
        return str(value)

    def shown(self, value: Any) -> str:
        """Return the value as a reader sees it; what stands for one that is left empty."""
        return self.text(value)

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the setting."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Choice(Setting):
    """One of a few words; ``options`` maps each word to what it means, ``labels`` to what a reader picks.

    A word without a label goes by its meaning, where that is short: a model's or a device's name. ``pills`` maps each
    word to the figure that stands on its pill, where the page shows the words as a row of pills; ``ordered`` ones are
    the steps of a walk, each with the one before and the one after. ``former`` maps words of earlier links to
    those that took their place.
    """

    options: Mapping[str, str]
    labels: Mapping[str, str] = field(default_factory=dict)
    pills: Mapping[str, str] = field(default_factory=dict)
    ordered: bool = False
    former: Mapping[str, str] = field(default_factory=dict)

    @property
    def allowed(self) -> str:
        """Return, in words, which values the setting takes."""
        return ", ".join(self.options)

    def parse(self, name: str, text: str) -> str:
        """Return the option that ``text`` names, or raise SettingError."""
        text = self.former.get(text, text)
        if text not in self.options:
            raise SettingError(name, text, allowed=self.allowed)
        return text

    def label_of(self, word: str) -> str:
        """Return the short words that a reader picks an option by."""
        return self.labels.get(word) or sentence_case(self.options[word])

    def more_of(self, word: str) -> str:
        """Return what an option means, where that says more than its label."""
        meaning, label = self.options[word], self.label_of(word)
        return "" if meaning.removeprefix("the ").casefold() == label.casefold() else meaning

    def shown(self, value: str) -> str:
        """Return the label of the option."""
        return self.label_of(value)

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the setting, each word with its label and meaning."""
        described = []
        for word in self.options:
            more = self.more_of(word)
            described.append(
                {"const": word, "title": self.label_of(word), **({"description": more} if more else {})}
            )
        return {"type": "string", "enum": list(self.options), "oneOf": described, "description": self.help}


@dataclass(frozen=True, kw_only=True)
class Number(Setting):
    """A number between two bounds, both included; where ``unset`` has a meaning, it may be left empty.

    ``zero_is_unset`` where links of earlier days say 0 for that; it is read so, and written empty.
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
        """Return, in words, which values the setting takes."""
        empty = f", or empty for {self.unset}" if self.unset else ""
        return f"{self.noun} from {self.shown(self.low)} to {self.shown(self.high)}{empty}"

    def parse(self, name: str, text: str) -> float | None:
        """Return the number that ``text`` writes, None for an empty one, or raise SettingError."""
        if self.unset and not text:
            return None
        if not re.fullmatch(self.pattern, text, flags=re.ASCII) or not self.low <= float(text) <= self.high:
            raise SettingError(name, text, allowed=self.allowed)
        return None if self.zero_is_unset and not float(text) else type(self).read(text)

    def text(self, value: float | None) -> str:
        """Return the number without exponent and needless zeros, or nothing where it is left empty."""
        return "" if value is None else self._digits(value).replace(",", "")

    def shown(self, value: float | None) -> str:
        """Return the number with its thousands apart, or what stands for an empty one."""
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
    """A whole number between two bounds; that of a year is shown without its thousands apart."""

    noun, json_type, pattern, read = "a whole number", "integer", r"[0-9]{1,9}", int

    def shown(self, value: float | None) -> str:
        """Return the number with its thousands apart (a year has none), or what stands for an empty one."""
        first, last = CALENDAR_YEARS
        return (
            self.text(value)
            if value is not None and first <= self.low and self.high <= last
            else super().shown(value)
        )


@dataclass(frozen=True, kw_only=True)
class Decimal(Number):
    """A number between two bounds, written without exponent; a control moves it by ``step``."""

    step: float

    noun, json_type, pattern, read = "a number", "number", r"[0-9]{1,9}(\.[0-9]{1,9})?", float


@dataclass(frozen=True, kw_only=True)
class Month(Setting):
    """A year such as 2018 or a month such as 2018-06; ``unbounded`` is a word that stands for no limit.

    ``no_limit`` is what a reader sees in its place.
    """

    low: int
    high: int
    unbounded: str | None = None
    no_limit: str = "No limit"

    @property
    def allowed(self) -> str:
        """Return, in words, which values the setting takes."""
        dates = (
            f"a year or month from {self.low} to {self.high}, such as {self.high - 6} or {self.high - 6}-06"
        )
        return f"{dates}, or {self.unbounded}" if self.unbounded else dates

    def parse(self, name: str, text: str) -> str:
        """Return the year, month or word that ``text`` is, or raise SettingError."""
        if text == self.unbounded:
            return text
        match = re.fullmatch(r"([0-9]{4})(?:-(0[1-9]|1[0-2]))?", text, flags=re.ASCII)
        if not match or not self.low <= int(match.group(1)) <= self.high:
            raise SettingError(name, text, allowed=self.allowed)
        return text

    def shown(self, value: str) -> str:
        """Return the year, the month as Jun 2018, or the words for no limit."""
        return self.no_limit if value == self.unbounded else month_words(value)

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the setting."""
        pattern = "^[0-9]{4}(-(0[1-9]|1[0-2]))?$"
        if self.unbounded:
            pattern = f"{pattern}|^{self.unbounded}$"
        return {"type": "string", "pattern": pattern, "description": f"{self.help} {self.allowed}."}


@dataclass(frozen=True, kw_only=True)
class Text(Setting):
    """A few words that rows are searched for; empty means no search. ``shorten`` makes them fit a short link."""

    longest: int = 60
    shorten: Callable[[str], str] = str.strip

    @property
    def allowed(self) -> str:
        """Return, in words, which values the setting takes."""
        return f"up to {self.longest} printable characters"

    def parse(self, name: str, text: str) -> str:
        """Return the words without surrounding space, or raise SettingError."""
        if len(text) > self.longest or not text.isprintable():
            raise SettingError(name, text, allowed=self.allowed)
        return self.shorten(text.strip())

    def shown(self, value: str) -> str:
        """Return the words in quotation marks, or a dash for none."""
        return f"“{value}”" if value else NOTHING

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the setting."""
        return {"type": "string", "maxLength": self.longest, "description": self.help}
