import pytest
from fontTools.ttLib import TTFont

from charts.text_width import balanced, cut, text_width, wrapped

FONTS = {False: "charts/fonts/SourceSansPro-Regular.ttf", True: "charts/fonts/SourceSansPro-Bold.ttf"}
SENTENCE = "A frontier run needs 4.7 times more compute each year; a chip gets 30% more bandwidth"


@pytest.mark.parametrize("bold", [False, True])
def test_every_ascii_character_is_as_wide_as_in_the_font(bold: bool, request: pytest.FixtureRequest) -> None:
    font = TTFont(request.config.rootpath / FONTS[bold])
    for code, name in (font.getBestCmap() or {}).items():
        if 32 <= code < 127:
            assert text_width(chr(code), size=1000, bold=bold) == font["hmtx"][name][0]


def test_an_accent_adds_nothing_and_a_foreign_script_is_estimated() -> None:
    assert text_width("é", size=10) == text_width("e\u0301", size=10) == text_width("e", size=10)
    assert text_width("模", size=10) == 10
    assert 3 < text_width("Ж", size=10) < 8


def test_a_word_longer_than_the_line_is_cut_rather_than_lost() -> None:
    lines = wrapped("a " + "m" * 40, width=100, size=10)
    assert "".join(lines) == "a" + "m" * 40
    assert all(text_width(line, size=10) <= 100 for line in lines)


def test_balanced_lines_are_as_few_and_none_is_left_nearly_empty() -> None:
    lines = balanced(SENTENCE, width=500, size=14, bold=True)
    assert len(lines) == len(wrapped(SENTENCE, width=500, size=14, bold=True)) == 2
    short, long = sorted(text_width(line, size=14, bold=True) for line in lines)
    assert short > 0.8 * long
    assert balanced("", width=100, size=10) == ()


def test_lines_beyond_the_most_are_cut_with_an_ellipsis() -> None:
    assert cut(("a", "b", "c"), most=3) == ("a", "b", "c")
    assert cut(("a", "b", "c"), most=2) == ("a", "b …")
