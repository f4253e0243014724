"""Ask valid links at the edge of what they may say for every form and every exhibit; print those that fail.

    make fuzz                                                 # ten minutes, other links each day
    python -m scripts.fuzz --minutes 60 --seed 7              # an hour; a seed always draws the same links
    python -m scripts.fuzz --views training_run --minutes 5
    python -m scripts.fuzz --link '/growth-gap?since=2026'    # one link alone, with its traceback

Links are drawn with few points, empty windows, one vendor or precision, and the smallest and largest of each number.
Of each, every exhibit is drawn as picture, slide and table and for the page; numbers, citation, page and panel are
made; its canonical and its short link must mean the same settings.
"""

import argparse
import json
import random
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from urllib.parse import urlencode

from charts.svg import svg
from panel.answer import PanelSettings, answer_of
from panel.document import first_paint
from panel.page import Shown
from scripts.same_results import random_text
from views.registry import VIEWS
from views.resolve import resolve
from views.result import Result
from views.setting_kinds import Decimal, Month, Setting, WholeNumber
from views.settings import definitions
from views.view import SHORT, ReleaseSettings, View, answer, link, pinned, read, short, split
from web.forms import FORMS, Order
from web.forms.form import Form

MINUTES = 10.0
ORIGIN = "https://example.org"
DAY = date(2026, 11, 22)
SHARES_GIVEN = (0.1, 0.3, 0.7, 1.0)
"""How likely a link gives a setting; each link is drawn with one of them."""
AT_AN_EDGE = 0.5
PICTURES = ("png", "svg", "pdf")
WINDOWS = (("since", "until"), ("from", "to"))
"""Settings between which rows lie: half of the windows are a year long, or closed before they open."""


@dataclass(frozen=True, kw_only=True)
class Failure:
    """A link that fails, at which form or exhibit, and how."""

    link: str
    step: str
    error: str

    def __str__(self) -> str:
        return f"{self.link}\n    {self.step}: {self.error}"


def at_an_edge(setting: Setting, draw: random.Random) -> str:
    """Return a valid value: of numbers and dates, half of the time, one at or beside a bound."""
    if isinstance(setting, Month) and draw.random() < AT_AN_EDGE:
        return str(draw.choice([setting.low, setting.low + 1, setting.high - 1, setting.high]))
    if isinstance(setting, WholeNumber) and draw.random() < AT_AN_EDGE:
        beside = {setting.low + 1, setting.high - 1} - {setting.low - 1, setting.high + 1}
        return str(draw.choice(sorted({setting.low, setting.high} | beside)))
    if isinstance(setting, Decimal) and draw.random() < AT_AN_EDGE:
        near = [setting.low, setting.high, setting.low + setting.step, setting.high - setting.step]
        return setting.text(draw.choice(near))
    return random_text(setting, draw)


def drawn(view: View, draw: random.Random) -> dict[str, str]:
    """Return a query of a view."""
    known = definitions(view.settings)
    share = draw.choice(SHARES_GIVEN)
    query = {name: at_an_edge(item, draw) for name, item in known.items() if draw.random() < share}
    for first, last in WINDOWS:
        opens = known.get(first)
        if isinstance(opens, Month) and isinstance(known.get(last), Month) and draw.random() < AT_AN_EDGE:
            year = draw.randint(opens.low, opens.high)
            query |= {first: f"{year}", last: f"{year + draw.choice([-1, 0, 1])}"}
    return query


def links(seed: int, *, views: Sequence[View]) -> Iterator[str]:
    """Yield valid links of the views in turn, without end; the same for a seed."""
    draw = random.Random(seed)
    while True:
        for view in views:
            query = urlencode(drawn(view, draw))
            settings, ignored = read(view, query)
            # What contradicts something else, or lies beyond a bound, is no valid link: it is drawn without.
            given = {item.setting for item in ignored}
            asked = {name: text for name, text in settings.described().items() if name not in given}
            yield f"{view.path}?{urlencode(asked)}"


def _form(form: Form, result: Result, *, options: Mapping[str, str | int]) -> None:
    order = Order(result=result, options=form.options(**options), origin=ORIGIN, today=DAY)
    if not form.write(order):
        raise AssertionError("the file is empty")


def _table(result: Result, *, exhibit: int) -> None:
    table = result.exhibits[exhibit - 1].table
    odd = [row for row in table.rows if len(row) != len(table.columns)]
    if odd:
        raise AssertionError(f"a row has {len(odd[0])} cells under {len(table.columns)} columns")


def _drawing(result: Result, *, exhibit: int) -> None:
    if "<svg" not in svg(result.exhibits[exhibit - 1].chart):
        raise AssertionError("it is no SVG")


def _panel(view: View, settings: ReleaseSettings, *, wanted: Mapping[str, str | int]) -> None:
    part = PanelSettings(**wanted)  # pyright: ignore[reportArgumentType]
    json.dumps(answer_of(view, settings, wanted=part, origin=ORIGIN, today=DAY), allow_nan=False)


def _page(view: View, settings: ReleaseSettings, *, result: Result) -> None:
    page = first_paint(Shown(view=view, settings=settings, result=result), menu={})
    if result.headline.split()[0] not in page:
        raise AssertionError("the page does not say its headline")


def _links(view: View, settings: ReleaseSettings) -> None:
    again, ignored = read(view, split(link(view, settings))[1])
    if ignored or again != pinned(settings):
        raise AssertionError(f"its canonical link means {again}, ignoring {ignored}")
    _, shortly = resolve(short(view, settings).removeprefix(SHORT))
    if shortly != pinned(settings):
        raise AssertionError(f"its short link means {shortly}")


def steps(asked: str) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what is asked of a link, by name."""
    path, query = split(asked)
    view = VIEWS[path]
    settings, ignored = read(view, query)
    if ignored:
        raise ValueError(f"{asked} is no valid link: {' '.join(item.sentence for item in ignored)}")
    found: list[Result] = []
    yield "answer", lambda: found.append(answer(view, settings))
    if not found:
        return
    result = found[0]
    yield "exhibits", lambda: len(result.exhibits)
    yield "words", lambda: [list(part) for part in (result.notes, result.cards, result.sure, result.changes)]
    yield "links", partial(_links, view, settings)
    yield "page", partial(_page, view, settings, result=result)
    try:
        count = len(result.exhibits)
    except Exception:  # it has failed above, and is told there
        count = 0
    for number in range(1, count + 1):
        yield f"exhibit {number}, drawing of the page", partial(_drawing, result, exhibit=number)
        yield f"exhibit {number}, table", partial(_table, result, exhibit=number)
    chance = random.Random(asked)
    for number in range(1, count + 1):  # pictures are one drawing: each exhibit is one of them
        form = FORMS[chance.choice(PICTURES)]
        own = definitions(form.options).items()
        looks = {name: at_an_edge(item, chance) for name, item in own if name != "exhibit"}
        options: dict[str, str | int] = {**looks, "exhibit": number}
        yield f"{form.extension}, {options}", partial(_form, form, result, options=options)
        yield f"pptx, exhibit {number}", partial(_form, FORMS["pptx"], result, options={"exhibit": number})
    for extension in sorted(FORMS.keys() - {*PICTURES, "pptx"}):
        yield extension, partial(_form, FORMS[extension], result, options={})
    for part in ("finding", "page", "further", "share"):
        yield f"panel, {part}", partial(_panel, view, settings, wanted={"part": part})
    for number in range(1, count + 1):
        yield (
            f"panel, table {number}",
            partial(_panel, view, settings, wanted={"part": "table", "exhibit": number}),
        )


def failures(asked: str, *, tell: Callable[[], None] = lambda: None) -> list[Failure]:
    """Return what of a link fails; ``tell`` is called where an error is at hand."""
    failed = []
    for step, make in steps(asked):
        try:
            make()
        except Exception as error:
            failed.append(Failure(link=asked, step=step, error=f"{type(error).__name__}: {error}"))
            tell()
    return failed


def fuzz(seed: int, *, views: Sequence[View], seconds: float, say: Callable[[str], None] = print) -> int:
    """Ask links until the time is up, each view at least once; say what fails; return how many links failed."""
    until, failed, count = time.monotonic() + seconds, 0, 0
    for asked in links(seed, views=views):
        if time.monotonic() > until and count >= len(views):
            break
        count += 1
        found = failures(asked)
        if found:
            failed += 1
            say("\n".join(map(str, found)))
    say(f"{count} links of seed {seed}, every form and exhibit of each: {failed or 'none'} failed")
    return failed


def main(arguments: list[str] | None = None) -> int:
    """Ask links as the arguments say; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.fuzz",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seed", type=int, default=date.today().toordinal(), help="other links each day")
    parser.add_argument("--minutes", type=float, default=MINUTES, help=f"for how long ({MINUTES:g})")
    parser.add_argument("--views", nargs="+", default=[], help="only these, such as placement growth_gap")
    parser.add_argument("--link", help="this link alone, with the traceback of what fails")
    chosen = parser.parse_args(arguments)
    if chosen.link:
        found = failures(chosen.link, tell=traceback.print_exc)
        print("\n".join(map(str, found)) or "nothing fails")
        return bool(found)
    views = [view for view in VIEWS.values() if not chosen.views or view.module in chosen.views]
    unknown = set(chosen.views) - {view.module for view in VIEWS.values()}
    if unknown:
        known = ", ".join(view.module for view in VIEWS.values())
        parser.error(f"there is no view {', '.join(sorted(unknown))}; there are {known}")
    return bool(fuzz(chosen.seed, views=views, seconds=60 * chosen.minutes))


if __name__ == "__main__":
    sys.exit(main())
