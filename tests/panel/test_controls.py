"""What the controls of every view offer, hold and say."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panel.controls import controls, own_query
from tests.panel.shown import EVERY_VIEW
from tests.views.links import queries
from views.setting_kinds import Choice, Decimal, Month, Setting, Text, WholeNumber
from views.settings import _field, definitions
from views.view import ReleaseSettings, read

KINDS = {Choice: "select", WholeNumber: "whole", Decimal: "decimal", Month: "month", Text: "text"}


def every(settings):
    return controls(settings).every


@EVERY_VIEW
def test_every_setting_has_one_control_with_its_value_and_its_options(view):
    settings = view.settings()
    known = definitions(view.settings)
    assert sorted(control.name for control in every(settings)) == sorted(known)
    first = [control.name for control in controls(settings).first]
    assert first == [name for name, setting in known.items() if setting.first_row]
    for control in every(settings):
        setting = known[control.name]
        assert control.setting is setting
        assert control.kind == KINDS[type(setting)]
        assert control.value == control.default == settings.described()[control.name]
        assert not control.changed
        if isinstance(setting, Choice):
            labels = {word: settings.option_label(control.name, word) for word in setting.options}
            assert {option.word: option.label for option in control.options} == labels
        if isinstance(setting, WholeNumber | Decimal):
            assert control.value or control.empty, control.name


@EVERY_VIEW
@given(data=st.data())
def test_the_words_of_the_controls_are_the_link_and_each_choice_that_matters_is_a_chip_and_no_other(
    view, data
):
    settings, ignored = read(view, data.draw(queries(view)))
    assert {control.name: control.value for control in every(settings)} == settings.described()
    again, _ = read(view, {name: [text] for name, text in own_query(settings).items()})
    assert again == settings or ignored
    off = {control.name for control in every(settings) if control.value != control.default}
    assert set(own_query(settings)) == off
    held = controls(settings)
    hidden = [chip for chip in held.chips if not chip.setting.first_row]
    assert held.adjusted == len(hidden)
    for chip in held.chips:
        label = definitions(view.settings)[chip.name].label
        assert chip.words.startswith(f"{label}: ") and chip.words != f"{label}: "


def test_a_setting_of_a_kind_without_a_control_is_told_with_what_to_do():
    @dataclass(frozen=True, kw_only=True)
    class Odd(ReleaseSettings):
        colour: str = _field("red", Odder(label="Colour", help="Which."))

    with pytest.raises(TypeError) as refused:
        controls(Odd())
    assert str(refused.value) == "No control for a setting of kind Odder; add one to panel/controls.py."


class Odder(Setting):
    """A kind that no page knows."""

    def text(self, value):
        return str(value)
