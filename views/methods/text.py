"""Text of /methods, with settings generated from their definitions, and the glossary."""

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
"""Terms that a page explains at their first occurrence, by the start of their entry, with their forms."""


@cache
def terms() -> dict[str, str]:
    """Return the plain text of each glossary entry by its start: the terms before the first colon."""
    meanings: dict[str, str] = {}
    for line in re.sub(r"\n  ", " ", GLOSSARY).strip().split("\n"):
        text = re.sub(r"\[(.+?)\]\(.*?\)", r"\1", line.removeprefix("- ")).replace("**", "")
        start, _, meaning = text.partition(": ")
        meanings[start] = meaning
    return meanings


def meaning_of(start: str) -> str:
    """Return the whole entry of a term: its start, which may name other terms too, and its meaning."""
    whole = next(entry for entry in terms() if re.match(rf"{re.escape(start)}(?:,|$)", entry))
    return f"{whole}: {terms()[whole]}"


@dataclass(frozen=True, kw_only=True)
class Section:
    """A section: heading, anchor, and text in Markdown with formulas in TeX."""

    heading: str
    anchor: str
    text: str


def _sections(text: str) -> tuple[Section, ...]:
    """Return the sections of a text, each with heading and anchor; the glossary has its own file."""
    _, *parts = re.split(r"^## (.+) \{#([a-z-]+)\}\n", text, flags=re.MULTILINE)
    return tuple(
        Section(heading=heading, anchor=anchor, text=GLOSSARY if anchor == "glossary" else body)
        for heading, anchor, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    )


NUMBERS = _sections(written.text(__file__, name="numbers.md"))


SETTINGS = Section(heading="What each view computes, and what its settings mean", anchor="settings", text="")
"""The heading above the sections of the views."""


def contents() -> str:
    """Return the table of contents with links, in Markdown."""
    lines = [f"- [{section.heading}](#{section.anchor})" for section in (*NUMBERS, SETTINGS)]
    views = ", ".join(f"[{view.title}](#settings-{view.name})" for view in VIEWS.values())
    return "\n".join([*lines, f"  - {views}"])


def _options(setting: Choice) -> str:
    """Return every option: its value in a link, its label, and its meaning if that adds information."""
    return "; ".join(
        f"`{word}` **{setting.label_of(word)}** {setting.more_of(word)}".rstrip() for word in setting.options
    )


def setting_rows(view: View) -> str:
    """Return the meaning of each setting of a view, as a Markdown table."""
    default = defaults(view.settings)
    lines = ["| setting | control | default | means |", "|---|---|---|---|"]
    for name, setting in definitions(view.settings).items():
        meaning = _options(setting) if isinstance(setting, Choice) else setting.allowed
        lines.append(
            f"| `{name}` | {setting.label} | {default[name] or '(empty)'} | {setting.help} {meaning} |"
        )
    return "\n".join(lines)


def settings_sections() -> tuple[Section, ...]:
    """Return one section of settings for each view, in the order of the registry."""
    return tuple(
        Section(
            heading=f"{view.title}: {view.path}",
            anchor=f"settings-{view.name}",
            text="\n\n".join([*view.method, setting_rows(view)]),
        )
        for view in VIEWS.values()
    )
