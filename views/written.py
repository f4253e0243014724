"""Fixed texts, read from Markdown and TOML files beside the code that shows them."""

import tomllib
from pathlib import Path
from typing import Any


def text(module: str, *, name: str) -> str:
    """Return the text of the file ``name`` beside the module whose ``__file__`` is given."""
    return Path(module).with_name(name).read_text(encoding="utf-8")


def method(module: str) -> tuple[str, ...]:
    """Return the paragraphs of a view's method, from method.md or the module's own Markdown file."""
    path = Path(module)
    name = "method.md" if path.name == "view.py" else f"{path.stem}.md"
    return paragraphs(module, name=name)


def page(module: str, *, path: str) -> dict[str, Any]:
    """Return the fields of the ``View`` at ``path``: its entry in pages.toml, and its method."""
    stated = toml(__file__, name="pages.toml")[path]
    related = tuple(stated.pop("related", ()))
    return {"path": path, "method": method(module), "related": related, **stated}


def paragraphs(module: str, *, name: str) -> tuple[str, ...]:
    """Return the paragraphs of the file ``name`` beside a module, each on one line."""
    return tuple(" ".join(paragraph.split()) for paragraph in text(module, name=name).strip().split("\n\n"))


def toml(module: str, *, name: str) -> dict[str, Any]:
    """Return the content of the TOML file ``name`` beside a module."""
    return tomllib.loads(text(module, name=name))


SETTING_KEYS = frozenset(
    {"label", "help", "first_row", "group", "needs", "options", "pills", "unset", "no_limit"}
)
"""Keys allowed for a setting in settings.toml: the texts for functions of :mod:`views.settings`."""


class SettingWords(dict[str, dict[str, Any]]):
    """Labels and texts of settings, keyed by name. A missing name raises an error that states the name."""

    def __init__(self, entries: dict[str, dict[str, Any]], *, file: str) -> None:
        super().__init__(entries)
        self._file = file

    def __missing__(self, name: str) -> dict[str, Any]:
        raise ValueError(
            f"the setting {name} has no words. Add [{name}] with label and help to {self._file}."
        )


def settings(module: str) -> SettingWords:
    """Return the labels and texts of settings, keyed by name, from settings.toml beside a module.

    Raises ValueError if an entry has an unknown key, or an option is neither its meaning nor [label, meaning].
    """
    entries = toml(module, name="settings.toml")
    file = f"{Path(module).parent.name}/settings.toml"
    for name, entry in entries.items():
        if unknown := set(entry) - SETTING_KEYS:
            keys = ", ".join(sorted(SETTING_KEYS))
            raise ValueError(
                f"a setting has {keys}; got {min(unknown)!r} under [{name}] of {file}. Correct the key."
            )
        for word, option in entry.get("options", {}).items():
            if not isinstance(option, str):
                entry["options"][word] = tuple(option)
                if [type(part) for part in option] != [str, str]:
                    raise ValueError(
                        f"an option is its meaning or [label, meaning]; got {option!r} for {word!r} under "
                        f"[{name}.options] of {file}. Correct the option."
                    )
    return SettingWords(entries, file=file)
