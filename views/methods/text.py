"""Text of /methods, with the glossary and a description of all settings."""

import re
from dataclasses import dataclass
from functools import cache

from views import written
from views.registry import VIEWS
from views.setting_kinds import Choice
from views.settings import defaults, definitions
from views.view import View

PATH = "/methods"
TITLE = "Methods"
QUESTION = "How is each number made?"


GLOSSARY = written.text(__file__, name="glossary.md")

FORMS: dict[str, list[str]] = written.toml(__file__, name="forms.toml")
"""Forms of each term that pages explain, keyed by the start of its glossary entry."""


@cache
def terms() -> dict[str, str]:
    """Return each glossary entry as plain text, keyed by the terms before its first colon."""
    meanings: dict[str, str] = {}
    for line in re.sub(r"\n  ", " ", GLOSSARY).strip().split("\n"):
        text = re.sub(r"\[(.+?)\]\(.*?\)", r"\1", line.removeprefix("- ")).replace("**", "")
        start, _, meaning = text.partition(": ")
        meanings[start] = meaning
    return meanings


def meaning_of(start: str) -> str:
    """Return a term's whole glossary entry: all its terms and their meaning."""
    whole = next(entry for entry in terms() if re.match(rf"{re.escape(start)}(?:,|$)", entry))
    return f"{whole}: {terms()[whole]}"


@dataclass(frozen=True, kw_only=True)
class Section:
    """A section: its heading, anchor and text in Markdown, with formulas in TeX."""

    heading: str
    anchor: str
    text: str


def _sections(text: str) -> tuple[Section, ...]:
    """Return the sections of a text. The glossary's text comes from its own file."""
    _, *parts = re.split(r"^## (.+) \{#([a-z-]+)\}\n", text, flags=re.MULTILINE)
    return tuple(
        Section(heading=heading, anchor=anchor, text=GLOSSARY if anchor == "glossary" else body)
        for heading, anchor, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    )


NUMBERS = _sections(written.text(__file__, name="numbers.md"))


SETTINGS = Section(heading="What each view computes, and what its settings mean", anchor="settings", text="")
"""The heading above the views' sections."""


def contents() -> str:
    """Return the table of contents in Markdown, with links."""
    lines = [f"- [{section.heading}](#{section.anchor})" for section in (*NUMBERS, SETTINGS)]
    views = ", ".join(f"[{view.title}](#settings-{view.name})" for view in VIEWS.values())
    return "\n".join([*lines, f"  - {views}"])


def _options(setting: Choice) -> str:
    """Return each option as text: its value in a link, its label, and its meaning if that adds something."""
    return "; ".join(
        f"`{word}` **{setting.label_of(word)}** {setting.more_of(word)}".rstrip() for word in setting.options
    )


def setting_rows(view: View) -> str:
    """Return a Markdown table that explains a view's settings."""
    default = defaults(view.settings)
    lines = ["| setting | control | default | means |", "|---|---|---|---|"]
    for name, setting in definitions(view.settings).items():
        meaning = _options(setting) if isinstance(setting, Choice) else setting.allowed
        lines.append(
            f"| `{name}` | {setting.label} | {default[name] or '(empty)'} | {setting.help} {meaning} |"
        )
    return "\n".join(lines)


def settings_sections() -> tuple[Section, ...]:
    """Return a section on the settings of each view, in registry order."""
    return tuple(
        Section(
            heading=f"{view.title}: {view.path}",
            anchor=f"settings-{view.name}",
            text="\n\n".join([*view.method, setting_rows(view)]),
        )
        for view in VIEWS.values()
    )
