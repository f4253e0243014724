"""What stands at the top of a page is short, for any link: headline, subtitle, key figures and notes."""

import ast
import json
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path

import pytest

from charts.chart import Axis, BarChart, Chart, XYChart
from data.releases import names
from panel.cells import table_csv
from tests.language import QUAINT, SPELLING
from tests.length import at_length
from tests.views.links import corpus
from views import written
from views.chips.linked import NAMES
from views.exhibits import bar_reach, mark_reach
from views.lazy_sequence import LazySequence
from views.models import names as model_names
from views.registry import VIEWS
from views.resolve import resolve
from views.result import Column, Exhibit, Result, Table, as_json
from views.setting_kinds import Choice, SettingError
from views.settings import definitions
from views.techniques.settings import EVIDENCE
from views.training_run.defaults import accelerators
from views.view import SHORT, answer, link, read
from web.forms import FORMS, ExhibitSettings, Order

EVERY_VIEW = pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
KEYS = ["view", "link", "short_link", "release", "settings", "ignored", "headline", "figures", "table"]
KEYS.append("settings_line")
FURTHER_KEYS = {"notes", "method", "sources", "subtitle", "cards", "sure", "changes", "moved", "versus"}
FIGURE_KEYS = {"name", "label", "value", "unit", "low", "high", "level", "method", "n"}
NARROW = ("latency-floor", "techniques")
"""Views whose key figures are read whole on a phone."""


def result_of(path, query=""):
    chosen, ignored = read(VIEWS[path], query)
    return answer(VIEWS[path], chosen, ignored=ignored)


def check_drawn_within_the_axis(chart):
    if isinstance(chart, BarChart):
        assert all(chart.x.low <= end <= chart.x.high for end in bar_reach(chart.bars)), chart.title
    if isinstance(chart, XYChart):
        assert all(map(math.isfinite, mark_reach(chart.marks))), chart.title


def check_sound(view, result):
    as_text = json.dumps(as_json(result), allow_nan=False)
    assert json.loads(as_text)["headline"] == result.headline
    assert result.headline and not re.search(r"  |\bNone\b(?! of)", result.headline)
    assert result.exhibits and result.sources and result.method
    for figure in result.figures:
        assert figure.text and "nan" not in figure.text.lower()
        rate = figure.unit == "x/year" and figure.name.endswith("growth")
        if rate or figure.name.endswith("_total") or figure.name == "value":
            assert figure.value is not None and figure.low is not None and figure.high is not None
            assert 0 < figure.low <= figure.high
            if figure.method.startswith("the") or "t interval" in figure.method:
                assert figure.low <= figure.value <= figure.high
        if figure.name == "value":
            assert figure.prediction_low is not None and figure.prediction_high is not None
            assert figure.prediction_low <= figure.prediction_high
    for exhibit in result.exhibits:
        chart = exhibit.chart
        assert isinstance(chart, Chart)
        assert chart.title and chart.alt and chart.source and chart.subtitle
        check_drawn_within_the_axis(chart)
        assert result.release in chart.source or chart.source.endswith("no data.")
        width = len(exhibit.table.columns)
        assert all(len(row) == width for row in exhibit.table.rows)
        assert len({column.name for column in exhibit.table.columns}) == width
    again = read(view, result.link.partition("?")[2])[0]
    assert result.link == link(view, again)
    assert resolve(result.short_link.removeprefix(SHORT)) == (view, again)
    assert result.printed_link in (result.short_link, view.path)


@EVERY_VIEW
def test_any_settings_and_the_defaults_of_every_release_give_a_sound_answer(view):
    releases = at_length(names(), few=names()[:1])
    for query in (*({"release": [name]} for name in releases), *corpus(view)):
        check_sound(view, answer(view, read(view, query)[0]))


@EVERY_VIEW
def test_the_json_has_every_key_of_the_contract_and_no_other_shape(view):
    result = as_json(result_of(view.path))
    assert list(result)[: len(KEYS)] == KEYS
    assert set(result) == {*KEYS, *FURTHER_KEYS}
    assert all(set(figure) >= FIGURE_KEYS for figure in result["figures"])
    assert set(result["table"]) == {"columns", "rows"}
    assert all(set(column) == {"name", "unit"} for column in result["table"]["columns"])
    assert all(source["url"] and source["licence"] for source in result["sources"])
    assert result["release"] == result["settings"]["release"] == names()[-1]


def test_the_json_says_what_of_the_link_was_ignored_and_null_for_numbers_it_cannot_hold():
    result = as_json(result_of("/", "since=1066"))
    fault = {"setting": "since", "value": "1066", "allowed": "a whole number from 2008 to 2022"}
    assert result["ignored"] == [fault]
    assert result["settings"]["since"] == "2012"
    result = result_of("/accelerators", "metric=fp4&interval=classical&release=2026-07")
    doubling = next(item for item in as_json(result)["figures"] if item["name"] == "doubling_time_years")
    assert result.figure("doubling_time_years").high == float("inf")
    assert doubling["high"] is None


def test_an_exhibit_is_had_without_those_behind_it():
    whole = result_of("/training-compute")

    def exhibits():
        yield whole.exhibits[0]
        raise RuntimeError("made though nobody asked for it")

    lazy = replace(whole, exhibits=LazySequence(exhibits))
    assert lazy.exhibit(1) is whole.exhibits[0]
    order = Order(result=lazy, options=ExhibitSettings(), origin="", today=date(2026, 7, 1))
    assert table_csv(whole.exhibits[0].table).encode() == FORMS["csv"].write(order)
    assert whole.exhibit(2) is whole.exhibits[1]
    for number in (0, len(whole.exhibits) + 1):
        with pytest.raises(SettingError, match=rf"^exhibit: got '{number}'; allowed: a whole number from 1"):
            whole.exhibit(number)


def test_a_row_that_does_not_fit_its_columns_is_refused():
    with pytest.raises(ValueError, match=r"^Table row 2 has 1 cells for 2 columns\.$"):
        Table(columns=(Column(name="a", label="A"), Column(name="b", label="B")), rows=((1, 2), (1,)))


MOST_WORDS, MOST_SUBTITLE_WORDS, MOST_NOTES, MOST_KEY_FIGURES = 12, 40, 3, 3
NOTHING_TO_TELL = ("These choices ", "Too few ", "No ", "Release ", "None of these ", "Not ", "The one ")
RULES = (
    *(": no, data must stay on", ": no, data may not go there", ": no, it must work offline"),
    *(": no, memory is too small", " takes practically forever", " does not fit on "),
)
"""A rule that leaves a place out is no number either, nor what was not reckoned, nor a million years and more."""


@cache
def _names() -> re.Pattern[str]:
    chips = {*NAMES.values(), *accelerators().values()}
    names = {*model_names().values(), *chips, *(item.label for item in EVIDENCE.values())}
    longest_first = sorted(names, key=len, reverse=True)
    either = "|".join(re.escape(name) for name in longest_first)
    return re.compile(rf"(?<!\w)(?:{either})s?(?!\w)", re.IGNORECASE)


def numbers(headline: str) -> list[str]:
    """Return the numbers of a headline; a range is one, and a power of ten with its mantissa.

    None are a range behind its estimate, a quotation, years and months, kinds (16-bit), and parts of names and units.
    """
    text = re.sub(r"“.*”", "", headline)
    text = _names().sub("", text)
    text = re.sub(r"(?<=[a-z]) \(\d[\d.,]*–[^)]*\)", "", text)
    text = re.sub(r"(\d[\d.,]*) × 10[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+", r"\1", text)
    text = re.sub(r"(?<=of )8 × |per 1,000(?! \d)", "", text)
    starts = (word.strip("()[],;:.").lstrip("$€<>~≈−+-") for word in text.split())
    return [
        word
        for word in starts
        if word[:1].isdigit() and not re.fullmatch(r"(19|20)\d\d(-\d\d)?|\d+-[a-z]+", word)
    ]


def check_short(result: Result) -> None:
    """Hold that headline, subtitle, key figures and notes are few words, few numbers and few."""
    headline, subtitle = result.headline, result.subtitle or result.exhibits[0].chart.subtitle
    nothing = headline.startswith(NOTHING_TO_TELL) or any(rule in headline for rule in RULES)
    assert 1 <= len(headline.split()) <= MOST_WORDS, headline
    assert (0 if nothing else 1) <= len(numbers(headline)) <= 2, headline
    assert 1 <= len(subtitle.split()) <= MOST_SUBTITLE_WORDS, subtitle
    keys = [figure for figure in result.figures if figure.key]
    assert len(keys) <= MOST_KEY_FIGURES
    if result.view in NARROW:
        assert all(max(len(figure.label), len(figure.interval_text)) <= 24 for figure in keys), keys
    assert len({figure.name for figure in result.figures}) == len(result.figures)
    notes = (*result.moved_briefly, *result.notes[len(result.moved_notes) :])
    assert len(notes) <= MOST_NOTES + len(result.moved_briefly)
    for note in notes:
        parts = re.split(r"(?<=[.!?]) (?=[A-Z0-9])", note)
        assert note.endswith(".") and len(parts) <= 2 and max(len(part.split()) for part in parts) <= 30, note


@EVERY_VIEW
def test_the_top_of_a_page_is_short_for_any_link(view):
    for query in corpus(view):
        check_short(answer(view, read(view, query)[0]))


def read_numbers(text: str) -> set[str]:
    """Return the numbers that a text holds, as they are written."""
    return {number.rstrip(".,") for number in re.findall(r"\d[\d,.]*(?: × 10[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)?", text)}


def known_numbers(result: Result) -> set[str]:
    """Return the numbers of the figures, of what the chart shows, and of the choices, and products of two of these."""
    chart = result.exhibits[0].chart
    texts = [result.subtitle or chart.subtitle, result.settings_line, chart.alt, *result.settings.values()]
    texts += [text for figure in result.figures for text in (figure.text, figure.interval_text)]
    texts += [text for card in result.cards for text in (card.text, *(fact.text for fact in card.facts))]
    chosen = f"{result.settings_line} {' '.join(result.settings.values())}".replace(",", "")
    whole = sorted({int(number) for number in read_numbers(chosen) if number.isdigit()})
    products = (f"{one * other:,}" for one in (1, *whole) for other in whole)
    return read_numbers(" ".join(texts)) | set(products)


@EVERY_VIEW
def test_the_numbers_of_a_headline_are_those_of_its_figures_its_choices_and_its_chart(view):
    for query in corpus(view):
        result = answer(view, read(view, query)[0])
        said = {number for text in numbers(result.headline) for number in read_numbers(text)}
        assert said <= known_numbers(result), (result.headline, said - known_numbers(result))


SPELLED = {
    "$": "USD",
    "$ per hour": "USD/h",
    "%": "1",
    "orders of magnitude": "log10",
    "days": "day",
    "ms": "s",
    "GW": "W",
    "million": "1",
}
"""The unit of a table that a unit beside an axis stands for, where it is spelled otherwise."""


def table_units(unit: str) -> set[str]:
    """Return the units of a table that a unit beside an axis may stand for."""
    base = re.sub(r"^(million )?[MGTPE]?(?=FLOP|B)|B(?=/s$|$)", lambda part: "byte" * (part[0] == "B"), unit)
    return {"x", "x/year", "1"} if unit == "×" else {unit, base, SPELLED.get(unit, unit)}


@EVERY_VIEW
def test_the_unit_of_an_axis_is_one_of_the_table_below_it(view):
    for query in corpus(view):
        for exhibit in answer(view, read(view, query)[0]).exhibits:
            columns = exhibit.table.columns
            units, numeric = {one.unit for one in columns}, any(one.kind == "number" for one in columns)
            units |= {
                str(row[place])
                for place, column in enumerate(columns)
                if column.name == "unit"
                for row in exhibit.table.rows
            }
            for axis in axes_of(exhibit.chart) if numeric and exhibit.table.rows else ():
                for unit in re.findall(r"\[([^]]*)]", axis.title):
                    assert units & table_units(unit), (exhibit.chart.title, axis.title, units)


RARE = written.toml(__file__, name="rare_choices.toml")["said"]


@pytest.mark.parametrize(("address", "words", "said"), RARE, ids=str)
def test_rare_choices_have_their_words_and_others_do_not(*, address, words, said):
    texts = [*of_answer(result_of(*address.split("?")))]
    assert any(re.search(words, text) for text in texts) is said, texts


ROOT = Path(__file__).parents[2]

NOT_ENGLISH = (
    r"^Go on\b|.\bNone\b|^None\b(?! of).|\bnan\b|\binf\b|\bTrue\b(?! )|\bFalse\b(?! )"
    r"|(?<![\w-])\d[\d.]*[eE][+-]?\d|[{}’]|  "
)
CLUMSY = (
    r"(?i:could not be made|cannot be had|took the place of|a fault of ours|ask again|there no longer is)"
)
GRAMMAR_OF_LINKS = r"\b[a-z_]+=[a-z]"
BANNED = re.compile(f"(?i:{QUAINT})|{SPELLING}|{NOT_ENGLISH}")


def axes_of(chart: Chart) -> tuple[Axis, ...]:
    return (chart.x,) if isinstance(chart, BarChart) else (chart.x, chart.y)


def of_exhibit(exhibit: Exhibit) -> Iterator[str]:
    chart = exhibit.chart
    yield from (chart.title, chart.subtitle, chart.alt, chart.source)
    yield from (column.label for column in exhibit.table.columns)
    yield from (axis.title for axis in axes_of(chart))


def of_answer(finding: Result) -> Iterator[str]:
    yield from (finding.headline, finding.subtitle, finding.settings_line)
    for figure in finding.figures:
        yield from (figure.label, figure.text, figure.interval_text, figure.method)
    for exhibit in finding.exhibits:
        yield from of_exhibit(exhibit)
    for card in finding.cards:
        yield from (card.verdict, card.title, card.text)
        for fact in card.facts:
            yield from (fact.label, fact.text, fact.note)
    yield from (*finding.notes, *finding.sure, *finding.changes)


@cache
def every_text(path: str) -> tuple[str, ...]:
    """Return every text of a view: of its findings, its settings and its method."""
    view = VIEWS[path]
    texts = [view.title, view.question, *view.method]
    for door in view.doors:
        texts += [door.text, door.gives]
    for setting in definitions(view.settings).values():
        texts += [setting.label, setting.help]
        if isinstance(setting, Choice):
            texts += [
                text for word in setting.options for text in (setting.label_of(word), setting.more_of(word))
            ]
    for query in corpus(view):
        texts += of_answer(answer(view, read(view, query)[0]))
    return tuple(dict.fromkeys(texts))


@pytest.mark.parametrize("path", VIEWS)
def test_a_view_speaks_plain_english(path):
    for text in every_text(path):
        result = BANNED.search(text)
        assert not result, (result.group(), text)


@pytest.mark.parametrize("path", VIEWS)
def test_what_a_setting_may_be_is_said_in_plain_english_and_its_help_not_in_the_grammar_of_a_link(path):
    """A word that stands in links keeps its spelling for good."""
    for setting in definitions(VIEWS[path].settings).values():
        assert not re.search(f"(?i:{QUAINT})|{NOT_ENGLISH}", setting.allowed), setting.allowed
        assert not re.search(GRAMMAR_OF_LINKS, setting.help), setting.help


def words_of_scripts() -> Iterator[tuple[str, str]]:
    """Yield every text of two words or more in the page's scripts that is no query or mark-up, with its file."""
    for path in sorted((ROOT / "panel/browser").glob("*.js")):
        code = re.sub(r"/\*.*?\*/|^\s*//.*?$", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        for _, text in re.findall(r"""(["`])((?:\\.|(?!\1).)*)\1""", code):
            if " " in text and not text.startswith(("(", ".", "<")):
                yield path.name, text


def words_of_programs() -> Iterator[tuple[str, str]]:
    """Yield every text of two words or more that the server or a page may say, with the name of its file."""
    for path in sorted([*(ROOT / "web").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]):
        tree = ast.parse(path.read_text("utf-8"))
        unsaid = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            text = node.value if isinstance(node, ast.Constant) and id(node) not in unsaid else None
            if isinstance(text, str) and " " in text and not re.search(r"[<>{};]", text):
                yield path.name, text


@pytest.mark.parametrize("words", [words_of_scripts, words_of_programs])
def test_messages_of_the_page_and_the_server_are_plain_english(words):
    said = list(words())
    assert len(said) > 30
    for name, text in said:
        match = re.search(f"(?i:{QUAINT})|{SPELLING}|{CLUMSY}", text)
        assert not match, (name, text)
