"""Record what links, pages and README depend on: predictions of measured rows, defaults, tests of claims, figures.

    python -m scripts.records --why "..."    # all five, as in make records; the reason is for figures that moved
    python -m scripts.records defaults       # one of them: descriptor, model-errors, defaults, claims, figures
    python -m scripts.records serving        # refits the serving model (minutes), which the others never do

A short link contains only settings that differ from the recorded defaults. Record these after you change a default, add
or remove a setting, or add a view. New options of a choice work without this, but their links are longer.

A figure of a recorded release moves by ``method``, because the release is sealed. Figures of a new release are compared
with those of the release before it; differences are moved by ``rows`` or by ``correction``.
"""

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date
from itertools import pairwise

from analysis.claims.verdict import Measured
from data import contract, publish, records
from data.package import described
from data.records import Kind, Move, RecordedFigure
from data.release_name import correction_of
from data.releases import load, names, reading
from scripts import record_model_errors, record_serving
from scripts.command import command
from views.claims import expressions as claims
from views.claims import statements
from views.deck import DEFAULTS, PATH, SETTINGS
from views.registry import VIEWS
from views.setting_kinds import Choice, Decimal, Month, Setting, WholeNumber
from views.settings import defaults, definitions
from views.short_link.recorded import FILE, Recorded, as_text, newest, pages
from views.view import View, answer
from views.what_changed.pairs import recorded

LONGEST_REASON = 160
COMMAND = 'make records WHY="..."'


def words_of(setting: Setting) -> tuple[str, ...]:
    """Return the options of a setting. Numbers, months and free text have none."""
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
    """Return the current state of every page that has short links."""
    now = {view.path: (defaults(view.settings), definitions(view.settings)) for view in VIEWS.values()}
    now[PATH] = (DEFAULTS, SETTINGS)
    return [
        Recorded(path=path, defaults=default, words={name: words_of(item) for name, item in known.items()})
        for path, (default, known) in now.items()
    ]


def changed(now: Recorded) -> str:
    """Return the unrecorded changes to a page's defaults. Empty if there are none."""
    place = newest(now.path)
    if place is None:
        return f"{now.path} is new"
    before = pages()[place].defaults
    changes = [
        f"{name} is {now.defaults.get(name, 'gone') or 'empty'}, was {before.get(name, 'unknown') or 'empty'}"
        for name in {**before, **now.defaults}
        if now.defaults.get(name) != before.get(name)
    ]
    return f"{now.path}: {', '.join(changes)}" if changes else ""


def record_defaults() -> None:
    """Record the pages whose defaults have changed, and print the changes."""
    new = {page.path: (page, change) for page in pages_now() if (change := changed(page))}
    for _, change in new.values():
        print(change)
    if new:
        FILE.write_text(as_text([*pages(), *(page for page, _ in new.values())]), encoding="utf-8")
    print(f"pages recorded in {FILE.name}: {len(new)}")


def record_descriptor() -> None:
    """Add to datapackage.json the releases' tables that it does not describe yet."""
    file = contract.DIRECTORY / "datapackage.json"
    package = json.loads(file.read_text(encoding="utf-8"))
    there = {resource["name"] for resource in package["resources"]}
    fresh = [table for name in names() for table in described(name) if table["name"] not in there]
    if fresh:
        package["resources"] += fresh
        publish.write_file(file, text=json.dumps(package, indent=1, ensure_ascii=False) + "\n")
    print(f"tables of releases entered into {file.name}: {len(fresh)}")


def figures_now(
    views: Iterable[View] = tuple(VIEWS.values()), releases: Iterable[str] | None = None
) -> list[RecordedFigure]:
    """Return every figure in the views' answers at default settings, from some or all releases."""
    return [
        row
        for view in views
        for release in (names() if releases is None else releases)
        for row in recorded(answer(view, view.settings(release=release)))
    ]


def moved(
    now: Iterable[RecordedFigure], *, before: Mapping[tuple[str, str, str], RecordedFigure], reason: str
) -> list[Move]:
    """Return the figures that differ from their record or, in a new release, from the release before."""
    current = {row.key: row for row in now}
    earlier = {after: before for before, after in pairwise(names())}
    on_record = {(row.view, row.release) for row in before.values()}
    log: list[Move] = []
    for (view, release, figure), row in current.items():
        kind: Kind = "method"
        reference = before.get(row.key)
        if (view, release) not in on_record and any(name == view for name, _ in on_record):
            base = earlier.get(release, "")
            reference = current.get((view, base, figure))
            kind = "correction" if base and correction_of(base) == correction_of(release) else "rows"
        if reference and not reference.is_same(row):
            was, became = _shown(reference, beside=row), _shown(row, beside=reference)
            move = {"view": view, "release": release, "figure": figure, "was": was, "now": became}
            log.append(Move(day=date.today().isoformat(), kind=kind, reason=reason, **move))
    return log


def _shown(row: RecordedFigure, *, beside: RecordedFigure) -> str:
    """Return the number that readers see. Its interval is added only if the number did not change."""
    return f"{row.text} ({row.interval})" if row.text == beside.text and row.interval else row.text


def claim_tests_now(releases: Iterable[str] | None = None) -> dict[claims.Key, Measured]:
    """Return the numbers that the tests of claims measure now, in some or all releases."""
    now = {}
    for release in map(load, names() if releases is None else releases):
        with reading(release.name):
            for test in statements.tests():
                if test.test != statements.OPEN:
                    now[claims.key_of(release.name, test)] = statements.measure(test, release=release)
    return now


def record_claim_tests() -> None:
    """Record the numbers that tests of claims measure. The lines of other numbers stay unchanged."""
    before, now = claims.on_record(), claim_tests_now()
    renewed = {
        key: old if (old := before.get(key)) and old.is_close(ours, within=records.TOLERANCE) else ours
        for key, ours in now.items()
    }
    publish.write_file(claims.FILE, text=claims.as_text(renewed.items()))
    claims.on_record.cache_clear()
    new = sum(before.get(key) != ours for key, ours in renewed.items())
    print(f"tests of claims: {new} moved or new")


def record_figures(reason: str) -> int:
    """Record new figures and, with a reason, moved ones. Return the exit code."""
    before, now = records.figures(), figures_now()
    log = moved(now, before=before, reason=reason)
    for move in log:
        print(
            f"{move.view}, release {move.release}, {move.figure}: {move.was} became {move.now} ({move.kind})"
        )
    renewed = [  # a recorded line is unchanged if its figure has not moved
        old if (old := before.get(row.key)) and old.is_same(row) and old.words == row.words else row
        for row in now
    ]
    text = records.figures_text(renewed)
    if text == records.FIGURES.read_text(encoding="utf-8"):
        print("figures: on record")
        return 0
    keys = {row.key for row in now}
    print(f"figures: {len(log)} moved, {len(keys - before.keys())} new, {len(before.keys() - keys)} gone")
    if log and not reason:
        print(f"nothing was written. Give the reason why these figures moved: {COMMAND}", file=sys.stderr)
        return 1
    # A figure that moves twice in a day has one line, from its first number to its last.
    moves = {(move.day, move.view, move.release, move.figure): move for move in records.moves()}
    for move in log:
        key = (move.day, move.view, move.release, move.figure)
        moves[key] = replace(move, was=moves[key].was) if key in moves else move
    publish.write_file(records.MOVED, text=records.moved_text(list(moves.values())))
    publish.write_file(records.FIGURES, text=text)
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Record the named parts or, if none is named, all but serving. Return the exit code."""
    parser = command("scripts.records", description=__doc__)
    parts: dict[str, Callable[[], int | None]] = {
        "descriptor": record_descriptor,
        "model-errors": record_model_errors.record,
        "defaults": record_defaults,
        "claims": record_claim_tests,
        "figures": lambda: record_figures(reason),
        "serving": record_serving.record,
    }
    parser.add_argument("parts", nargs="*", choices=[*parts, "all"], default="all", help="parts to record")
    parser.add_argument("--why", default="", help="why figures moved, as a sentence for readers")
    options = parser.parse_args(arguments)
    reason = " ".join(options.why.split())
    if len(reason) > LONGEST_REASON:
        parser.error(f"--why is at most {LONGEST_REASON} characters, as slides show it; got {len(reason)}.")
    chosen = list(parts)[:5] if "all" in options.parts else options.parts
    return max(parts[part]() or 0 for part in chosen)


if __name__ == "__main__":
    sys.exit(main())
