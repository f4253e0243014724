"""What a slide says of a result."""

from dataclasses import replace

import pytest

from views import slides
from views.registry import VIEWS
from views.result import Source
from views.slides import credit, key_figures, notes, shortened, slide_words
from views.view import answer, read

SITE = "https://gap.example.org"
EVERY_VIEW = pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)


def result(path: str = "/training-compute"):
    return answer(VIEWS[path], VIEWS[path].settings())


@EVERY_VIEW
def test_the_first_slide_has_the_finding_and_all_notes_are_a_minute_of_talk_with_every_source(view):
    one = answer(view, view.settings())
    words = slide_words(one, origin=SITE)
    shown = (one.headline, one.exhibits[0].chart, one.settings_line)
    assert (words.headline, words.chart, words.source) == shown
    assert words.figures == key_figures(one) and len(words.figures) <= slides.MOST_FIGURES
    assert words.link == f"{SITE}{one.link}"
    assert words.shown_link == f"gap.example.org{view.path}".rstrip("/")
    for exhibit in one.exhibits:
        lines = notes(one, exhibit).split("\n")
        assert len(" ".join(lines).split()) <= slides.MOST_WORDS
        assert (lines[0], "" in lines) == (one.question, False)
        assert all(f"{source.publisher} ({source.licence})" in lines[-1] for source in one.sources)


def test_a_slide_off_the_defaults_shows_the_short_link_and_leads_to_the_long_one():
    view = VIEWS["/training-compute"]
    for query in ("since=2018", "release=2025-11"):
        one = answer(view, read(view, query)[0])
        words = slide_words(one, origin=SITE)
        assert words.shown_link == f"gap.example.org{one.short_link}"
        assert words.shown_link.startswith("gap.example.org/v/")
        assert words.link == f"{SITE}{one.link}"


def test_a_further_slide_has_its_own_chart_and_its_title_and_no_figures():
    one = result()
    words = slide_words(one, origin=SITE, exhibit=2)
    chart = one.exhibits[1].chart
    assert (words.headline, words.chart, words.source) == (chart.title, chart, chart.source)
    assert words.figures == ()
    assert chart.subtitle in words.notes


def test_key_figures_are_the_first_three_that_are_key():
    one = result()
    every = tuple(replace(figure, key=True) for figure in one.figures)
    assert len(every) > slides.MOST_FIGURES
    shown = key_figures(replace(one, figures=(replace(every[0], key=False), *every[1:])))
    assert shown == tuple((figure.label, figure.text, figure.interval_text) for figure in every[1:4])


def test_notes_leave_out_what_does_not_fit_and_keep_what_does():
    long = " ".join(["word"] * slides.MOST_WORDS)
    one = replace(result(), notes=("Take care.", long), sure=("Quite.",), settings_line="")
    text = notes(one, one.exhibits[0])
    assert "Caveat: Take care.\nHow sure: Quite." in text and long not in text


def test_an_address_of_our_own_becomes_absolute_and_others_stay():
    source = Source(title="Tables", publisher="Us", url="/data", licence="CC BY 4.0")
    assert credit(source, origin=SITE) == f"Us: Tables. CC BY 4.0. {SITE}/data"
    assert credit(source) == "Us: Tables. CC BY 4.0. /data"
    other = replace(source, url="https://epoch.ai/data")
    assert credit(other, origin=SITE).endswith(" https://epoch.ai/data")


def test_a_statement_s_slide_says_its_verdict_the_numbers_and_why_and_many_verdicts_are_none():
    view = VIEWS["/claims"]
    one = answer(view, read(view, "statement=S2-02")[0])
    words = slide_words(one, origin=SITE)
    (card,) = one.cards
    assert (words.verdict, words.tone, words.reason) == (card.verdict, card.tone, card.text)
    assert [value for _, value, _ in words.figures] == ["6×", "1.7×"]
    view = VIEWS["/claims"]
    words = slide_words(answer(view, view.settings()), origin=SITE)
    assert (words.verdict, words.reason, words.figures) == ("", "", ())


def test_a_verdict_leaves_the_key_figures_of_its_view_in_place():
    one = result("/placement")
    words = slide_words(one, origin=SITE)
    assert words.verdict and words.figures == key_figures(one) != ()


def test_a_long_subtitle_keeps_whole_sentences_and_says_that_the_link_has_the_rest():
    sentence = "A sentence of the kind that explains a chart, 62% of it at 1.5× or so. "
    long = (sentence * 12).strip()
    short = shortened(long)
    assert len(short) <= slides.LONGEST_SUBTITLE and short.endswith(slides.MORE)
    assert long.startswith(short.removesuffix(slides.MORE).strip())
    assert shortened(sentence.strip()) == sentence.strip()
    assert shortened("word " * 200) == "word " * 200  # one sentence stays whole
    assert slide_words(replace(result(), subtitle=long), origin=SITE).subtitle == short


def test_no_slide_of_a_view_has_a_subtitle_of_more_than_four_lines_by_its_defaults():
    for path in ("/placement", "/training-run", "/cost-of-tokens"):
        one = result(path)
        for number in range(1, len(one.exhibits) + 1):
            words = slide_words(one, origin=SITE, exhibit=number)
            assert len(words.subtitle) <= slides.LONGEST_SUBTITLE, words.headline
