"""Put the settings of every page, their defaults and words on record, so that short links keep their meaning.

    python -m scripts.record_defaults          # adds what changed since; says what
    python -m scripts.record_defaults --check  # changes nothing; exit code 1 where something is not on record

A short link carries only what is off the defaults that were on record when it was made. Run this when a default
changes, a setting comes or goes, or a view is new; new words of a choice work unrecorded, but make longer links.
"""

import argparse
import sys

from views.deck import PATH
from views.deck import defaults as deck_defaults
from views.deck import settings as deck_settings
from views.registry import VIEWS
from views.setting_kinds import Choice, Decimal, Month, Setting, WholeNumber
from views.settings import defaults, definitions
from views.short_link.recorded import FILE, Recorded, as_text, newest, pages

UNRECORDED = 1


def words_of(setting: Setting) -> tuple[str, ...]:
    """Return the words a setting can take, beside numbers, months and free text."""
    match setting:
        case Choice():
            return tuple(setting.options)
        case Month(unbounded=str(word)):
            return (word,)
        case WholeNumber() | Decimal() if setting.unset:
            return ("",)
        case _:
            return ()


def pages_now() -> list[Recorded]:
    """Return every page that has short links, as it is now."""
    found = {view.path: (defaults(view.settings), definitions(view.settings)) for view in VIEWS.values()}
    found[PATH] = (deck_defaults(), deck_settings())
    return [
        Recorded(
            path=path, defaults=default, words={name: words_of(setting) for name, setting in known.items()}
        )
        for path, (default, known) in found.items()
    ]


def changed(now: Recorded) -> str:
    """Return, in words, what of a page is not on record; empty where its defaults are."""
    place = newest(now.path)
    if place is None:
        return f"{now.path} is new"
    before = pages()[place].defaults
    words = [
        *(f"{name} is new" for name in now.defaults if name not in before),
        *(f"{name} is gone" for name in before if name not in now.defaults),
        *(
            f"{name} is {text or 'empty'} by default, was {before[name] or 'empty'}"
            for name, text in now.defaults.items()
            if before.get(name, text) != text
        ),
    ]
    return f"{now.path}: {', '.join(words)}" if words else ""


def main(arguments: list[str] | None = None) -> int:
    """Record what changed, or say that something did; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.record_defaults",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--check", action="store_true", help="only say what is not on record")
    parser.add_argument("--words", action="store_true", help="record new words of choices too")
    chosen = parser.parse_args(arguments)
    known = set(map(repr, pages()))
    new = [page for page in pages_now() if changed(page) or (chosen.words and repr(page) not in known)]
    for page in new:
        print(changed(page) or f"{page.path}: new words")
    if chosen.check:
        return UNRECORDED if new else 0
    if new:
        FILE.write_text(as_text([*pages(), *new]), encoding="utf-8")
    print(f"pages recorded in {FILE.name}: {len(new)}" if new else "all is on record")
    return 0


if __name__ == "__main__":
    sys.exit(main())
