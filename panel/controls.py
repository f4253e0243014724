"""Controls of a view, derived from its settings: their options, their values, and whether they apply."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.every_option import MOST_OPTIONS
from views.setting_kinds import FOLDED, Choice, Decimal, Month, Setting, Text, WholeNumber
from views.settings import definitions, grouped
from views.view import ReleaseSettings

KINDS: Mapping[type[Setting], str] = {
    Choice: "select",
    WholeNumber: "whole",
    Decimal: "decimal",
    Month: "month",
    Text: "text",
}


@dataclass(frozen=True, kw_only=True)
class Option:
    """One option of a control, and its text."""

    word: str
    label: str
    depends: bool = False
    """Whether the option's label depends on the other choices."""
    meaning: str = ""


@dataclass(frozen=True, kw_only=True)
class Control:
    """One control in its current state.

    ``value`` and ``default`` are written as in links; ``empty`` is the placeholder of an empty value. ``applies`` is
    False if the setting has no effect at present. ``around`` are the words before and after it in a sentence.
    """

    name: str
    setting: Setting
    value: str
    default: str
    applies: bool
    empty: str = ""
    options: tuple[Option, ...] = ()
    around: tuple[str, str] | None = None
    words: str = ""
    """Text for a choice that differs from its default."""

    @property
    def kind(self) -> str:
        """Return the type of control to draw."""
        return KINDS[type(self.setting)]

    @property
    def pills(self) -> Mapping[str, str]:
        """Return the figure on the pill of each option, if the options are a row of pills."""
        return self.setting.pills if isinstance(self.setting, Choice) else {}

    @property
    def few(self) -> bool:
        """Return whether the options are few enough to compare their answers in one chart."""
        return isinstance(self.setting, Choice) and 2 <= len(self.options) <= MOST_OPTIONS

    @property
    def ordered(self) -> bool:
        """Return whether the options are steps of a story, with a previous and a next one."""
        return isinstance(self.setting, Choice) and self.setting.ordered

    @property
    def relabelled(self) -> dict[str, str]:
        """Return the options whose label depends on the other choices, keyed by option."""
        return {option.word: option.label for option in self.options if option.depends}

    @property
    def changed(self) -> bool:
        """Return whether the control applies and differs from its default. Steps of a story do not count."""
        return self.applies and self.value != self.default and not self.ordered


@dataclass(frozen=True, kw_only=True)
class Group:
    """Controls under a common heading."""

    heading: str
    controls: tuple[Control, ...]

    @property
    def folded(self) -> bool:
        """Return whether the controls are collapsed at first."""
        return self.heading in FOLDED


@dataclass(frozen=True, kw_only=True)
class Controls:
    """All controls of a view: the first row, groups of further controls, and a chip for each changed setting."""

    first: tuple[Control, ...]
    groups: tuple[Group, ...]

    @property
    def every(self) -> tuple[Control, ...]:
        """Return all controls, in the order of the page."""
        return (*self.first, *(control for group in self.groups for control in group.controls))

    @property
    def chips(self) -> tuple[Control, ...]:
        """Return the changed controls. Each has a chip that restores its default."""
        return tuple(control for control in self.every if control.changed)

    @property
    def sentence(self) -> tuple[Control, ...]:
        """Return the controls in the sentence above the finding."""
        return tuple(control for control in self.first if control.around is not None)

    @property
    def pills(self) -> tuple[Control, ...]:
        """Return the controls drawn as rows of pills above the finding."""
        return tuple(control for control in self.first if control.pills and not control.ordered)

    @property
    def steps(self) -> tuple[Control, ...]:
        """Return the controls with the steps of a story as options."""
        return tuple(control for control in self.first if control.ordered)

    @property
    def row(self) -> tuple[Control, ...]:
        """Return the controls of the first row that are neither in a sentence nor drawn as pills."""
        return tuple(control for control in self.first if control.around is None and not control.pills)

    @property
    def adjusted(self) -> int:
        """Return how many controls in groups differ from their defaults."""
        return sum(control.changed for group in self.groups for control in group.controls)


def controls(settings: ReleaseSettings) -> Controls:
    """Return the controls of a view for these settings, with the options of the settings' release."""
    with settings.reading():
        default, known = type(settings)(), definitions(type(settings)).items()
        every = [_control(name, setting, settings=settings, default=default) for name, setting in known]
        named = {control.name: control for control in every}
        groups = tuple(
            Group(heading=heading, controls=tuple(named[name] for name in names))
            for heading, names in grouped(type(settings)).items()
        )
    return Controls(first=tuple(control for control in every if control.setting.first_row), groups=groups)


def own_query(settings: ReleaseSettings) -> dict[str, str]:
    """Return the settings that differ from their defaults, as written in the address."""
    default = type(settings)().described()
    return {name: value for name, value in settings.described().items() if value != default.get(name)}


def _control(name: str, setting: Setting, *, settings: ReleaseSettings, default: ReleaseSettings) -> Control:
    if type(setting) not in KINDS:
        raise TypeError(
            f"No control for a setting of kind {type(setting).__name__}; add one to panel/controls.py."
        )
    value, usual = (setting.text(getattr(held, name)) for held in (settings, default))
    return Control(
        name=name,
        setting=setting,
        value=value,
        default=usual,
        applies=settings.applies(name),
        empty=settings.where_empty(name) if isinstance(setting, WholeNumber | Decimal | Text) else "",
        options=_options(name, setting, settings=settings, default=default),
        around=settings.around(name),
        words=settings.in_words(name) if value != usual else "",
    )


def _options(
    name: str, setting: Setting, *, settings: ReleaseSettings, default: ReleaseSettings
) -> tuple[Option, ...]:
    if isinstance(setting, Choice):
        plain = {word: setting.label_of(word) for word in setting.options}
        labels, usual = (
            {word: held.option_label(name, word) for word in plain} for held in (settings, default)
        )
        return tuple(
            Option(
                word=word,
                label=labels[word],
                depends=not labels[word] == usual[word] == plain[word],
                meaning=setting.more_of(word),
            )
            for word in plain
        )
    if isinstance(setting, Month):
        years = [str(year) for year in range(setting.high, setting.low - 1, -1)]
        special = [setting.unbounded] if setting.unbounded else []
        return tuple(Option(word=word, label=setting.shown(word)) for word in [*special, *years])
    return ()
