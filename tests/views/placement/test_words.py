"""The verdict in words."""

import math
import re
from dataclasses import replace
from typing import Any

import pytest

from analysis.placement.answers import BINDINGS
from tests.views.placement.placed import ANSWERING, result, rows
from tests.views.placement.test_answer import answered
from views import written
from views.placement.amounts import usd
from views.placement.answer import answer_of
from views.placement.settings import CLASSES
from views.placement.words import caveats

TABLES = written.toml(__file__, name="words.toml")


@pytest.mark.parametrize(("changes", "headline", "catch"), TABLES["verdicts"], ids=str)
def test_the_headline_says_what_to_get_and_its_cost_the_subtitle_the_catch(*, changes, headline, catch):
    shown = result(**changes)
    assert re.match(headline, shown.headline), shown.headline
    assert re.search(catch, shown.subtitle), shown.subtitle


def test_an_accelerator_that_was_never_measured_leads_nothing_and_a_note_says_what_it_might_do():
    usual = answered()
    assert "Measure it first" not in "".join(caveats(usual))
    fits = replace(usual.question.fits)
    vars(fits)["accelerators"] = tuple(name for name in fits.accelerators if name != "NVIDIA B200")
    inputs = replace(usual.inputs, question=replace(usual.question, fits=fits))
    without = answer_of(inputs, settings=usual.settings, release=usual.release)
    might = r"The cloud \(B200\) might meet all targets for \$[0-9.]+ a month, .*\. Measure it first\."
    assert re.search(might, "\n".join(caveats(without)))
    assert "B200" not in without.selected.label.text


@pytest.mark.parametrize("requests", [200, 20_000, 1_000_000])
def test_beyond_the_load_said_the_other_side_is_cheapest_and_it_is_the_same_from_wherever(requests):
    shown = result(work="laptop-coding", requests=requests, people=1)
    turn = re.search(r"cheap(?:er|est) .*?(from|below) about ([0-9,]+) requests a day", shown.subtitle)
    assert turn is not None, shown.subtitle
    even, own_wins = int(turn[2].replace(",", "")), turn[1] == "below"
    assert own_wins == (": use a cloud API on " not in shown.headline)
    where = ": use a cloud API on " if own_wins else ": buy "
    for times in (0.9, 0.1) if own_wins else (1.1, 10):
        there = result(work="laptop-coding", requests=round(even * times), people=1).headline
        assert where in there, (even, times, there)
    lines = "\n".join(shown.changes)
    assert f" is cheaper than any {'owned hardware' if own_wins else 'cloud'}." in lines
    (turns,) = re.findall(r"Between about ([0-9,]+) and ([0-9,]+) requests a day, either", lines)
    assert even == int(turns[0 if own_wins else 1].replace(",", ""))


def test_a_side_that_is_cheaper_in_between_only_is_said_so():
    shown = result(work="laptop-coding", charged="0", people=1)
    between = r"Between about [0-9,]+ and [0-9,]+ requests a day, the cloud "
    assert any(re.match(between, one) for one in shown.changes)
    often = result(work="laptop-coding", charged="0", people=1, requests=5000)
    assert ": use a cloud API on " in often.headline


@pytest.mark.parametrize("work", ANSWERING)
def test_the_verdict_says_what_to_get_what_it_costs_and_how_well_it_does(work):
    shown = result(work=work)
    verdict, others = shown.cards
    bought = [] if "cloud" in shown.headline else ["Purchase price"]
    assert [fact.label for fact in verdict.facts] == [*bought, "Speed"]
    assert (verdict.verdict, verdict.tone) == ("Meets every target", "good")
    assert shown.figure("cost_usd_per_month").text in shown.headline
    assert "% required" in shown.figure("probability_meets_requirement").interval_text
    speed = 1 / shown.figure("time_per_output_token_s").value
    assert float(verdict.facts[-1].text.partition(" ")[0]) == pytest.approx(speed, rel=0.05)
    assert {fact.label for fact in others.facts} < {label for label, _ in CLASSES.values()}
    assert len(others.facts) == len(CLASSES) - 1
    assert all(fact.note or fact.text.startswith("$") for fact in others.facts)
    costs = sorted(
        row["cost_usd_per_1000_requests"]
        for row in rows(shown).values()
        if row["probability_meets_requirement"] >= 0.8 and row["cost_usd_per_1000_requests"] is not None
    )
    month = shown.figure("cost_usd_per_month").value / shown.figure("cost_usd_per_1000_requests").value
    assert verdict.text.count("Runner-up: ") == 1 and f"at {usd(costs[1] * month)} a month" in verdict.text


def test_where_nothing_will_do_the_card_says_what_is_lacking():
    verdict, others = result(work="frontier", stay="device").cards
    assert (verdict.verdict, verdict.tone) == ("Memory too small", "bad")
    assert [(fact.label, fact.text) for fact in verdict.facts] == [("Memory", "103 GB, 714 GB needed")]
    assert verdict.text == "No other option meets every target."
    assert {fact.text for fact in others.facts} == {"Ruled out", "Memory too small"}


@pytest.mark.parametrize("work", ANSWERING)
def test_dots_and_rows_name_the_same_places_in_the_same_order_at_the_same_costs(work):
    shown: Any = result(work=work)
    chart, table = shown.exhibits[0].chart, shown.exhibits[0].table
    assert chart.dots and chart.x.scale == "log"
    assert [bar.label for bar in chart.bars] == [row[0] for row in table.rows[: len(chart.bars)]]
    will_do = [bar.value for bar in chart.bars if bar.role != "context"]
    assert will_do == sorted(will_do), "in the order of the price that is shown"
    assert sum(bar.emphasised for bar in chart.bars) == 1
    month = shown.figure("cost_usd_per_month").value / shown.figure("cost_usd_per_1000_requests").value
    (own,) = (row for bar, row in zip(chart.bars, rows(shown).values(), strict=False) if bar.emphasised)
    for name in ("cost_usd_per_1000_requests", "time_to_first_token_s", "time_per_output_token_s"):
        figure = shown.figure(name)
        assert (figure.low, figure.value, figure.high) == (own[f"{name}_low"], own[name], own[f"{name}_high"])
    assert shown.figure("energy_j_per_request").value == own["energy_j_per_request"]
    assert shown.figure("probability_meets_requirement").value == own["probability_meets_requirement"]
    meet = sum(row["probability_meets_requirement"] >= 0.8 for row in rows(shown).values())
    assert shown.figure("places_that_meet").text == f"{meet} of {len(table.rows)}"
    for bar, row in zip(chart.bars, rows(shown).values(), strict=False):
        sure = row["probability_meets_requirement"] >= 0.8
        assert (bar.role == "context") is not sure
        assert chart.x.low <= bar.value <= chart.x.high
        for name in ("time_to_first_token_s", "time_per_output_token_s"):
            assert row[f"{name}_low"] <= row[name] <= (row[f"{name}_high"] or math.inf)
        if row["fits"] == "no":
            assert row["probability_meets_requirement"] == 0 and row["binding"] in ("capacity", "rule")
        assert row["binding"] in BINDINGS
        if bar.absent:
            assert bar.low is None and bar.high is None and not bar.emphasised
            continue
        assert bar.value == pytest.approx(row["cost_usd_per_1000_requests"] * month)
        assert bar.low <= bar.value <= bar.high
        assert bar.text.startswith("$") is sure


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, "too slow"),
        ({"speed": 0.1, "first_token": 0.01}, "starts too late"),
        ({"speed": 0.1, "first_token": 3600.0, "budget": 0.001}, "over budget"),
    ],
    ids=str,
)
def test_the_class_asked_about_is_marked_even_where_it_falls_short_and_says_briefly_why(changes, text):
    shown: Any = result(work="support-chat", only="laptop", **changes)
    (marked,) = [bar for bar in shown.exhibits[0].chart.bars if bar.emphasised]
    assert "laptop" in marked.label and marked.role == "context" and marked.text == text


def test_what_nothing_meets_is_said_with_the_requirement_and_the_nearest_that_would_do():
    shown = result(work="laptop-coding", budget=0.01)
    assert "no option meets all" in shown.headline
    assert any(note.startswith("Without the budget ($") and "would meet all" in note for note in shown.notes)
    offline = result(work="frontier", offline="yes", model="custom", billions=1500.0, sure=50)
    assert any(note.startswith("If data could leave, the cloud") for note in offline.notes)
    lacking = r"Memory rules out .* has [0-9,]+ GB and needs [0-9,]+ GB\.$"
    assert any(re.match(lacking, note) for note in [*offline.notes, *offline.changes])


def test_each_requirement_says_what_it_rules_out_alone_and_what_comes_nearest():
    shown = result(work="laptop-coding", first_token=0.01, speed=10_000.0, stay="device", budget=0.001)
    text = "\n".join([*shown.notes, *shown.changes])
    assert "The requirement that data stays on the user's own device rules out 13 of 16 options." in text
    for alone in (
        r"limit on the time to first token \(0\.01 s\) rules out all 2 .*: first token after ",
        r"required speed \(10,000 tokens a second\) .* nearest is .* tokens a second\.",
        r"budget \(\$0\.0010 .*\) .* nearest is .*: \$[0-9.]+ per 1,000 requests\.",
    ):
        assert re.search(f"On its own, the {alone}", text)
    assert "is not enough. Relax at least two." in text
    assert "Without" not in text


def test_what_is_ruled_out_comes_last_and_the_headline_says_what_memory_is_lacking():
    shown: Any = result(stay="device", model="kimi-k2")
    nearest = (
        r"top laptop \(Apple M5 Max\) comes closest and is .*: memory too small \(103 GB, 622 GB needed\)\.$"
    )
    assert re.search(nearest, shown.subtitle)
    words = [bar.text for bar in shown.exhibits[0].chart.bars]
    assert words == sorted(words, key=lambda text: text == "ruled out") and words[-1] == "ruled out"
    for name in ("cost_usd_per_1000_requests", "time_to_first_token_s"):
        assert shown.figure(name).text == "–"
    assert shown.figure("time_to_first_token_s").value is None
