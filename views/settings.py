"""Settings of a view: typed fields that one definition turns into widgets, link parameters and documentation.

A view declares a frozen dataclass whose fields come from :func:`choice`, :func:`whole_number`,
:func:`decimal` or :func:`month`. Everything else (what a link may say, what a widget offers, what
``/methods`` prints) is read from it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, cast

SHOWN_LENGTH = 60


def _shown(text: str) -> str:
    short = text if len(text) <= SHOWN_LENGTH else text[:SHOWN_LENGTH] + "…"
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in short)


class SettingError(ValueError):
    """A link gave a setting a value it cannot take; carries the setting, the value and what is allowed."""

    def __init__(self, setting: str, value: str, allowed: str) -> None:
        self.setting = _shown(setting)
        self.value = _shown(value)
        self.allowed = allowed
        super().__init__(f"{self.setting}: got {self.value!r}; allowed: {allowed}.")


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What every kind of setting has: its words, and whether it stands in the first row of controls."""

    label: str
    help: str
    first_row: bool = False

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

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the setting."""
        raise NotImplementedError


def _or_empty(unset: str) -> str:
    return f", or empty for {unset}" if unset else ""


@dataclass(frozen=True, kw_only=True)
class Choice(Setting):
    """One of a few words; ``options`` maps each word to what it means."""

    options: Mapping[str, str]

    @property
    def allowed(self) -> str:
        """Return, in words, which values the setting takes."""
        return ", ".join(self.options)

    def parse(self, name: str, text: str) -> str:
        """Return the option that ``text`` names, or raise SettingError."""
        if text not in self.options:
            raise SettingError(name, text, self.allowed)
        return text

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the setting."""
        return {"type": "string", "enum": list(self.options), "description": self.help}


@dataclass(frozen=True, kw_only=True)
class WholeNumber(Setting):
    """A whole number between two bounds, both included; where ``unset`` has a meaning, it may be left empty."""

    low: int
    high: int
    unset: str = ""

    @property
    def allowed(self) -> str:
        """Return, in words, which values the setting takes."""
        return f"a whole number from {self.low} to {self.high}{_or_empty(self.unset)}"

    def parse(self, name: str, text: str) -> int | None:
        """Return the whole number that ``text`` writes, None for an empty one, or raise SettingError."""
        if self.unset and not text:
            return None
        if not re.fullmatch(r"[0-9]{1,9}", text, flags=re.ASCII) or not self.low <= int(text) <= self.high:
            raise SettingError(name, text, self.allowed)
        return int(text)

    def text(self, value: int | None) -> str:
        """Return the number, or nothing where it is left empty."""
        return "" if value is None else str(value)

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the setting."""
        return _schema(self, "integer")


@dataclass(frozen=True, kw_only=True)
class Decimal(Setting):
    """A number between two bounds, both included, written without exponent; empty where ``unset`` has a meaning."""

    low: float
    high: float
    step: float
    unset: str = ""

    @property
    def allowed(self) -> str:
        """Return, in words, which values the setting takes."""
        return f"a number from {self.low:g} to {self.high:g}{_or_empty(self.unset)}"

    def parse(self, name: str, text: str) -> float | None:
        """Return the number that ``text`` writes, None for an empty one, or raise SettingError."""
        if self.unset and not text:
            return None
        if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text, flags=re.ASCII):
            raise SettingError(name, text, self.allowed)
        if not self.low <= float(text) <= self.high:
            raise SettingError(name, text, self.allowed)
        return float(text)

    def text(self, value: float | None) -> str:
        """Return the number without exponent and needless zeros, or nothing where it is left empty."""
        return "" if value is None else f"{value:.9f}".rstrip("0").rstrip(".")

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the setting."""
        return _schema(self, "number")


def _schema(setting: WholeNumber | Decimal, kind: str) -> dict[str, Any]:
    bounds = {"minimum": setting.low, "maximum": setting.high}
    if not setting.unset:
        return {"type": kind, **bounds, "description": setting.help}
    return {
        "type": [kind, "null"],
        **bounds,
        "description": f"{setting.help} Null, empty in a link: {setting.unset}.",
    }


@dataclass(frozen=True, kw_only=True)
class Month(Setting):
    """A year such as 2018 or a month such as 2018-06; ``unbounded`` is a word that stands for no limit."""

    low: int
    high: int
    unbounded: str | None = None

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
            raise SettingError(name, text, self.allowed)
        return text

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the setting."""
        pattern = "^[0-9]{4}(-(0[1-9]|1[0-2]))?$"
        if self.unbounded:
            pattern = f"{pattern}|^{self.unbounded}$"
        return {"type": "string", "pattern": pattern, "description": f"{self.help} {self.allowed}."}


@dataclass(frozen=True, kw_only=True)
class Text(Setting):
    """A few words that rows are searched for; empty means no search."""

    longest: int = 60

    @property
    def allowed(self) -> str:
        """Return, in words, which values the setting takes."""
        return f"up to {self.longest} printable characters"

    def parse(self, name: str, text: str) -> str:
        """Return the words without surrounding space, or raise SettingError."""
        if len(text) > self.longest or not text.isprintable():
            raise SettingError(name, text, self.allowed)
        return text.strip()

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the setting."""
        return {"type": "string", "maxLength": self.longest, "description": self.help}


def _field(default: Any, setting: Setting) -> Any:
    return field(default=default, metadata={"setting": setting})


def choice(
    default: str, options: Mapping[str, str], *, label: str, help: str, first_row: bool = False
) -> Any:
    """Return a dataclass field that takes one of ``options`` (word: meaning)."""
    return _field(default, Choice(label=label, help=help, options=options, first_row=first_row))


def whole_number(
    default: int | None,
    *,
    low: int,
    high: int,
    label: str,
    help: str,
    first_row: bool = False,
    unset: str = "",
) -> Any:
    """Return a dataclass field for a whole number from ``low`` to ``high``, or None, which means ``unset``."""
    return _field(
        default, WholeNumber(label=label, help=help, low=low, high=high, first_row=first_row, unset=unset)
    )


def decimal(
    default: float | None,
    *,
    low: float,
    high: float,
    step: float,
    label: str,
    help: str,
    first_row: bool = False,
    unset: str = "",
) -> Any:
    """Return a dataclass field for a number from ``low`` to ``high``, or None, which means ``unset``."""
    return _field(
        default,
        Decimal(label=label, help=help, low=low, high=high, step=step, first_row=first_row, unset=unset),
    )


def month(
    default: str,
    *,
    low: int,
    high: int,
    label: str,
    help: str,
    unbounded: str | None = None,
    first_row: bool = False,
) -> Any:
    """Return a dataclass field that takes a year or a month, or the word ``unbounded``."""
    setting = Month(label=label, help=help, low=low, high=high, unbounded=unbounded, first_row=first_row)
    return _field(default, setting)


def text(*, label: str, help: str, first_row: bool = False) -> Any:
    """Return a dataclass field that takes a few words, empty by default."""
    return _field("", Text(label=label, help=help, first_row=first_row))


@dataclass(frozen=True, kw_only=True)
class Conflict:
    """Settings that contradict one another; the first of ``names`` that a link gave is the one ignored."""

    names: tuple[str, ...]
    allowed: str


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Base of every view's settings; each field is made by one of the functions above."""

    def conflicts(self) -> tuple["Conflict", ...]:
        """Return the settings that contradict one another; empty when all is sound."""
        return ()

    def where_empty(self, name: str) -> str:
        """Return what stands for a setting that is left empty, shown faintly in its place."""
        setting = definitions(type(self))[name]
        return setting.unset if isinstance(setting, WholeNumber | Decimal) else ""

    def described(self) -> dict[str, str]:
        """Return every setting as it stands in a link, in the order of their definition."""
        return {name: setting.text(getattr(self, name)) for name, setting in definitions(type(self)).items()}


def definitions(settings: type[Settings]) -> dict[str, Setting]:
    """Return the settings of a view by name, in the order of their definition."""
    return {item.name: cast(Setting, item.metadata["setting"]) for item in fields(settings)}


def defaults(settings: type[Settings]) -> dict[str, str]:
    """Return each setting's default as it stands in a link."""
    return settings().described()


@dataclass(frozen=True, kw_only=True)
class Ignored:
    """A part of a link that was not used: which setting, what came, what is allowed."""

    setting: str
    value: str
    allowed: str

    @property
    def sentence(self) -> str:
        """Return one line for the reader."""
        return f"{self.setting}={self.value} was ignored; allowed: {self.allowed}."


SettingsType = TypeVar("SettingsType", bound=Settings)

FOREIGN: frozenset[str] = frozenset({"embed", "embed_options"})
"""Parameters that belong to the frame around a view, not to the view."""


def parse(
    settings: type[SettingsType], query: Mapping[str, Sequence[str]]
) -> tuple[SettingsType, tuple[Ignored, ...]]:
    """Return the settings a query string asks for, and what of it was ignored.

    ``query`` maps each parameter to every value given for it. A setting whose value cannot be used stands at
    its default and is reported; nothing is clamped, and no valid setting is changed.
    """
    known = definitions(settings)
    values: dict[str, Any] = {}
    ignored: list[Ignored] = []

    def ignore(error: SettingError) -> None:
        ignored.append(Ignored(setting=error.setting, value=error.value, allowed=error.allowed))

    for name, given in query.items():
        if name in FOREIGN or name.startswith("utm_") or not given:
            continue
        if name not in known:
            ignore(SettingError(name, given[-1], f"this view has the settings {', '.join(known)}"))
        elif len(set(given)) > 1:
            ignore(SettingError(name, " and ".join(given), f"one value, {known[name].allowed}"))
        else:
            try:
                values[name] = known[name].parse(name, given[0])
            except SettingError as error:
                ignore(error)
    chosen = settings(**values)
    while conflicts := chosen.conflicts():
        name = next(name for name in conflicts[0].names if name in values)
        ignore(SettingError(name, known[name].text(values.pop(name)), conflicts[0].allowed))
        chosen = settings(**values)
    return chosen, tuple(ignored)
