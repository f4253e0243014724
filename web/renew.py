"""Bring decks made here up to date, unattended: `python -m web.renew deck.pptx --output new.pptx`.

With several decks ``--output`` is a folder. What people changed in a deck stays. Exit code 2 for a deck that cannot be
renewed; the others are still written.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from charts.powerpoint import TemplateError
from data import releases
from panel.deck_file import renewed_deck
from views.view import LATEST
from views.wording import counted


def main(arguments: Sequence[str] | None = None) -> int:
    """Update the decks and report the changes on each slide; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m web.renew", description=__doc__)
    parser.add_argument("decks", type=Path, nargs="+", help=".pptx files made here")
    parser.add_argument(
        "--output", type=Path, required=True, help="a new file, or a folder for several decks"
    )
    parser.add_argument("--release", default=LATEST, choices=(LATEST, *releases.names()), metavar="RELEASE")
    parser.add_argument("--site", default="", help="the server that the links lead to, if not where they did")
    options = parser.parse_args(arguments)
    folder = len(options.decks) > 1 or options.output.is_dir()
    failed = 0
    for older in options.decks:
        newer = options.output / older.name if folder else options.output
        try:
            if newer.exists():
                raise FileExistsError(f"{newer} exists; name a new file.")
            now = renewed_deck(older.read_bytes(), origin=options.site, release=options.release)
            newer.parent.mkdir(parents=True, exist_ok=True)
            newer.write_bytes(now.file)
        except (TemplateError, OSError) as error:
            print(f"{older}: {error}", file=sys.stderr)
            failed = 2
            continue
        print(f"{older} -> {newer}")
        for slide in now.slides:
            by_hand = f", {counted(len(slide.kept), 'text')} edited by hand kept" if slide.kept else ""
            count = counted(len(slide.changes), "change")
            print(f"  slide {slide.number}: {count}{by_hand}. {slide.headline}")
            print("".join(f"    {change}\n" for change in slide.changes), end="")
    return failed


if __name__ == "__main__":
    sys.exit(main())
