"""How each number is made: the text of /methods, its settings generated from their definitions, and the glossary."""

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
"""The terms of art a page explains where they first stand, by the start of their entry, in the forms they stand in."""


@cache
def terms() -> dict[str, str]:
    """Return what each entry says, as plain text, by its start: the terms before the first colon."""
    meanings: dict[str, str] = {}
    for line in re.sub(r"\n  ", " ", GLOSSARY).strip().split("\n"):
        text = re.sub(r"\[(.+?)\]\(.*?\)", r"\1", line.removeprefix("- ")).replace("**", "")
        start, _, meaning = text.partition(": ")
        meanings[start] = meaning
    return meanings


def meaning_of(start: str) -> str:
    """Return the entry of a term, whole: its start, which may name other terms too, and what it means."""
    whole = next(entry for entry in terms() if re.match(rf"{re.escape(start)}(?:,|$)", entry))
    return f"{whole}: {terms()[whole]}"


@dataclass(frozen=True, kw_only=True)
class Section:
    """A heading, what leads to it in an address, and its text in Markdown, formulas in TeX."""

    heading: str
    anchor: str
    text: str


def _sections(text: str) -> tuple[Section, ...]:
    """Return the sections of a text, each under a heading with its anchor; the glossary's text has its own file."""
    _, *parts = re.split(r"^## (.+) \{#([a-z-]+)\}\n", text, flags=re.MULTILINE)
    return tuple(
        Section(heading=heading, anchor=anchor, text=GLOSSARY if anchor == "glossary" else body)
        for heading, anchor, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    )


NUMBERS = _sections(written.text(__file__, name="numbers.md"))


SETTINGS = Section(heading="What each view computes, and what its settings mean", anchor="settings", text="")
"""The heading above the sections of the views."""


def contents() -> str:
    """Return the list of all sections, each with the link that leads to it, in Markdown."""
    lines = [f"- [{section.heading}](#{section.anchor})" for section in (*NUMBERS, SETTINGS)]
    views = ", ".join(f"[{view.title}](#settings-{view.name})" for view in VIEWS.values())
    return "\n".join([*lines, f"  - {views}"])


def _options(setting: Choice) -> str:
    """Return every option: its word in a link, its label in a control, and its meaning where that says more."""
    return "; ".join(
        f"`{word}` **{setting.label_of(word)}** {setting.more_of(word)}".rstrip() for word in setting.options
    )


def setting_rows(view: View) -> str:
    """Return what each setting of a view means, as a Markdown table."""
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
