import re

import pytest

from views.methods import text as methods
from views.registry import VIEWS
from views.setting_kinds import Choice
from views.settings import definitions


@pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
def test_methods_explain_every_setting_its_default_and_every_option(view):
    section = next(item for item in methods.settings_sections() if item.heading.endswith(f": {view.path}"))
    for name, setting in definitions(view.settings).items():
        row = next(line for line in section.text.splitlines() if line.startswith(f"| `{name}` |"))
        assert setting.help in row
        assert row.count("|") == 5, "a bar inside a cell would break the table"
        if isinstance(setting, Choice):
            for word in setting.options:
                assert f"`{word}` **{setting.label_of(word)}** {setting.more_of(word)}".rstrip() in row
        assert f"| {setting.label} |" in row
    for paragraph in view.method:
        assert paragraph in section.text


def test_formulas_are_closed_and_headings_differ():
    for section in methods.NUMBERS:
        assert section.text.count("$") % 2 == 0
        assert re.search(r"\S", section.text)
    assert len({section.heading for section in methods.NUMBERS}) == len(methods.NUMBERS)


def test_methods_speak_of_all_estimators_and_intervals():
    text = " ".join(section.text for section in methods.NUMBERS).lower()
    for word in ("least squares", "theil-sen", "quantile", "kinked", "bootstrap", "clustered", "classical"):
        assert word in text


def test_every_section_is_in_the_contents_under_an_address_of_its_own():
    sections = (*methods.NUMBERS, methods.SETTINGS, *methods.settings_sections())
    anchors = [section.anchor for section in sections]
    assert len(set(anchors)) == len(anchors)
    assert all(re.fullmatch(r"[a-z][a-z-]*", anchor) for anchor in anchors)
    assert set(re.findall(r"\]\(#([^)]*)\)", methods.contents())) == set(anchors)
    assert "glossary" in anchors
