"""Words: a headline says what is sure, a pair says the ratio that should decide."""

from dataclasses import replace

import pytest

from analysis.in_practice.exponents import Exponents
from analysis.in_practice.pairs import PairSummary
from analysis.intervals import Estimate
from views.in_practice import words
from views.in_practice.settings import InPracticeSettings

PAIR = PairSummary(
    first="H200",
    second="B200",
    precision="",
    n=14,
    n_models=1,
    speed_up=1.19,
    low=1.15,
    high=1.3,
    bandwidth_ratio=1.6,
    flop_ratio=2.27,
)
ONE = Estimate(value=1.0, low=1.0, high=1.0)
FOUND = Exponents(
    bandwidth=Estimate(value=1.0, low=0.9, high=1.1),
    flop=Estimate(value=0.0, low=-0.1, high=0.1),
    lead=Estimate(value=1.0, low=0.8, high=1.2),
    bandwidth_off=ONE,
    flop_off=ONE,
    off_ratio=ONE,
    n_pairs=100,
    n_works=10,
    n_chips=12,
    n_makers=1,
    correlation=0.5,
    without={},
)
UNSURE = replace(
    FOUND, bandwidth=Estimate(value=1.0, low=-3, high=5), lead=Estimate(value=1.0, low=-3, high=5)
)


def test_a_sure_power_is_said_as_what_doubling_gives():
    said = words.headline(InPracticeSettings(), found=FOUND, first=PAIR)
    assert said == "Double the bandwidth goes with 2.0× the tokens, double the FLOP/s 1.00×"


def test_where_powers_are_unsure_the_pair_with_most_works_speaks():
    said = words.headline(InPracticeSettings(work="token"), found=UNSURE, first=PAIR)
    assert said == "H200 to B200: 1.60× bandwidth, 1.19× speed per token"


@pytest.mark.parametrize(
    ("work", "bandwidth", "flop", "said"),
    [
        ("token", 1.6, 2.27, "1.60× bandwidth"),
        ("training", 1.6, 2.27, "2.3× FLOP/s"),
        ("token", 1.0, 1.56, "1.56× FLOP/s"),
        ("first", 1.43, 1.0, "1.43× bandwidth"),
        ("token", 1.0, 1.0, "1.00× bandwidth"),
    ],
)
def test_the_ratio_that_differs_is_said(*, work, bandwidth, flop, said):
    pair = replace(PAIR, bandwidth_ratio=bandwidth, flop_ratio=flop)
    assert words.on_paper(pair, InPracticeSettings(work=work)) == said


def test_a_verdict_needs_an_interval_beside_nothing():
    settings = InPracticeSettings()
    assert words.verdict(FOUND, settings) == (
        "Speed rises more with bandwidth than with FLOP/s, at 90 % confidence."
    )
    other = replace(FOUND, lead=Estimate(value=-1.0, low=-1.2, high=-0.8))
    assert words.verdict(other, settings).startswith("Speed rises more with FLOP/s than with bandwidth")
    assert "cannot be told from 12 chips" in words.verdict(UNSURE, settings)
    few = replace(FOUND, bandwidth=None, flop=None, lead=None, n_chips=4)
    assert words.verdict(few, settings) == "4 chips cannot tell which of the two decides."


def test_a_single_work_has_no_middle_half():
    assert words.middle_half(replace(PAIR, n=1)) == "one workload"
    assert words.middle_half(PAIR) == "middle half 1.15–1.30×, 14 workloads of 1 model"


def test_a_pair_says_its_precision_where_it_matters():
    assert words.pair_name(PAIR) == "H200 to B200"
    assert words.pair_name(replace(PAIR, precision="8-bit")) == "H200 to B200, 8-bit"


def test_the_line_of_settings_says_what_is_narrowed():
    narrow = InPracticeSettings(work="token", precision="8", load="heavy", match="own", chips=" H200, B200 ")
    assert words.settings_line(narrow) == (
        "Time per token; the same engine, own version and split; Precision: 8 bits; "
        "Requests in flight: Above 64; only H200, B200"
    )


def test_the_kinds_of_work_say_where_either_matters_more():
    other = replace(FOUND, lead=Estimate(value=-1.0, low=-1.2, high=-0.8))
    assert words.by_work([("decode", FOUND), ("prompt", other), ("first", UNSURE)]) == (
        "Speed rises more with bandwidth for tokens for one user; more with FLOP/s for reading a prompt"
    )
    assert words.by_work([("first", UNSURE)]).startswith(
        "No kind of work tells whether speed rises more with"
    )
