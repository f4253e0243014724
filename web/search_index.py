"""Search index of pages, questions, settings, rows, claims and terms, with their links."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from data import releases, standing
from panel.menu import PLAIN_PAGES, TITLES
from views import written
from views.methods import text as methods
from views.registry import MENU, VIEWS
from views.settings import definitions

PATH = "/search.json"
SETTING = "#set-"
"""Prefix of a setting's name in a page's address. The page then opens with that control in view."""
ROWS = (("training-runs", "organisation", "published_on"), ("accelerators", "vendor", "released_on"))
"""Tables whose rows can be found by name, each with its option, vendor column and date column."""
LONGEST_SEARCH = 60
"""Maximum length of a claim or name in a page's search. [character]"""
WORDS: Mapping[str, Any] = written.toml(__file__, name="search.toml")

Entry = tuple[str, str, str, str, str]
"""Kind, title, description and link of an entry, and words that are only searched."""


def index() -> Mapping[str, Any]:
    """Return every entry. Only settings of different views may share a kind and a title."""
    words: dict[str, str] = dict(WORDS["words"])
    for entry, pages in MENU.items():
        for label, path in pages.items():
            words[path] = f"{words.get(path, '')} {entry} {label}"
    entries: dict[tuple[str, str], Entry] = {}
    for kind, title, more, link in _sources():
        unseen = words.get(link, "") if kind != "Question" else ""
        view_title = more if kind == "Setting" else ""
        entries.setdefault((kind, title + view_title), (kind, title, more, link, unseen))
    return {"entries": list(entries.values())}


def _sources() -> Iterator[tuple[str, str, str, str]]:
    for path, title in TITLES.items():
        yield "Page", title, (VIEWS | PLAIN_PAGES)[path].question, path
    for question in WORDS["question"]:
        path = question["link"].partition("?")[0].partition("#")[0]
        yield "Question", question["ask"], TITLES[path], question["link"]
    for view in VIEWS.values():
        for name, setting in definitions(view.settings).items():
            yield "Setting", setting.label, view.title, f"{view.path}{SETTING}{name}"
    for kind, path, name in WORDS["chosen"]:
        choice: Any = definitions(VIEWS[path].settings)[name]
        for word in choice.options:
            if word not in ("none", "custom"):
                yield kind, choice.label_of(word), VIEWS[path].title, f"{path}?{urlencode({name: word})}"
    for row in standing.rows("claims", "claim_id").values():
        statement = str(row["statement"])
        yield "Claim", statement, "", f"/claims?{urlencode({'find': statement[:LONGEST_SEARCH].strip()})}"
    for term, meaning in methods.terms().items():
        yield "Term", term, meaning, f"{methods.PATH}#glossary"
    for section in methods.NUMBERS:
        yield "Method", section.heading, methods.TITLE, f"{methods.PATH}#{section.anchor}"
    release = releases.load(releases.latest())
    for table, maker, day in ROWS:
        frame = getattr(release, table.replace("-", "_"))
        for name, made_by, came in zip(frame["name"], frame[maker], frame[day], strict=True):
            known = made_by if isinstance(made_by, str) else "", f"{came:%B %Y}" if came == came else ""
            link = f"/data?{urlencode({'table': table, 'row': str(name)})}"
            yield "Row", str(name), ", ".join(filter(None, known)), link
