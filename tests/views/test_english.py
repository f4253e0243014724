"""What a reader is told is plain English, for any link: no word of our own idiom, of Python or of a link's grammar."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from charts.chart import Axis, BarChart, Chart
from tests.views.links import corpus
from views.methods import text as methods
from views.registry import VIEWS
from views.result import Exhibit, Result
from views.setting_kinds import Choice
from views.settings import definitions
from views.view import answer, read

ROOT = Path(__file__).parents[2]
PROSE = ("README.md", "CONTRIBUTING.md", "docs/architecture.md")

QUAINT = (
    r"in the house|hangs? (most )?on|in the middle\b(?! of)|dearer|\bbinds?\b|bound by exchange|one's own place"
    r"|log scale\b.*\blog scale|held against|\bmend\b|lets? other|line is laid|\breckon"
    r"|misses further|by points alike|\bdearest\b|\bby the lag\b|\brents at\b|\basks \$|paper figures|without a word"
    r"|\b0 (?:are|is)\b|\b(?:shrinks|narrows|falls) to 0\."
)
NOT_ENGLISH = (
    r"^Go on\b|.\bNone\b|^None\b(?! of).|\bnan\b|\binf\b|\bTrue\b(?! )|\bFalse\b(?! )"
    r"|(?<![\w-])\d[\d.]*[eE][+-]?\d|[{}’]|  |\d%"
)
SPELLING = (
    r"(?i:\b\w*(?:organ|util|quant|optim|minim|maxim|normal|real|recogn|summar|general|amort|initial|parallel"
    r"|special|standard|emphas|visual)is(?:e|ed|es|ing|er|ers|ation|ations)\b"
    r"|\b(?:colors?|catalogs?|centers?|gray|favors?|behaviors?|model(?:ed|ing)|label(?:ed|ing)|analyz\w+)\b)"
)
"""We spell as Oxford does: British, with -ize, as the field writes quantization and utilization."""
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
def told(path: str) -> tuple[str, ...]:
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
    for text in told(path):
        found = BANNED.search(text)
        assert not found, (found.group(), text)


@pytest.mark.parametrize("path", VIEWS)
def test_what_a_setting_may_be_is_said_in_plain_english(path):
    """A word that stands in links keeps its spelling for good."""
    for setting in definitions(VIEWS[path].settings).values():
        assert not re.search(f"(?i:{QUAINT})|{NOT_ENGLISH}", setting.allowed), setting.allowed


@pytest.mark.parametrize("path", VIEWS)
def test_the_help_of_a_setting_says_nothing_in_the_grammar_of_a_link(path):
    for setting in definitions(VIEWS[path].settings).values():
        assert not re.search(GRAMMAR_OF_LINKS, setting.help), setting.help


def test_methods_and_documents_speak_plain_english():
    texts = [section.text for section in methods.NUMBERS] + [
        (ROOT / name).read_text("utf-8") for name in PROSE
    ]
    for text in texts:
        found = re.search(f"(?i:{QUAINT})|{SPELLING}", text)
        assert not found, text[max(0, found.start() - 60) : found.end() + 60]


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
        found = re.search(f"(?i:{QUAINT})|{SPELLING}|{CLUMSY}", text)
        assert not found, (name, text)


@pytest.mark.parametrize(
    "wrong",
    [
        "a machine in the house",
        "1E0 models",
        "None a year",
        "3.8e+26 FLOP",
        "68%",
        "no dearer",
        "memory binds",
        "model FLOP utilisation",
        "whole organisations",
        "a gray line",
        "Tokens, log scale (log scale)",
    ],
)
def test_what_is_not_plain_english_is_found(wrong):
    assert BANNED.search(wrong)
