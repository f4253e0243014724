import json
import re
import time

import pytest

from charts.chart import BarChart
from data import standing
from data.releases import names
from views import overview
from views.claims.expressions import TESTING
from views.claims.own_claim import QUANTITIES
from views.claims.statements import ARTICLES
from views.claims.view import TOPICS, VIEW, ClaimSettings, chosen, summary
from views.result import as_json
from views.view import answer, read, split


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


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_a_claim_of_our_own_number_is_supported_for_every_quantity(quantity):
    ours = result(quantity=quantity).figure("own_claim").value
    settings, ignored = read(VIEW, f"quantity={quantity}&value={ours:.6f}")
    found = answer(VIEW, settings)
    assert not ignored
    assert found.table.rows[0][:2] == ("yours", "supported")
    assert " is supported: ours is " in found.headline
    assert len(found.table.rows) == 90


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_every_quantity_names_a_view_and_a_link_that_is_used_in_full(quantity):
    path, query = split(QUANTITIES[quantity].at)
    assert read(TESTING[path], query)[1] == ()


def test_an_own_claim_is_judged_with_its_interval_and_the_summary_stays():
    found = result(quantity="run-chip-gap", value="15")
    figure = found.figures[0]
    assert found.headline.startswith("Your 15× a year for the gap between run and chip is wrong: ours is 3.")
    assert figure.name == "own_claim" and figure.interval_text == "claimed: 15× a year"
    assert figure.low is not None and figure.high is not None and figure.level == 0.9
    assert found.notes[0] == f"{result().headline}."


@pytest.mark.parametrize(
    ("value", "is_ignored"),
    [
        ("0", True),
        ("-1", True),
        ("lots", True),
        ("3 TB/s", True),
        ("1", False),
        ("28 %25", False),
        (">2x", False),
        ("15-20x", False),
        ("2x every 2 years", False),
        ("", False),
    ],
)
def test_a_value_that_cannot_be_claimed_is_ignored_and_the_message_says_how_to_write_one(value, is_ignored):
    ignored = read(VIEW, f"quantity=cost&value={value}")[1]
    assert bool(ignored) is is_ignored
    assert (
        not ignored
        or "allowed: a growth a year such as 28 %, 1.28x, >2x, 15-20x, 2x every 2 years or doubles every 3 years"
        in (ignored[0].sentence)
    )


def test_a_quantity_without_a_value_tells_our_number_and_judges_nobody():
    found = result(quantity="memory-bandwidth")
    assert found.headline.startswith(
        "Ours for the memory bandwidth per chip (NVIDIA's flagships, since 2012) is 1."
    )
    assert found.headline.endswith("; write what you claim under “Your claim: value”")
    assert cells(found, "claim_id")[0] == "S0-01"


@pytest.mark.parametrize(
    ("quantity", "figure"), [("memory-bandwidth", "bandwidth_growth"), ("training-compute", "compute_growth")]
)
def test_what_the_start_page_says_is_supported_here(quantity, figure):
    start = answer(overview.VIEW, overview.VIEW.settings()).figure(figure)
    ours = result(quantity=quantity).figure("own_claim")
    assert ours.value == pytest.approx(start.value, rel=1e-6)
    assert "is supported" in result(quantity=quantity, value=f"{start.value:.2f}").headline


def test_the_ends_of_our_interval_as_shown_are_inside_it():
    """1.30 was off against an interval shown as 1.22 to 1.30, which ended at 1.297."""
    shown = result(quantity="memory-bandwidth-all").figure("own_claim")
    for end in (shown.low, shown.high):
        assert "is supported" in result(quantity="memory-bandwidth-all", value=f"{end:.2f}").headline


@pytest.mark.parametrize(
    ("value", "starts"),
    [
        (">2x", "Your more than 2.0× a year for the memory bandwidth per chip"),
        ("15-20x", "Your 15–20× a year for the memory bandwidth per chip"),
        ("less than 2x", "Your less than 2.0× a year for the memory bandwidth per chip"),
    ],
)
def test_a_bound_or_a_range_may_be_claimed(value, starts):
    found = result(quantity="memory-bandwidth", value=value)
    assert found.headline.startswith(starts)
    assert (" is supported" in found.headline) is value.startswith("less")


def test_a_value_without_a_quantity_says_what_is_missing():
    assert "“28 %” is held against nothing yet: choose the quantity" in result(value="28 %").notes[0]


@pytest.mark.parametrize("bare", ["28", "0.28"])
def test_a_bare_number_that_may_be_per_cent_says_how_to_write_that(bare):
    assert result(quantity="memory-bandwidth", value=bare).headline.endswith(". For 28 % a year, write 28 %")
    assert "supported" in result(quantity="memory-bandwidth", value="28 %").headline


def test_contradictions_stand_side_by_side_with_both_verdicts():
    found = result().exhibits[-1]
    pairs = standing.table("claim_contradictions")
    verdicts = dict(zip(cells(result(), "claim_id"), cells(result(), "verdict"), strict=True))
    decided = sum("supported" in (row[2], row[4]) for row in found.table.rows)
    assert found.chart.title == (
        f"{len(pairs)} pairs of statements contradict each other; one side holds in {decided}"
    )
    for row, pair in zip(found.table.rows, pairs.to_dict("records"), strict=True):
        assert str(row[1]).startswith(pair["one_id"]) and str(row[3]).startswith(pair["other_id"])
        assert (row[2], row[4]) == (verdicts[pair["one_id"]], verdicts[pair["other_id"]])


@pytest.mark.parametrize("find", ["", "S2-18", "no such words", "memory"])
def test_counts_stand_on_an_axis_of_whole_numbers(find):
    for exhibit in result(find=find).exhibits:
        if exhibit.chart.x.title == "Share that holds":
            continue
        labels = [tick.label for tick in exhibit.chart.x.ticks]
        assert len(labels) == len(set(labels)) >= 2
        assert all(label.isdigit() for label in labels)


def test_articles_are_drawn_by_the_share_that_holds():
    """7 of 7 was drawn half as long as 14 of 28."""
    exhibit = result().exhibits[1]
    assert exhibit.chart.x.title == "Share that holds"
    assert isinstance(exhibit.chart, BarChart)
    for bar, row in zip(exhibit.chart.bars, exhibit.table.rows, strict=True):
        holds, tested = int(row[2] or 0), sum(int(cell or 0) for cell in row[2:5])
        assert bar.value == pytest.approx(holds / tested)
        assert bar.text.endswith(f"{holds} of {tested} tested")


def test_columns_of_sentences_are_broken_into_lines_and_no_claimed_number_lacks_its_unit():
    wide = {column.name: column.wide for column in result().table.columns}
    assert min(wide["statement"], wide["ours"], wide["why"]) > 200
    assert wide["verdict"] == wide["claim_id"] == 0
    claimed = cells(result(), "claimed")
    assert not [text for text in claimed if str(text).isdigit()]
    assert dict(zip(cells(result(), "claim_id"), claimed, strict=True))["S4-10"] == "to the power of 2"


def test_contradictions_are_those_of_the_statements_shown():
    assert len(result(article="S4").exhibits[-1].table.rows) == 3
    assert len(result(find="S2-18").exhibits) == 2


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
