import json
import re
import time

import pytest

from data import standing
from data.releases import names
from views.claims.statements import ARTICLES
from views.claims.view import TOPICS, VIEW, ClaimSettings, chosen, summary
from views.result import as_json
from views.view import answer


def result(**settings):
    return answer(VIEW, ClaimSettings(**settings))


def cells(found, column):
    place = [item.name for item in found.table.columns].index(column)
    return [row[place] for row in found.table.rows]


@pytest.mark.parametrize("release", names())
def test_every_statement_stands_in_the_table_and_the_figures_add_up(release):
    found = result(release=release)
    assert cells(found, "claim_id") == list(standing.table("claims")["claim_id"])
    counts = [found.figure(f"n_{name}").value for name in ("supported", "off", "wrong", "not_checkable")]
    assert sum(value or 0 for value in counts) == 89
    assert counts[0] == cells(found, "verdict").count("supported")
    assert json.dumps(as_json(found), allow_nan=False)


def test_the_headline_can_be_quoted():
    found = result()
    supported, off, wrong, rest = (int(figure.value or 0) for figure in found.figures)
    assert found.headline == (
        f"Of 89 statements in five articles, {supported} hold, {off} are off and {wrong} are wrong; "
        f"{rest} cannot be checked from data"
    )
    assert found.exhibits[0].chart.title == found.headline


@pytest.mark.parametrize("article", ARTICLES)
def test_an_article_shows_its_own_statements(article):
    found = result(article=article)
    assert set(cells(found, "article")) == {article}
    assert f"of {len(found.table.rows)}" == found.figures[0].interval_text


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_shows_its_own_statements(topic):
    assert set(cells(result(topic=topic), "topic")) == {topic}


@pytest.mark.parametrize("verdict", ["supported", "off", "wrong", "not-checkable"])
def test_a_verdict_filters_the_rows_and_leaves_the_counts(verdict):
    found = result(verdict=verdict)
    assert set(cells(found, "verdict")) == {verdict.replace("-", " ")}
    assert found.headline == result().headline
    assert found.settings_line.startswith(
        f"The table shows the {len(found.table.rows)} of verdict “{verdict.replace('-', ' ')}"
        "”; verdicts are counted over all 89 statements. "
    )


def test_factors_are_written_one_way_and_found_in_either():
    """5x a year stood beside 5.0× a year."""
    for exhibit in result().exhibits:
        cells_of = [str(cell) for row in exhibit.table.rows for cell in row]
        assert not [
            cell for cell in cells_of if re.search(r"[0-9] ?x\b", cell) and not cell.startswith("http")
        ]
    assert "S0-01" in cells(result(find="5x a year"), "claim_id")
    assert cells(result(find="5x a year"), "claim_id") == cells(result(find="5× a year"), "claim_id")
    assert (
        dict(zip(cells(result(), "claim_id"), cells(result(), "claimed"), strict=True))["S0-01"]
        == "5× a year"
    )


def test_texts_spell_utilization_one_way():
    for exhibit in result().exhibits:
        assert not [cell for row in exhibit.table.rows for cell in row if "utilisation" in str(cell)]


def test_words_are_found_in_any_case_and_no_statement_says_what_to_do():
    assert cells(result(find="H100 3.35 tb/s"), "claim_id") == ["S2-18"]
    nothing = result(find="(no such words)")
    assert nothing.table.rows == ()
    assert nothing.headline == "No statement here has all of “(no such words)”: try fewer words"
    assert (
        "No statement fits; choose all articles and topics, every verdict, or fewer words." in nothing.notes
    )


def test_one_statement_is_spoken_of_in_the_singular():
    found = result(find="S2-18")
    assert found.headline.startswith("Of 1 statement with “S2-18” in five articles, 1 holds, 0 are off")


def test_the_articles_are_among_the_sources():
    urls = [source.url for source in result().sources]
    assert len(urls) == len(set(urls)) == 7


def test_filters_and_summary_speak_of_the_same_statements():
    settings = ClaimSettings(article="S0", topic="edge")
    assert chosen((), settings) == ()
    assert summary((), settings) == "No statement fits these choices"
    assert result(article="S0", topic="edge").headline.startswith("Of 2 statements on edge in “Frontier")


def test_a_warm_view_takes_less_than_a_third_of_a_second():
    result()
    started = time.perf_counter()
    for article in ARTICLES:
        result(article=article, verdict="off", find="time")
    assert (time.perf_counter() - started) / len(ARTICLES) < 0.3
