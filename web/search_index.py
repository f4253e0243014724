"""What the search of a page can find: pages, settings, models, chips, statements and terms, each with its link."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any
from urllib.parse import urlencode

from data import standing
from panel.document import MENU
from views.methods import glossary
from views.methods import text as methods
from views.registry import VIEWS
from views.settings import definitions
from web.paths import PLAIN_PAGES

PATH = "/search.json"
SETTING = "#set-"
"""Before a setting's name in an address: its page opens with that control in sight."""
CHOSEN = (
    ("Model", "/latency-floor", "model"),
    ("Chip", "/training-run", "accelerator"),
    ("Chip", "/compute-to-memory", "chip"),
    ("Device", "/placement", "device"),
    ("Technique", "/techniques", "technique"),
)
"""What the options of a setting are, and the page and setting that show one of them."""
LONGEST_SEARCH = 60
"""So much of a statement a search on its page takes."""

Entry = tuple[str, str, str, str]
"""Kind, title, what more is said of it, and its link."""


def index() -> Mapping[str, Any]:
    """Return every entry; of several with the same kind and title the first, but for settings of different views."""
    entries: dict[tuple[str, str], Entry] = {}
    for entry in _entries():
        view_title = entry[2] if entry[0] == "Setting" else ""
        entries.setdefault((entry[0], entry[1] + view_title), entry)
    return {"entries": list(entries.values())}


def _entries() -> Iterator[Entry]:
    for path, title in chain.from_iterable(MENU.values()):
        yield "Page", title, (VIEWS | PLAIN_PAGES)[path].question, path
    for view in VIEWS.values():
        for name, setting in definitions(view.settings).items():
            yield "Setting", setting.label, view.title, f"{view.path}{SETTING}{name}"
    for kind, path, name in CHOSEN:
        choice: Any = definitions(VIEWS[path].settings)[name]
        for word in choice.options:
            if word not in ("none", "custom"):
                yield kind, choice.label_of(word), VIEWS[path].title, f"{path}?{urlencode({name: word})}"
    for row in standing.rows("claims", "claim_id").values():
        statement = str(row["statement"])
        yield "Claim", statement, "", f"/claims?{urlencode({'find': statement[:LONGEST_SEARCH].strip()})}"
    for term, meaning in glossary.entries().items():
        yield "Term", term, meaning, f"{methods.PATH}#glossary"
    for section in methods.NUMBERS:
        yield "Method", section.heading, methods.TITLE, f"{methods.PATH}#{section.anchor}"
