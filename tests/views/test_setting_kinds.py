from typing import Any

import jsonschema
import pytest

from data.by_release import Live
from views.setting_kinds import GROUPS, Choice, Decimal, Month, SettingError, Text, WholeNumber

NUMBER = WholeNumber(label="Top k", help="How many.", low=1, high=100)
PEOPLE = WholeNumber(label="People", help="How many.", low=1, high=100, unset="the usual number")
PRICE = Decimal(label="Price", help="The most.", low=0.5, high=10.0, step=0.5, unset="any price")
SHARE = Decimal(label="Tau", help="Which.", low=0.05, high=0.95, step=0.05)
MONTH = Month(label="Until", help="When.", low=1950, high=2030, unbounded="end")
WORDS = Text(label="Find", help="What.")
WORD = Choice(
    label="Rule",
    help="Which.",
    options={"all": "every one there is", "records": "records"},
    labels={"all": "Everything"},
)
YEAR = WholeNumber(label="Year", help="When.", low=2026, high=2040)


@pytest.mark.parametrize(
    ("setting", "text", "message"),
    [
        (WORD, "most", "x: got 'most'; allowed: all, records."),
        (NUMBER, "", "x: got ''; allowed: a whole number from 1 to 100."),
        (NUMBER, "0", "x: got '0'; allowed: a whole number from 1 to 100."),
        (NUMBER, "1.5", "x: got '1.5'; allowed: a whole number from 1 to 100."),
        (NUMBER, "9" * 5000, "x: got '" + "9" * 60 + "…'; allowed: a whole number from 1 to 100."),
        (SHARE, "", "x: got ''; allowed: a number from 0.05 to 0.95."),
        (SHARE, "nan", "x: got 'nan'; allowed: a number from 0.05 to 0.95."),
        (SHARE, "1.0", "x: got '1.0'; allowed: a number from 0.05 to 0.95."),
        (MONTH, "2024-13",
         "x: got '2024-13'; allowed: a year or month from 1950 to 2030, such as 2024 or 2024-06, or end."),
        (MONTH, "1949", "x: got '1949'; allowed: a year or month from 1950 to 2030, such as 2024 or 2024-06, or end."),
        (WORDS, "a\x00b", "x: got 'a\N{REPLACEMENT CHARACTER}b'; allowed: up to 60 printable characters."),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_used_is_told_with_what_is_allowed(*, setting, text, message):
    with pytest.raises(SettingError) as refused:
        setting.parse("x", text)
    assert str(refused.value) == message
    assert WORDS.parse("x", "a" * 60) == "a" * 60


def test_numbers_stand_in_links_without_exponent_or_needless_zeros():
    assert (SHARE.text(0.5), SHARE.text(0.05), SHARE.text(1e-9)) == ("0.5", "0.05", "0.000000001")


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        (PEOPLE, "a whole number from 1 to 100, or empty for the usual number"),
        (PRICE, "a number from 0.5 to 10, or empty for any price"),
    ],
    ids=["whole", "decimal"],
)
def test_a_number_that_may_be_left_empty_says_what_that_means_and_takes_no_zero(setting, words):
    assert setting.parse("x", "") is None
    assert setting.text(None) == ""
    assert setting.parse("x", setting.text(setting.high)) == setting.high
    assert setting.allowed == words
    with pytest.raises(SettingError, match=f"^x: got '0'; allowed: {words}\\.$"):
        setting.parse("x", "0")
    schema = setting.json_schema()
    jsonschema.validate(None, schema)
    assert schema["description"].endswith(f"Null, empty in a link: {setting.unset}.")


def test_zero_in_links_of_old_is_read_as_unset_and_written_empty():
    words: dict[str, Any] = {"label": "Peak", "help": "Dense.", "unset": "the chip's own"}
    for own in (
        WholeNumber(low=0, high=10, zero_is_unset=True, **words),
        Decimal(low=0, high=10, step=1, zero_is_unset=True, **words),
    ):
        assert own.parse("peak", "0") is own.parse("peak", "") is None
        assert own.parse("peak", "7") == 7
    assert WholeNumber(low=0, high=10, **words).parse("peak", "0") == 0
    assert Decimal(low=0, high=10, step=1, **words).parse("peak", "0") == 0


@pytest.mark.parametrize(
    ("setting", "value", "words"),
    [
        (WORD, "all", "Everything"),
        (WORD, "records", "Records"),
        (NUMBER, 10, "10"),
        (WholeNumber(label="Chips", help="How many.", low=1, high=1_000_000), 16384, "16,384"),
        (PEOPLE, None, "the usual number"),
        (YEAR, 2030, "2030"),
        (SHARE, 0.05, "0.05"),
        (Decimal(label="Price", help="The most.", low=0, high=1e6, step=1), 12500.5, "12,500.5"),
        (Decimal(label="Price", help="The most.", low=0, high=1e6, step=1), 4000.0, "4,000"),
        (PRICE, None, "any price"),
        (MONTH, "2018", "2018"),
        (MONTH, "2018-06", "Jun 2018"),
        (MONTH, "end", "No limit"),
        (WORDS, "H100", "“H100”"),
        (WORDS, "", "–"),
    ],
)
def test_a_value_is_shown_as_a_reader_writes_it(*, setting, value, words):
    assert setting.shown(value) == words


def test_a_heading_is_one_of_those_that_views_share():
    with pytest.raises(ValueError, match=r"^group is one of Model, .*, Data; got 'Misc' for 'Find'\.$"):
        Text(label="Find", help="What.", group="Misc")
    assert [Text(label="Find", help="What.", group=group).group for group in GROUPS] == list(GROUPS)


def test_a_schema_gives_each_word_its_label_or_its_meaning_and_both_where_they_differ():
    one = Choice(
        label="Chip", help="Which.", options={"h100": "the H100", "a100": "old"}, labels={"h100": "H100"}
    )
    assert [one.more_of(word) for word in one.options] == ["", ""]
    schema = WORD.json_schema()
    jsonschema.validate("records", schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate("Everything", schema)
    assert schema["enum"] == ["all", "records"]
    assert schema["oneOf"] == [
        {"const": "all", "title": "Everything", "description": "every one there is"},
        {"const": "records", "title": "Records"},
    ]


def test_a_choice_may_get_more_words_while_the_app_runs():
    words = {"2026-07": "the release of July"}
    setting = Choice(label="Release", help="Which.", options=Live(lambda: words), labels=Live(lambda: {}))
    with pytest.raises(SettingError, match="allowed: 2026-07\\."):
        setting.parse("release", "2026-11-23")
    words["2026-11-23"] = "the release of November"
    assert setting.parse("release", "2026-11-23") == "2026-11-23"
    assert setting.label_of("2026-11-23") == "The release of November"
    assert setting.json_schema()["enum"] == ["2026-07", "2026-11-23"]
