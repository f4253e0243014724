"""Put the figures that every view answers by default on record, and log which moved, from what to what and why.

    python -m scripts.record_figures                 # writes what is new; refuses where a figure on record moved
    python -m scripts.record_figures --why "..."     # writes that, too, with the reason
    python -m scripts.record_figures --check         # writes nothing; exit code 1 where the record is stale

A figure of a release on record moves by ``method``, since the release is sealed. The figures of a release that is not
on record yet are compared with those of the release before it: what differs moved by ``rows`` or by ``correction``.
"""

import argparse
import math
import sys
from collections.abc import Iterable, Mapping
from datetime import date
from itertools import pairwise

from data import publish, records
from data.records import Kind, Move, RecordedFigure
from data.release_name import correction_of
from data.releases import names
from views.registry import VIEWS
from views.view import View, answer

STALE = 1
LONGEST_REASON = 160
COMMAND = 'make records WHY="..."'


def figures_now(views: Iterable[View] = tuple(VIEWS.values())) -> list[RecordedFigure]:
    """Return every figure of the views' answers at their default settings, from every release."""
    rows = []
    for view in views:
        for release in names():
            result = answer(view, view.settings(release=release))
            for figure in result.figures:
                rows.append(
                    RecordedFigure(
                        view=view.name,
                        release=release,
                        figure=figure.name,
                        value=_finite(figure.value),
                        low=_finite(figure.low),
                        high=_finite(figure.high),
                        unit=figure.unit,
                        text=figure.text,
                        interval=figure.interval_text,
                    )
                )
    return rows


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def moved(
    now: Iterable[RecordedFigure], *, before: Mapping[tuple[str, str, str], RecordedFigure], reason: str
) -> list[Move]:
    """Return the figures that moved since they were put on record, or with a release that is not on record yet."""
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
            log.append(
                Move(
                    day=date.today().isoformat(),
                    view=view,
                    release=release,
                    figure=figure,
                    was=_shown(reference, beside=row),
                    now=_shown(row, beside=reference),
                    kind=kind,
                    reason=reason,
                )
            )
    return log


def _shown(row: RecordedFigure, *, beside: RecordedFigure) -> str:
    """Return the number as a reader sees it, with its interval only where the number is the same in both."""
    return f"{row.text} ({row.interval})" if row.text == beside.text and row.interval else row.text


def renewed(
    now: Iterable[RecordedFigure], *, before: Mapping[tuple[str, str, str], RecordedFigure]
) -> list[RecordedFigure]:
    """Return the record as it should be: a line on record stays as it is while its figure has not moved."""
    return [
        old if (old := before.get(row.key)) and old.is_same(row) and old.words == row.words else row
        for row in now
    ]


def main(arguments: list[str] | None = None) -> int:
    """Record what is new and what moved, or say what did; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.record_figures",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--why", default="", help="why figures moved, in words for a reader")
    parser.add_argument("--check", action="store_true", help="only say what is stale")
    options = parser.parse_args(arguments)
    reason = " ".join(options.why.split())
    if len(reason) > LONGEST_REASON:
        parser.error(f"--why is at most {LONGEST_REASON} characters, as slides show it; got {len(reason)}.")
    before, now = records.figures(), figures_now()
    log = moved(now, before=before, reason=reason)
    for move in log:
        print(
            f"{move.view}, release {move.release}, {move.figure}: {move.was} became {move.now} ({move.kind})"
        )
    text = records.figures_text(renewed(now, before=before))
    if text == records.FIGURES.read_text(encoding="utf-8"):
        print("figures: on record")
        return 0
    came, gone = ({row.key for row in now} - before.keys()), before.keys() - {row.key for row in now}
    print(f"figures: {len(log)} moved, {len(came)} new, {len(gone)} gone")
    if options.check:
        return STALE
    if log and not reason:
        print(f"nothing was written: say why these figures moved: {COMMAND}", file=sys.stderr)
        return STALE
    publish.write_file(records.MOVED, text=records.moved_text([*records.moves(), *log]))
    publish.write_file(records.FIGURES, text=text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
