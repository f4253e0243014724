"""How errors, intervals and groups are said."""

from collections.abc import Collection, Mapping, Sequence

from analysis.model_errors import LEVEL, Errors
from data import sources
from views import wording
from views.model_errors.compared import Compared, summary
from views.model_errors.recorded import month
from views.placement.blind_test import blind_test

TOO = {"tokens/s": ("fast", "slow"), "s": ("long", "short")}
"""What a prediction is that is higher than what was measured, and one that is lower, by unit."""
BLIND = {"decode": "decode", "prompts": "prefill"}
"""What was predicted in a blind test, by the model that was tested."""
MOST_NAME_WORDS = 4
"""Words that the names of two models may have in a headline."""
FEW = 5
"""Fewer rows than this are told as they are: they have no middle half."""


def percent(error: float) -> str:
    """Return the size of an error: 8.8 %, 24 %, 1,130 %."""
    size = 100 * abs(error)
    if size < 0.05:
        return "under 0.1 %"
    return f"{size:.1f} %" if size < 9.95 else f"{size:,.0f} %"


def share(part: float) -> str:
    """Return a share of rows in whole percent."""
    return f"{100 * part:.0f} %"


def signed(error: float) -> str:
    """Return an error with its sign: +24 %, −8.8 %."""
    size = 100 * abs(error)
    if size < 0.05:
        return "0 %"
    return f"{'+' if error > 0 else '−'}{percent(error)}"


def too(rows: Sequence[Compared]) -> tuple[str, str]:
    """Return what predictions above and below the measurements are: fast and slow, long and short, high and low."""
    units = {row.unit for row in rows}
    return TOO.get(units.pop(), ("high", "low")) if len(units) == 1 else ("high", "low")


def name_of(models: Sequence[str]) -> str:
    """Return the name of the one model, behind which "predictions" may stand; empty for several."""
    if len(set(models)) > 1:
        return ""
    return models[0].removeprefix("serving: ").removesuffix("s").replace(", ", " ").replace(" ", "-")


def headline(rows: Sequence[Compared], errors: Errors) -> str:
    """Return how far off half of one model's predictions are, with their number, or the range of several models."""
    of_model: dict[str, list[Compared]] = {}
    for row in rows:
        of_model.setdefault(row.model, []).append(row)
    if len(of_model) > 1:
        return _range({name: summary(kept).size for name, kept in of_model.items()})
    name = name_of([row.model for row in rows])
    of = f"{name} " if name else ""
    if errors.rows == 1:
        return f"1 {of}prediction is {percent(errors.bias)} off what was measured"
    if errors.rows < FEW:
        return f"{errors.rows} {of}predictions: median error {percent(errors.size)}"
    return f"Half of {errors.rows:,} {of}predictions lie within {percent(errors.size)} of the measurement"


def _range(sizes: Mapping[str, float]) -> str:
    """Return the least and the greatest median error, each with its model: models are never thrown together."""
    near, far = min(sizes, key=sizes.__getitem__), max(sizes, key=sizes.__getitem__)
    names = [name.removeprefix("serving: ") for name in (near, far)]
    if sum(len(name.split()) for name in names) > MOST_NAME_WORDS:
        names = [name.replace(" ", "-") for name in names]
    return f"Median error: {percent(sizes[near])} for {names[0]} to {percent(sizes[far])} for {names[1]}"


def ways(rows: Sequence[Compared]) -> str:
    """Return how rows set nothing, in words: 626 predicted without their chip, 163 never used."""
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.way] = counts.get(row.way, 0) + 1
    return ", ".join(f"{count:,} {way.replace(' its ', ' their ')}" for way, count in counts.items())


def subtitle(rows: Sequence[Compared], errors: Errors) -> str:
    """Return how the rows set nothing, and how many lie in their intervals: of several models, the least and most."""
    of_model: dict[str, list[Compared]] = {}
    for row in rows:
        of_model.setdefault(row.model, []).append(row)
    held = sorted(summary(kept).inside for kept in of_model.values())
    if len(of_model) == 1:
        ends = wording.interval(share(errors.inside_low), share(errors.inside_high))
        told = f"{share(errors.inside)} of rows lie in their {share(LEVEL)} intervals, {ends} allowing for chance"
    else:
        ends = wording.interval(share(held[0]), share(held[-1]))
        told = f"by model, {ends} of rows lie in their {share(LEVEL)} intervals"
    return f"No row set what predicts it ({ways(rows)}); {told}."


def blind(models: Collection[str]) -> str:
    """Return how far off predictions were of speeds gathered before any was predicted; empty where none were."""
    tested = [(name, blind_test(predicted)) for name, predicted in BLIND.items() if name in models]
    tests = [(name, test) for name, test in tested if test.rows]
    told = [f"{test.median_error_percent:.0f} % for {name} ({test.rows} rows)" for name, test in tests]
    return f"in blind tests the median error was {' and '.join(told)}" if told else ""


def source_line(rows: Sequence[Compared], *, release: str) -> str:
    """Return where the measurements are from; what is on record is the same for every release."""
    sources_named = wording.counted(len({row.source_id for row in rows}), "source")
    return (
        f"{wording.counted(len(rows), 'prediction')} of what {sources_named} measured, made in {month()}; each row of "
        f"the table names its own. The same for every release, here {release}."
    )


def address(row: Compared) -> str:
    """Return where a row can be read: its locator where that is an address, else its source's address."""
    if row.locator.startswith("http"):
        return row.locator.split()[0]
    return sources.address(row.source_id)
