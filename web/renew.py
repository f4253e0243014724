"""Update decks made with Scaling Gap to the newest release: `python -m web.renew deck.pptx --output new.pptx`.

For several decks, ``--output`` is a folder. Edits made by hand are kept. The exit code is 2 if a deck cannot be
updated; the others are still written.
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
    """Update the decks, print the changes on each slide, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m web.renew", description=__doc__)
    parser.add_argument("decks", type=Path, nargs="+", help=".pptx files made with Scaling Gap")
    parser.add_argument("--output", type=Path, required=True, help="new file, or a folder for several decks")
    parser.add_argument("--release", default=LATEST, choices=(LATEST, *releases.names()), metavar="RELEASE")
    parser.add_argument("--site", default="", help="address of the server for links (default: unchanged)")
    options = parser.parse_args(arguments)
    folder = len(options.decks) > 1 or options.output.is_dir()
    failed = 0
    for older in options.decks:
        newer = options.output / older.name if folder else options.output
        try:
            if newer.exists():
                raise FileExistsError(f"{newer} already exists. Choose a new file.")
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
