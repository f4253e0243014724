"""Check that a change to the code changes no output.

    python -m scripts.same_results record before            # at the commit to compare with
    python -m scripts.same_results record after --as before # in the changed tree: the same links again
    python -m scripts.same_results compare before after     # prints "identical" or the first differences

A record has the JSON of each view at its defaults and for random valid links, and a digest of every exhibit. It also
has the bytes of every form at the defaults, and the parts of their pages. The texts of the API, /methods and the
command are recorded as well. The links are drawn with a fixed seed.
"""

import hashlib
import json
import math
import random
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields, is_dataclass
from datetime import date
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np

from panel.answer import PanelSettings, answer_of
from scripts.command import command
from views.__main__ import listing
from views.methods import text as methods
from views.registry import VIEWS
from views.result import as_json
from views.setting_kinds import Choice, Decimal, Month, Setting, Text, WholeNumber
from views.settings import definitions
from views.view import View, answer, read
from web.forms import FORMS, Order
from web.openapi import openapi

DAY = date(2026, 11, 22)
ORIGIN = "https://example.org"
SHARE_GIVEN = 0.25
"""Probability that a random link includes a setting. If it is low, most links have an answer. [1]"""
SHOWN = 10
DIFFERENT = 1


def random_text(setting: Setting, draw: random.Random, *, edge: float = 0.0) -> str:
    """Return a random valid value of a setting. Numbers and dates are near a bound with probability ``edge``."""
    if edge and isinstance(setting, Month | WholeNumber | Decimal) and draw.random() < edge:
        step = setting.step if isinstance(setting, Decimal) else 1
        near = {setting.low, setting.high, setting.low + step, setting.high - step}
        value = draw.choice([value for value in sorted(near) if setting.low <= value <= setting.high])
        return setting.text(value) if isinstance(setting, Decimal) else str(value)
    if isinstance(setting, WholeNumber | Decimal) and setting.unset and draw.random() < 0.2:
        return ""
    if isinstance(setting, Choice):
        return draw.choice(list(setting.options))
    if isinstance(setting, WholeNumber):
        return str(_between(setting.low, setting.high, draw=draw, whole=True))
    if isinstance(setting, Decimal):
        return setting.text(_between(setting.low, setting.high, draw=draw))
    if isinstance(setting, Month):
        return str(draw.randint(setting.low, setting.high)) + draw.choice(["", "-03", "-11"])
    if isinstance(setting, Text):
        return draw.choice(["gpt", "nvidia", "2024", "no such row"])
    raise TypeError(f"{type(setting).__name__} is a kind of setting that random_text does not support.")


def _between(low: float, high: float, *, draw: random.Random, whole: bool = False) -> float:
    """Return a random number between two bounds, uniform, or log-uniform if they are far apart."""
    if low > 0 and high / low > 100:
        value = math.exp(draw.uniform(math.log(low), math.log(high)))
    else:
        value = draw.uniform(low, high)
    return min(max(round(value) if whole else round(value, 3), low), high)


def random_query(view: View, draw: random.Random, *, share: float, edge: float = 0.0) -> dict[str, str]:
    """Return a random valid query. It includes each setting with probability ``share``."""
    known = definitions(view.settings)
    return {name: random_text(item, draw, edge=edge) for name, item in known.items() if draw.random() < share}


def random_links(view: View, count: int) -> list[str]:
    """Return the bare address of a view and ``count`` different valid links to it. Every call returns the same links.

    A view with few options may have fewer.
    """
    draw = random.Random(view.name)
    share = max(SHARE_GIVEN, 2 / len(definitions(view.settings)))
    links = {view.path: None}
    for _ in range(10 * count):
        if len(links) > count:
            break
        query = random_query(view, draw, share=share)
        links[f"{view.path}?{urlencode(query)}" if query else view.path] = None
    return list(links)


def plain(value: Any) -> Any:
    """Return a result, or part of one, as JSON-serializable values without class names."""
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else repr(value)


def digest(value: bytes | str) -> str:
    """Return a short digest of bytes or text."""
    return hashlib.sha256(value if isinstance(value, bytes) else value.encode()).hexdigest()[:16]


def recorded(view: View, link: str) -> dict[str, Any]:
    """Return the answer to a link as JSON, with a digest of every exhibit. If it fails, return the error."""
    try:
        settings, ignored = read(view, link.partition("?")[2])
        result = answer(view, settings, ignored=ignored)
        exhibits = [
            {
                "title": item.chart.title,
                "chart": digest(json.dumps(plain(item.chart))),
                "table": digest(json.dumps(plain(item.table))),
            }
            for item in result.exhibits
        ]
        figures = [[figure.label, figure.text, figure.key] for figure in result.figures]
        parts = {"question": result.question, "figures": figures, "exhibits": exhibits}
        return {"result": as_json(result), **parts}
    except Exception as error:  # errors must be equal too
        return {"error": f"{type(error).__name__}: {error}"}


def record_view(path: str, links: Sequence[str], *, folder: str) -> str:
    """Write the answers to a view's links, and digests of its forms and page. Return a line that counts the links."""
    view = VIEWS[path]
    answers = {link: recorded(view, link) for link in links}
    settings, _ = read(view, "")
    forms, page = {}, {}
    for extension, form in FORMS.items():
        order = Order(result=answer(view, settings), options=form.options(), origin=ORIGIN, today=DAY)
        forms[extension] = digest(form.write(order))
    for part in ("page", "further", "table", "share"):
        told = answer_of(view, settings, wanted=PanelSettings(part=part), origin=ORIGIN, today=DAY)
        page[part] = {name: digest(json.dumps(content)) for name, content in told.items()}
    content = {"forms": forms, "page": page, "answers": answers}
    _write(Path(folder, f"{view.name}.json"), content)
    failed = sum("error" in item for item in answers.values())
    return f"{view.name}: {len(links)} links, {failed} of them end in an error"


def record(folder: Path, *, views: Sequence[str], count: int, like: Path | None, processes: int) -> None:
    """Write the record of the views into a folder. The links are those of ``like``, if given."""
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        jobs = []
        for view in VIEWS.values():
            if views and view.name not in views:
                continue
            links = list(_read(like / f"{view.name}.json")["answers"]) if like else random_links(view, count)
            jobs.append(pool.submit(record_view, view.path, links[: count + 1], folder=str(folder)))
        for job in jobs:
            print(job.result(), flush=True)
    if not views:
        sections = (*methods.NUMBERS, *methods.settings_sections())
        texts = {section.heading: section.text for section in sections}
        documents = {"api": openapi(VIEWS), "methods": texts, "listing": listing().splitlines()}
        _write(folder / "documents.json", documents)


def _write(path: Path, content: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def leaves(record: Any, *, where: str) -> Iterator[tuple[str, str]]:
    """Yield each value in a record, as JSON, with its path."""
    if isinstance(record, dict | list) and record:
        for key, item in record.items() if isinstance(record, dict) else enumerate(record):
            yield from leaves(item, where=f"{where}/{key}")
    else:
        yield where, json.dumps(record, ensure_ascii=False)


def compare(before: Path, after: Path) -> int:
    """Compare two records and print the first differences. Return the exit code.

    A view in only one record, or fewer links in the later one, are not differences: part of a record may be compared
    with the whole.
    """
    lines: list[str] = []
    compared = 0
    for path in sorted(after.glob("*.json")):
        if not (before / path.name).exists():
            lines.append(f"{path.stem}: not in {before}")
            continue
        old, new = _read(before / path.name), _read(path)
        if "answers" in old:
            old["answers"] = {link: item for link, item in old["answers"].items() if link in new["answers"]}
            compared += len(old["answers"])
        was, now = (dict(leaves(record, where=path.stem)) for record in (old, new))
        lines += [
            f"{where}: {textwrap.shorten(was.get(where, 'nothing'), 300)} -> "
            f"{textwrap.shorten(now.get(where, 'nothing'), 300)}"
            for where in {**was, **now}
            if was.get(where) != now.get(where)
        ]
    if not compared and not lines:
        print(f"nothing to compare: {after} holds no record of a view.")
        return DIFFERENT
    if not lines:
        print(f"identical: {compared} links and every form")
        return 0
    for line in lines[:SHOWN]:
        print(line)
    print(f"{len(lines)} differences in {compared} links and their forms")
    return DIFFERENT


def main(arguments: list[str] | None = None) -> int:
    """Record the answers of views, or compare two records. Return the exit code."""
    parser = command("scripts.same_results", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="write the results of every view to a folder")
    recording.add_argument("folder", type=Path)
    recording.add_argument("--as", dest="like", type=Path, help="use the links of this record")
    recording.add_argument("--links", type=int, default=200, help="random links per view (default: 200)")
    recording.add_argument("--views", nargs="+", default=[], help="only these, such as placement growth_gap")
    recording.add_argument("--processes", type=int, default=2)
    comparing = commands.add_parser("compare", help="compare two records")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    chosen = parser.parse_args(arguments)
    if chosen.command == "compare":
        return compare(chosen.before, chosen.after)
    names = [view.name for view in VIEWS.values()]
    if unknown := sorted(set(chosen.views) - set(names)):
        parser.error(f"there is no view {', '.join(unknown)}; there are {', '.join(names)}")
    options = {"count": chosen.links, "like": chosen.like, "processes": chosen.processes}
    record(chosen.folder, views=chosen.views, **options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
