"""Errors, their intervals and their groups as text."""

from collections.abc import Collection, Iterator

from analysis.model_errors.comparison import Comparison
from analysis.model_errors.errors import LEVEL, Errors
from data import sources
from data.records import blind_tests
from views import wording, written
from views.model_errors.answer import Answer, worst
from views.model_errors.settings import month, named

TEXTS = written.toml(__file__, name="words.toml")
BLIND = ("decode", "prompts", "training")
"""The models that had blind tests."""
DOMINANT = 0.9
"""Share of a model's rows above which their source is pointed out. [1]"""
MOST_NAME_WORDS = 5
"""Maximum number of words of two models' names in a headline."""
NAMED = 3
"""Maximum number of groups that a note names, largest errors first."""


def percent(error: float) -> str:
    """Return the size of an error as text: 8.8%, 24%, 1,130%."""
    size = 100 * abs(error)
    if size < 0.05:
        return "under 0.1%"
    return f"{size:.1f}%" if size < 9.95 else f"{size:,.0f}%"


def signed(error: float) -> str:
    """Return an error with its sign as text: +24%, −8.8%."""
    if 100 * abs(error) < 0.05:
        return "0%"
    return f"{'+' if error > 0 else '−'}{percent(error)}"


def short(model: str) -> str:
    """Return a model's name without its family: "time per token" for "serving: time per token"."""
    return named(model).removeprefix("serving: ")


def rows_range(errors: Errors) -> str:
    """Return the range of nine in ten rows as text, with the share of a source that provides most of them."""
    of = f"; {wording.share(errors.largest)} are of one source" if DOMINANT < errors.largest < 1 else ""
    return f"90% of rows from {signed(errors.low)} to {signed(errors.high)}{of}"


def headline(answer: Answer) -> str:
    """Return a headline: one model's median error and number of predictions, or the range of several models' errors."""
    if answer.several:
        return _range(answer)
    errors, model = answer.errors, short(answer.rows[0].model)
    name = model.removesuffix("s").replace(",", "").replace(":", "").replace(" ", "-")  # prompt, full-load
    if errors.rows == 1:
        return f"1 {name} prediction is {percent(errors.bias)} off its measurement"
    erring = f"have a median error of {percent(errors.size)}"
    if errors.sources == 1:
        return f"{errors.rows:,} {name} predictions of one source {erring}"
    return f"{wording.sentence_case(name)} predictions {erring} on {errors.sources} sources"


def _range(answer: Answer) -> str:
    sizes = {name: errors.size for name, errors in answer.of_model.items()}
    near, far = min(sizes, key=sizes.__getitem__), max(sizes, key=sizes.__getitem__)
    names = [short(near), short(far)]
    if sum(len(name.split()) for name in names) > MOST_NAME_WORDS:
        names = [name.replace(" ", "-") for name in names]
    low, high = (f"{percent(sizes[end])} ({name})" for end, name in zip((near, far), names, strict=True))
    return f"Median errors range from {low} to {high}"


def subtitle(answer: Answer) -> str:
    """Return a subtitle on the held-out data and, for a single model, on the coverage of its intervals."""
    errors, made = answer.errors, "Each prediction was made without data from the measurement's source."
    if answer.several:
        return made
    ends = wording.interval(wording.share(errors.inside_low), wording.share(errors.inside_high))
    return f"{made} {TEXTS['cover'].format(level=wording.share(LEVEL), share=wording.share(errors.inside), ends=ends)}"


def _furthest(answer: Answer) -> Iterator[str]:
    """Yield sentences on the groups with the largest errors and on those whose intervals are too narrow."""
    far = worst(answer.classes, count=NAMED)
    if len(far) > 1:
        groups = (f"“{group.name}” ({percent(group.errors.size)})" for group in far)
        yield f"By group, the median error is largest for {wording.listed([*groups])}."
    narrow = [g for g in answer.classes if not g.pooled and g.errors.verdict == "too narrow"]
    if narrow:
        narrow.sort(key=lambda group: group.errors.inside)
        least = (f"“{group.name}” ({wording.share(group.errors.inside)})" for group in narrow[:NAMED])
        count = wording.counted(len(narrow), "group")
        yield f"90% intervals are too narrow for {count}. Coverage is lowest for {wording.listed([*least])}."


def notes(answer: Answer) -> Iterator[str]:
    """Yield a note on errors in blind tests and on models with nearly all rows from one source, or nothing."""
    of = answer.of_model
    large = {short(name): of[name].largest for name in of if DOMINANT < of[name].largest < 1}
    share, names = wording.share(min(large.values(), default=0.0)), wording.listed([*large])
    one_source = TEXTS["one_source"].format(share=share, names=names) if large else ""
    yield from filter(None, [" ".join(filter(None, (blind(answer.of_model), one_source)))])


def sure(answer: Answer) -> Iterator[str]:
    """Yield sentences on how certain the errors are."""
    yield TEXTS["left_out"]
    yield TEXTS["optimistic"]
    if answer.several:
        inside = sorted(errors.inside for errors in answer.of_model.values())
        ends = wording.interval(wording.share(inside[0]), wording.share(inside[-1]))
        yield TEXTS["coverage"].format(level=wording.share(LEVEL), ends=ends)
    outside = sum(not row.inside for row in answer.rows)
    lie = "is outside its" if outside == 1 else "are outside their"
    counted = f"{outside:,} of {wording.counted(len(answer.rows), 'row')} {lie} interval"
    yield f"{counted if outside else 'Every row is inside its interval'}."
    yield from _furthest(answer)


def blind(models: Collection[str]) -> str:
    """Return a sentence on errors in blind tests. Empty if there were no such tests."""
    tested = [(named(name), blind_tests(named(name))["all"]) for name in BLIND if name in models]
    errors = [f"{test['median_error_percent']:.0f}% ({name})" for name, test in tested]
    start = "In blind tests, on measurements that no fit had used, the median error was "
    return f"{start}{wording.listed(errors)}." if errors else ""


def source_line(answer: Answer) -> str:
    """Return the source line of the measurements, which are the same for every release."""
    sources_named = wording.counted(len({row.source_id for row in answer.rows}), "source")
    rows = wording.counted(len(answer.rows), "prediction")
    return TEXTS["source"].format(rows=rows, sources=sources_named, month=month(), release=answer.release)


def address(row: Comparison) -> str:
    """Return a row's web address: its locator if that is an address, otherwise the address of its source."""
    if row.locator.startswith("http"):
        return row.locator.split()[0]
    return sources.address(row.source_id)
