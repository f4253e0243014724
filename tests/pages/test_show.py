import pytest


@pytest.mark.parametrize(
    ("path", "setting", "sound", "unsound", "said"),
    [
        ("/claims", "value", "28 %", "lots", "value=lots was ignored; allowed: a growth a year such as 28 %"),
        ("/accelerators", "until", "2024", "2009", "until=2009 was ignored; allowed: "),
    ],
)
def test_what_is_typed_and_cannot_be_is_named_and_the_page_stays(
    *, path, setting, sound, unsound, said, open_page
):
    page = open_page(path, quantity="memory-bandwidth", since="2012", **{setting: sound})
    named = [item.value for item in page.warning]
    page.query_params[setting] = unsound
    box = next(item for item in [*page.text_input, *page.selectbox] if item.key == setting)
    box.set_value(unsound)
    page.run()
    assert not page.exception
    told = [item.value.replace("\\", "").replace("\N{NO-BREAK SPACE}", " ") for item in page.warning]
    assert any(said in text for text in told), (named, told)
