"""What a link that is pinned to a release says when new code moved a number of it: the release itself never changes."""

from collections.abc import Sequence
from itertools import groupby

from data.records import Move
from views.result import Figure
from views.wording import month_words, sentence_case


def notes(moves: Sequence[Move], *, figures: Sequence[Figure], at_defaults: bool) -> tuple[str, ...]:
    """Return a note for each day and reason; ``moves`` are of one view and release.

    ``figures`` are those of the answer: the first of them that moved stands for all. ``at_defaults`` says whether the
    answer is that of the default settings, whose numbers are on record.
    """
    order = {figure.name: place for place, figure in enumerate(figures)}
    labels = {figure.name: figure.label for figure in figures}
    where = "" if at_defaults else " at its default settings"
    lines = []
    for (day, reason), group in groupby(moves, key=lambda move: (move.day, move.reason)):
        first, *others = sorted(group, key=lambda move: order.get(move.figure, len(order)))
        label = labels.get(first.figure, sentence_case(first.figure.replace("_", " ")))
        more = f" and {len(others)} more figure{'s' if len(others) > 1 else ''}" if others else ""
        lines.append(
            f"Since {month_words(day)} this page has computed “{label}”{more} differently: "
            f"{first.was} became {first.now}{where}. {sentence_case(reason.rstrip('.'))}."
        )
    return tuple(lines)
