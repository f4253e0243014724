"""The load at which the cheapest place changes sides."""

import re

import pytest

from tests.views.placement.placed import result


@pytest.mark.parametrize("requests", [200, 2000, 20_000, 40_000, 1_000_000])
def test_beyond_the_load_told_the_other_side_is_cheapest_and_it_is_told_the_same_from_wherever(requests):
    shown = result(work="laptop-coding", requests=requests, people=1)
    said = re.search(r"cheaper (from|below) about ([0-9,]+) requests a day", shown.subtitle)
    assert said is not None, shown.subtitle
    even, own_wins = int(said[2].replace(",", "")), said[1] == "below"
    assert own_wins == (": rent " not in shown.headline)
    where = ": rent " if own_wins else ": buy "
    for times in (0.9, 0.5, 0.1) if own_wins else (1.1, 2, 10):
        there = result(work="laptop-coding", requests=round(even * times), people=1).headline
        assert where in there, (even, times, there)
    (turns,) = re.findall(
        r"Between about ([0-9,]+) and ([0-9,]+) a day the two alternate", "\n".join(shown.changes)
    )
    assert even == int(turns[0 if own_wins else 1].replace(",", ""))
    assert turns == ("3,200", "63,000")


def test_a_side_that_is_cheaper_in_between_alone_is_told_so():
    shown = result(work="laptop-coding", charged="0", people=1)
    assert any(
        re.match(r"Between about [0-9,]+ and [0-9,]+ requests a day the cloud ", note)
        for note in shown.changes
    )
    often = result(work="laptop-coding", charged="0", people=1, requests=5000).headline
    assert ": rent " in often
