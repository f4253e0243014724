"""What stands beside and in a control: labels, headings, and what an empty field stands for."""

import random
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data import standing
from scripts.same_results import random_text
from tests.length import at_length
from tests.views.links import settings, value_texts
from views import settings as of
from views.registry import VIEWS
from views.setting_kinds import GROUPS, Choice, Decimal, WholeNumber
from views.settings import text
from views.view import link, pinned, read, split

EVERY_VIEW = pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)


@dataclass(frozen=True, kw_only=True)
class Pair(of.Settings):
    first: str = of.choice("a", {"a": "one", "b": "two"}, label="First", help="One.")
    second: str = of.choice("a", {"a": "one", "b": "two"}, label="Second", help="Two.")

    def conflicts(self):
        if self.first == self.second == "b":
            return (of.Conflict(names=("second", "first"), allowed="b at most once"),)
        return ()


HOSTILE = (
    "",
    "\x00",
    "2030-13",
    "1e9",
    "NaN",
    "-1",
    "٣",
    "\N{FULLWIDTH DIGIT NINE}",
    "2012 ",
    "all\n",
    "<b>",
    "=1",
)


@EVERY_VIEW
@given(data=st.data())
def test_a_link_read_again_gives_the_same_settings(view, data):
    chosen = pinned(data.draw(settings(view)))
    path, query = split(link(view, chosen))
    assert path == view.path
    assert read(view, query) == (chosen, ())


@EVERY_VIEW
@given(data=st.data())
def test_any_query_opens_the_view_and_each_part_is_used_or_reported(view, data):
    known = of.definitions(view.settings)
    name = st.one_of(st.sampled_from(sorted(known)), st.text(max_size=80))
    text = st.one_of(*map(value_texts, known.values()), st.text(max_size=200), st.sampled_from(HOSTILE))
    query = data.draw(st.dictionaries(name, st.lists(text, min_size=1, max_size=3), max_size=6))
    chosen, ignored = read(view, query)
    reported = [item.setting for item in ignored]
    default = of.defaults(view.settings)
    unknown = 0
    for given_name, values in query.items():
        if given_name in of.FOREIGN or given_name.startswith("utm_"):
            continue
        if given_name not in known:
            unknown += 1
        elif given_name in reported:
            assert chosen.described()[given_name] == default[given_name]
        else:
            assert known[given_name].parse(given_name, values[0]) == getattr(chosen, given_name)
    assert unknown == sum(item.allowed.startswith("the settings") for item in ignored)
    for item in ignored:
        assert item.sentence.isprintable() and item.allowed
        assert max(len(item.setting), len(item.value)) <= 61
    assert all(chosen.described()[n] == default[n] for n in known if n not in query)


@EVERY_VIEW
def test_every_setting_has_its_words_and_its_default_is_allowed(view):
    for name, setting in of.definitions(view.settings).items():
        default = of.defaults(view.settings)[name]
        assert setting.label and setting.help.endswith(".") and setting.allowed
        assert setting.text(setting.parse(name, default)) == default
        schema = setting.json_schema()
        kind, *none = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        assert kind in {"string", "integer", "number"}
        assert none == ["null"] * bool(getattr(setting, "unset", ""))
        assert setting.help in schema["description"]
    assert 1 <= sum(setting.first_row for setting in of.definitions(view.settings).values()) <= 6


@EVERY_VIEW
def test_the_same_setting_given_twice_is_ignored_unless_both_say_the_same(view):
    name, setting = next((n, s) for n, s in of.definitions(view.settings).items() if isinstance(s, Choice))
    first, second = list(setting.options)[:2]
    assert read(view, {name: [second, second]})[1] == ()
    chosen, ignored = read(view, {name: [second, first]})
    assert getattr(chosen, name) == getattr(view.settings(), name)
    assert ignored[0].value == f"{second} and {first}"
    assert ignored[0].allowed == f"one value, {setting.allowed}"


def test_an_unknown_setting_is_reported_with_those_there_are_and_the_frame_of_a_view_is_none():
    _, ignored = of.parse(Pair, {"frist": ["a"]})
    assert ignored[0].sentence == "frist=a was ignored; allowed: the settings first, second."
    assert of.parse(Pair, {"embed": ["true"], "embed_options": ["dark"], "utm_source": ["x"]})[1] == ()


@pytest.mark.parametrize("path", ["/training-compute", "/accelerators", "/growth-accounting"])
def test_a_window_that_ends_before_it_starts_loses_its_end_and_says_so(path):
    chosen, ignored = read(VIEWS[path], "since=2020&until=2019")
    assert (chosen.described()["since"], chosen.described()["until"]) == ("2020", "end")
    until = "until=2019 was ignored; allowed: a year or month no earlier than since (2020)."
    assert [item.sentence for item in ignored] == [until]


def test_a_conflict_ignores_what_the_link_gave():
    chosen, ignored = of.parse(Pair, {"first": ["b"], "second": ["b"]})
    assert chosen == Pair(first="b")
    assert ignored[0].sentence == "second=b was ignored; allowed: b at most once."


@dataclass(frozen=True, kw_only=True)
class Ordered(of.Settings):
    where: str = of.choice(
        "a", {"a": ("Everywhere", "every place"), "b": "one place"}, label="Where", help="W.", first_row=True
    )
    until: str = of.month(
        "end", low=2000, high=2030, unbounded="end", no_limit="Newest", label="Until", help="U.", group="Data"
    )
    price: float | None = of.decimal(
        None, low=0, high=9, step=1, unset="any price", label="Price", help="P.", group="Money"
    )
    find: str = text(label="Find", help="F.", group="Data")
    people: int | None = of.whole_number(
        None, low=1, high=9000, unset="one", label="People", help="P.", group="Workload"
    )

    def where_empty(self, name):
        return "forty" if name == "people" else super().where_empty(name)

    def applies(self, name):
        return name != "price" or self.where == "b"


@dataclass(frozen=True, kw_only=True)
class Elsewhere(of.Settings):
    where: str = of.same_as(Ordered, "where", default="b", only=("b",), help="Elsewhere.")
    year: str = of.choice(
        "first", {"first": ("Today", "now")}, computed=lambda: {"2027": "later"}, label="Year", help="Y."
    )


def test_a_setting_may_have_fewer_options_than_elsewhere_or_computed_ones_after_its_own():
    where = of.definitions(Elsewhere)["where"]
    assert isinstance(where, Choice)
    assert (where.options, where.labels, where.first_row) == ({"b": "one place"}, {}, True)
    assert (where.label, where.help, Elsewhere().where) == ("Where", "Elsewhere.", "b")
    year = of.definitions(Elsewhere)["year"]
    assert isinstance(year, Choice)
    assert (dict(year.options), dict(year.labels)) == ({"first": "now", "2027": "later"}, {"first": "Today"})


def test_settings_are_shown_as_a_reader_sees_them_and_an_empty_one_as_what_stands_for_it():
    shown = [Ordered().shown(name) for name in of.definitions(Ordered)]
    assert shown == ["Everywhere", "Newest", "any price", "–", "forty"]
    assert Ordered(where="b", people=4000).shown("people") == "4,000"


def test_a_setting_applies_unless_a_view_says_otherwise_and_none_it_has_not():
    assert all(Pair().applies(name) for name in of.definitions(Pair))
    assert not Pair().applies("third")
    assert [Ordered(where=word).applies("price") for word in "ab"] == [False, True]


def test_what_is_off_its_default_and_counts_is_named_in_one_sentence():
    chosen = Ordered(where="b", price=2, people=4)
    assert chosen.chosen_words("where", "price", "find") == "Chosen: Where: One place; Price: 2. "
    assert Ordered(price=2).chosen_words("price", "where") == ""  # the price counts only where b is


LONGEST_LABEL, LONGEST_OPTION, LONGEST_EMPTY = 24, 36, 40
"""Letters that fit a control, a list of options, and an empty field."""
MOST_GROUPS = {"training-run": 7, "placement": 6}
USUAL_GROUPS = 5
OWN_NAMES = frozenset({*map(str, standing.table("architectures")["name"]), "vLLM"})
"""Names that are written as their makers write them, gpt-oss-20b."""


@EVERY_VIEW
def test_every_option_has_a_label_of_its_own_in_a_readers_words(view):
    for name, setting in of.definitions(view.settings).items():
        if not isinstance(setting, Choice):
            continue
        labels = [setting.label_of(word) for word in setting.options]
        assert len(set(labels)) == len(labels), name
        for word, label in zip(setting.options, labels, strict=True):
            assert len(label) <= LONGEST_OPTION, label
            assert label in OWN_NAMES or not label[0].islower(), label
            assert label in OWN_NAMES or "-" not in word or word not in label, label
            assert "_" not in label
            assert setting.shown(word) == label


@EVERY_VIEW
def test_every_control_has_a_short_label_and_all_but_the_first_row_a_heading(view):
    known = of.definitions(view.settings)
    labels = [setting.label for setting in known.values()]
    assert len(set(labels)) == len(labels)
    for setting in known.values():
        assert len(setting.label) <= LONGEST_LABEL, setting.label
        assert bool(setting.group) != setting.first_row, setting.label
    assert known["release"].group == "Data"


@EVERY_VIEW
def test_headings_are_few_in_one_order_and_hold_every_other_setting_once(view):
    groups = of.grouped(view.settings)
    known = of.definitions(view.settings)
    assert len(groups) <= MOST_GROUPS.get(view.name, USUAL_GROUPS)
    assert list(groups) == [group for group in GROUPS if group in groups]
    held = [name for names in groups.values() for name in names]
    assert sorted(held) == sorted(name for name, setting in known.items() if not setting.first_row)


def test_every_heading_there_is_stands_on_some_view():
    assert {group for view in VIEWS.values() for group in of.grouped(view.settings)} == set(GROUPS)


@EVERY_VIEW
def test_every_value_is_shown_in_a_readers_words_and_an_empty_number_as_what_then_stands(view):
    draw = random.Random(view.name)
    known = of.definitions(view.settings)
    unset = [name for name, item in known.items() if isinstance(item, WholeNumber | Decimal) and item.unset]
    for turn in range(at_length(60, few=12)):
        query = {name: [random_text(item, draw)] for name, item in known.items()}
        left_empty = unset if turn % 2 else ()
        settings = read(view, {name: text for name, text in query.items() if name not in left_empty})[0]
        for name, setting in known.items():
            shown = settings.shown(name)
            assert shown
            assert "None" not in shown or isinstance(setting, Choice)
            if isinstance(setting, Choice):
                assert shown == settings.option_label(name, getattr(settings, name))
            if name in left_empty:
                assert shown == settings.where_empty(name) and len(shown) <= LONGEST_EMPTY, shown
