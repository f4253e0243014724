import pytest

from pages.controls import _control
from views.setting_kinds import Setting
from views.settings import Settings


def test_a_setting_of_a_kind_without_a_widget_is_told_by_name_and_kind():
    with pytest.raises(TypeError) as refused:
        _control("colour", Setting(label="Colour", help="Which."), default="red", chosen=Settings())
    assert str(refused.value) == "No widget for the setting 'colour' of kind Setting; add one to controls."
