"""Settings of a view: one typed definition for widgets, link parameters and documentation.

A view declares a frozen dataclass whose fields come from :func:`choice`, :func:`whole_number`, :func:`decimal` or
:func:`month`: type, default and bounds. Their labels are in ``settings.toml`` beside it
(:func:`views.written.settings`). Allowed link values, widgets and the text of ``/methods`` are derived from the fields.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, partial
from types import MappingProxyType
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from data.by_release import ByRelease, Live
from views.setting_kinds import GROUPS, Choice, Decimal, Month, Setting, SettingError, Text, WholeNumber

Description = ParamSpec("Description")

LONGEST_QUERY = 8192
"""Maximum length of a query; longer ones are rejected. [characters]"""


def _field(default: Any, setting: Setting) -> Any:
    return field(default=default, metadata={"setting": setting})


Option = str | tuple[str, str]
"""Meaning of an option, or its label and its meaning."""


def choice(
    default: str,
    options: Mapping[str, Option] = MappingProxyType({}),
    *,
    computed: Mapping[str, Option] | Callable[[], Mapping[str, Option]] = MappingProxyType({}),
    label: str,
    help: str,
    first_row: bool = False,
    group: str = "",
    needs: Mapping[str, Sequence[str]] = MappingProxyType({}),
    pills: Mapping[str, str] = MappingProxyType({}),
    ordered: bool = False,
    former: Mapping[str, str] = MappingProxyType({}),
) -> Any:
    """Return a dataclass field with a choice of ``options``, followed by the ``computed`` options.

    An option maps to its label and meaning, or only to its meaning if that serves as label. ``pills`` shows the options
    as a row of links, each with the figure of that name, such as a count; ``ordered`` shows them as steps. Options that
    may grow while the app runs are given as a function. ``former`` gives the replacements of options in old links.
    """

    def part(of: Callable[[Option], str]) -> Mapping[str, str]:
        """Return the text that ``of`` gives for each option, without empty texts."""

        def texts() -> dict[str, str]:
            every = {**options, **(computed if isinstance(computed, Mapping) else computed())}
            return {word: text for word, option in every.items() if (text := of(option))}

        if isinstance(computed, ByRelease):
            return ByRelease(texts)
        return texts() if isinstance(computed, Mapping) else Live(texts)

    setting = Choice(
        label=label,
        help=help,
        options=part(lambda option: option if isinstance(option, str) else option[1]),
        labels=part(lambda option: "" if isinstance(option, str) else option[0]),
        first_row=first_row,
        group=group,
        needs=needs,
        pills=pills,
        ordered=ordered,
        former=former,
    )
    return _field(default, setting)


def _maker(kind: Callable[Description, Setting]) -> Callable[Concatenate[Any, Description], Any]:
    """Return a function that makes a field for one kind of setting."""

    def make(default: Any, *args: Description.args, **described: Description.kwargs) -> Any:
        return _field(default, kind(*args, **described))

    return make


whole_number = _maker(WholeNumber)
"""Return a dataclass field for a whole number from ``low`` to ``high``. None stands for ``unset``."""

decimal = _maker(Decimal)
"""Return a dataclass field for a number from ``low`` to ``high``. None stands for ``unset``."""

month = _maker(Month)
"""Return a dataclass field for a year or month. The option ``unbounded`` is displayed as ``no_limit``."""

text = partial(_maker(Text), "")
"""Return a dataclass field for a short text, by default empty."""


def same_as(
    settings: "type[Settings]", name: str, *, default: Any = None, only: Sequence[str] = (), **changes: Any
) -> Any:
    """Return a dataclass field for a setting of another view, with changes such as another default.

    ``only`` lists the options that this view has, if it does not have all of them.
    """
    setting = replace(definitions(settings)[name], **changes)
    if only and isinstance(setting, Choice):
        options, labels = (
            {word: text for word, text in texts.items() if word in only}
            for texts in (setting.options, setting.labels)
        )
        setting = replace(setting, options=options, labels=labels)
    return _field(getattr(settings, name) if default is None else default, setting)


def shared(settings: "Settings", other: "type[SettingsType]", **changes: Any) -> "SettingsType":
    """Return the settings of another view, with the values of settings that both views have and with ``changes``."""
    names = definitions(other).keys() & definitions(type(settings)).keys()
    return other(**{name: getattr(settings, name) for name in names} | changes)


@dataclass(frozen=True, kw_only=True)
class Conflict:
    """Settings that contradict each other. In a link, the first one in ``names`` is ignored."""

    names: tuple[str, ...]
    allowed: str


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Base class of the settings of a view. The functions above make its fields."""

    def conflicts(self) -> tuple["Conflict", ...]:
        """Return the conflicts between settings."""
        return ()

    @classmethod
    def migrated(cls, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the values of a link, adapted if their meaning has changed since it was made."""
        return values

    def where_empty(self, name: str) -> str:
        """Return the text shown for an empty setting."""
        setting = definitions(type(self))[name]
        return setting.unset if isinstance(setting, WholeNumber | Decimal) else ""

    def around(self, name: str) -> tuple[str, str] | None:
        """Return the words before and after a control inside a sentence. None for other controls."""
        del name
        return None

    def applies(self, name: str) -> bool:
        """Return whether a setting can change the result under the other settings."""
        known = definitions(type(self))
        return name in known and all(
            str(getattr(self, other)) in words for other, words in known[name].needs.items() if other in known
        )

    def shown(self, name: str) -> str:
        """Return a setting's value as displayed, such as "Frontier runs" or "16,384"."""
        value, setting = getattr(self, name), definitions(type(self))[name]
        if value is None:
            return self.where_empty(name)
        return self.option_label(name, value) if isinstance(setting, Choice) else setting.shown(value)

    def in_words(self, name: str) -> str:
        """Return a setting's label and value as text, such as "Which runs: Frontier runs"."""
        return f"{definitions(type(self))[name].label}: {self.shown(name)}"

    def chosen_words(self, *names: str) -> str:
        """Return a sentence (and a space) on the named settings that differ from their defaults, or "" if none does.

        A settings line uses it for settings that its own text does not mention.
        """
        default, known = type(self)(), definitions(type(self))
        words = [
            self.in_words(name)
            for name in names
            if name in known and self.applies(name) and getattr(self, name) != getattr(default, name)
        ]
        return f"Chosen: {'; '.join(words)}. " if words else ""

    def option_label(self, name: str, word: str) -> str:
        """Return the label of an option under the other settings."""
        return definitions(type(self))[name].shown(word)

    def stands_for(self, name: str, word: str) -> str:
        """Return the option that ``word`` stands for under the other settings, usually itself."""
        return word

    def described(self) -> dict[str, str]:
        """Return every setting as written in a link, keyed by name, in order of definition."""
        return {name: setting.text(getattr(self, name)) for name, setting in definitions(type(self)).items()}


@cache
def definitions(settings: type[Settings]) -> Mapping[str, Setting]:
    """Return the settings of a view, keyed by name, in order of definition."""
    stated = (item for item in fields(settings) if "setting" in item.metadata)
    return MappingProxyType({item.name: cast(Setting, item.metadata["setting"]) for item in stated})


def grouped(settings: type[Settings]) -> dict[str, tuple[str, ...]]:
    """Return the names of the settings below the first row, keyed by heading, in page order."""
    known = definitions(settings)
    groups = {
        group: tuple(name for name, item in known.items() if not item.first_row and item.group == group)
        for group in GROUPS
    }
    return {group: names for group, names in groups.items() if names}


def defaults(settings: type[Settings]) -> dict[str, str]:
    """Return each setting's default as written in a link."""
    return settings().described()


@dataclass(frozen=True, kw_only=True)
class Ignored:
    """A part of a link that was not used: the setting, the value and what is allowed."""

    setting: str
    value: str
    allowed: str

    @classmethod
    def of(cls, error: SettingError) -> "Ignored":
        """Return a report on an invalid value, from the setting's error."""
        return cls(setting=error.setting, value=error.value, allowed=error.allowed)

    @property
    def sentence(self) -> str:
        """Return a sentence for the reader that states what was ignored and what is allowed."""
        return f"{self.setting}={self.value} was ignored; allowed: {self.allowed}."


SettingsType = TypeVar("SettingsType", bound=Settings)

FOREIGN: frozenset[str] = frozenset({"embed", "embed_options", "present"})
"""Parameters for the frame around a view, which the view ignores."""


def parsed_values(
    known: Mapping[str, Setting], query: Mapping[str, Sequence[str]], *, allowed: str
) -> tuple[dict[str, Any], list[Ignored]]:
    """Return the values that a query gives to ``known`` settings, and the ignored parts.

    ``query`` maps each parameter to all its values; ``allowed`` lists the known parameters.
    """
    values: dict[str, Any] = {}
    ignored: list[Ignored] = []
    for name, texts in query.items():
        if name in FOREIGN or name.startswith("utm_") or not texts:
            continue
        try:
            if name not in known:
                raise SettingError(name, texts[-1], allowed=allowed)
            if len(set(texts)) > 1:
                raise SettingError(name, " and ".join(texts), allowed=f"one value, {known[name].allowed}")
            values[name] = known[name].parse(name, texts[0])
        except SettingError as error:
            ignored.append(Ignored.of(error))
    return values, ignored


def parse(
    settings: type[SettingsType], query: Mapping[str, Sequence[str]]
) -> tuple[SettingsType, tuple[Ignored, ...]]:
    """Return the settings in a query string, and the parts that were ignored.

    ``query`` maps each parameter to all its values. A setting with an invalid value reverts to its default and is
    reported; nothing is clamped, and no valid setting is changed. If a release does not have the default of a choice,
    such as a model added later, the first option replaces it.
    """
    known = definitions(settings)
    values, ignored = parsed_values(known, query, allowed=f"the settings {', '.join(known)}")
    for name, setting in known.items():
        if (
            isinstance(setting, Choice)
            and name not in values
            and getattr(settings, name) not in setting.options
        ):
            values[name] = next(iter(setting.options))
    chosen = settings(**settings.migrated(values))
    while conflicts := chosen.conflicts():
        name = next(name for name in conflicts[0].names if name in values)
        error = SettingError(name, known[name].text(values.pop(name)), allowed=conflicts[0].allowed)
        ignored.append(Ignored.of(error))
        chosen = settings(**settings.migrated(values))
    return chosen, tuple(ignored)
