"""Settings of a view: typed fields that one definition turns into widgets, link parameters and documentation.

A view declares a frozen dataclass whose fields come from :func:`choice`, :func:`whole_number`,
:func:`decimal` or :func:`month`. Everything else (what a link may say, what a widget offers, what
``/methods`` prints) is read from it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, cast

from views.setting_kinds import Choice, Decimal, Month, Setting, SettingError, Text, WholeNumber


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
    zero_is_unset: bool = False,
) -> Any:
    """Return a dataclass field for a whole number from ``low`` to ``high``, or None, which means ``unset``."""
    setting = WholeNumber(
        label=label,
        help=help,
        low=low,
        high=high,
        first_row=first_row,
        unset=unset,
        zero_is_unset=zero_is_unset,
    )
    return _field(default, setting)


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
    zero_is_unset: bool = False,
) -> Any:
    """Return a dataclass field for a number from ``low`` to ``high``, or None, which means ``unset``."""
    setting = Decimal(
        label=label,
        help=help,
        low=low,
        high=high,
        step=step,
        first_row=first_row,
        unset=unset,
        zero_is_unset=zero_is_unset,
    )
    return _field(default, setting)


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
            ignore(SettingError(name, given[-1], allowed=f"this view has the settings {', '.join(known)}"))
        elif len(set(given)) > 1:
            ignore(SettingError(name, " and ".join(given), allowed=f"one value, {known[name].allowed}"))
        else:
            try:
                values[name] = known[name].parse(name, given[0])
            except SettingError as error:
                ignore(error)
    chosen = settings(**values)
    while conflicts := chosen.conflicts():
        name = next(name for name in conflicts[0].names if name in values)
        ignore(SettingError(name, known[name].text(values.pop(name)), allowed=conflicts[0].allowed))
        chosen = settings(**values)
    return chosen, tuple(ignored)
