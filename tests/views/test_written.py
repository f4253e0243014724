"""Texts beside the code: the words of settings are all used, and an error names file, entry and key."""

import sys
from pathlib import Path

import pytest

from views import registry, written
from views.settings import Settings, definitions

VIEWS = Path(registry.__file__).parent


def declared(base: type[Settings] = Settings) -> list[type[Settings]]:
    """Return every class of settings of the views, imported by the registry."""
    return [
        one for sub in base.__subclasses__() for one in (sub, *declared(sub)) if "views." in one.__module__
    ]


def folder(settings: type[Settings]) -> Path:
    return Path(sys.modules[settings.__module__].__file__ or "").parent


@pytest.mark.parametrize("file", sorted(VIEWS.rglob("settings.toml")), ids=lambda file: file.parent.name)
def test_every_word_of_the_settings_of_a_folder_is_a_settings_own(file):
    classes = [one for one in declared() if folder(one) == file.parent]
    named = [(definitions(one), name) for one in classes for name in vars(one)["__annotations__"]]
    own = {name: known[name] for known, name in named if name in known}
    entries = written.settings(str(file))
    assert set(entries) <= set(own)
    for name, entry in entries.items():
        options = entry.pop("options", {})
        assert {key: getattr(own[name], key) for key in entry} == entry
        meanings, labels = getattr(own[name], "options", {}), getattr(own[name], "labels", {})
        for word, option in options.items():
            assert option == ((labels[word], meanings[word]) if word in labels else meanings[word])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('level.lable = "Level"', r"got 'lable' under \[level\] of hello/settings.toml. Correct the key\.$"),
        (
            'level.options.90 = ["90%"]',
            r"got \['90%'\] for '90' under \[level.options\] of hello/settings.toml. Cor",
        ),
    ],
)
def test_words_that_no_setting_takes_are_refused_by_file_and_entry(tmp_path, *, text, message):
    with pytest.raises(ValueError, match=message):
        hello(tmp_path, text)


def hello(folder: Path, text: str) -> written.SettingWords:
    """Return the words of a folder of settings with this text."""
    (folder / "hello").mkdir()
    (folder / "hello" / "settings.toml").write_text(text, encoding="utf-8")
    return written.settings(str(folder / "hello" / "settings.py"))


def test_a_setting_without_words_is_refused_with_where_they_belong(tmp_path):
    words = hello(tmp_path, 'level.label = "Level"')
    with pytest.raises(
        ValueError, match=r"^the setting maker has no words\. Add \[maker\] with label and help to"
    ):
        words["maker"]
