from dataclasses import replace

import pytest

from analysis.claims.verdict import VERDICTS, Measured, combined
from data import standing
from data.releases import latest, load
from views import written
from views.claims.expressions import Missing, divided, measured, ratio_error
from views.claims.statements import MODEL, OPEN, Against, judged, judged_number, with_interval, written_number

TABLES = written.toml(__file__, name="statements.toml")

TESTS = standing.table("claim_tests")
STATEMENTS = {item.claim_id: item for item in judged(load(latest()))}


def test_every_verdict_follows_from_its_tests_and_every_test_finds_its_number():
    statements = tuple(STATEMENTS.values())
    verdicts = [item.verdict for item in statements]
    assert tuple(verdicts.count(verdict) for verdict in VERDICTS) == (37, 10, 21, 6, 16)
    for item in statements:
        assert item.verdict == combined([part.verdict for part in item.parts], decided_share=0.5)
        assert len(item.parts) == (TESTS["claim_id"] == item.claim_id).sum()
        for part in item.parts:
            assert part.verdict != "not checkable", (item.claim_id, part.reason)
            assert part.text and part.reason and (part.link or part.reason == "no page here tests this part")
        assert item.why and item.claimed and item.url.startswith("https://")
        assert item.parts or item.tested_by == "not tested"
        if item.parts and item.by_hand != "not checkable":  # hand and computation never contradict each other
            assert {item.verdict, item.by_hand} != {"supported", "wrong"}, item.claim_id


KNOWN = {
    "supported": "S0-01 S0-02 S0-04 S0-13 S0-14 S1-06 S2-18 S2-24 S2-26 S2-36 S3-07 S3-12 S3-13 S3-17 S4-11",
    "undecided": "S1-07 S1-08 S2-04 S2-08 S2-14 S2-22 S2-25 S3-14 S4-12 S5-01",
    "off": "S0-06 S0-10 S0-11 S2-07 S2-17 S2-19 S2-30 S2-37 S3-04 S3-10 S4-07",
    "wrong": "S0-03 S2-01 S2-02 S2-15 S4-02",
    "not checkable": "S0-12 S2-05 S2-06",
}


def test_well_known_statements_get_the_verdict_that_evidence_gives_them():
    expected = {claim_id: verdict for verdict, ids in KNOWN.items() for claim_id in ids.split()}
    assert {claim_id: STATEMENTS[claim_id].verdict for claim_id in expected} == expected


def test_published_work_is_judged_as_it_was_done_and_costs_like_for_like():
    """992 A100, tensor 8, fully sharded: 147 TFLOP/s published (Zhang et al. 2022, section 2.4)."""
    for part in STATEMENTS["S2-13"].parts:
        assert "plan=manual&tensor=8&pipeline=1&zero=3&recompute=full" in part.link
    assert 20 < float(STATEMENTS["S2-13"].parts[0].number.removesuffix("%")) < 40
    assert STATEMENTS["S4-07"].parts[0].text == "17×"  # activations alone


def test_a_number_of_our_models_has_an_interval_or_the_reason_why_it_has_none():
    for item in STATEMENTS.values():
        for part in (part for part in item.parts if part.tested_by == MODEL):
            assert bool(part.interval) != bool(part.without_interval), (item.claim_id, part.label)
            assert part.without_interval in item.why
    links, ratio = (STATEMENTS[claim_id].parts[0].measured for claim_id in ("S2-10", "S2-14"))
    assert links and ratio and links.level == ratio.level == 0.9
    assert links.low < 0.6 * links.high and links.high < 0.5
    error = ratio_error("/training-run", '"2048".mfu / "1024".mfu')
    assert ratio.high / ratio.value == pytest.approx(error) and 1.1 < error < 1.2
    assert ratio_error("/training-run", "critical_batch_token") == ratio_error("/fleet", "mfu") == 1
    assert [part.interval for part in STATEMENTS["S2-28"].parts] == [""]  # failures and storage are assumed


def test_a_claim_with_a_cost_says_which_cost_and_one_tested_by_its_own_source_is_not_checkable():
    for claim_id, words in (("S2-07", "rent at list"), ("S2-08", "rent at list"), ("S2-09", "Rent would be")):
        assert words in STATEMENTS[claim_id].why and "amortized hardware" in STATEMENTS[claim_id].why
    for claim_id in ("S2-05", "S2-06"):
        assert STATEMENTS[claim_id].why.endswith("their agreement tests nothing.")
    assert "We compare growth factors" in STATEMENTS["S0-03"].why and "is 14×" in STATEMENTS["S0-03"].why


@pytest.mark.parametrize(
    ("claim_id", "hours", "usd", "when"),
    [
        ("S2-07", 3_311_616, (1.50, 2.55, 5.12), "July 2023"),
        ("S2-08", 25_000 * 2280, (1.85, 3.43, 5.12), "March 2023"),
    ],
)
def test_costs_of_past_runs_are_computed_at_the_list_prices_of_their_day(claim_id, *, hours, usd, when):
    part = STATEMENTS[claim_id].parts[0]
    assert part.measured is not None
    ends = (part.measured.low, part.measured.value, part.measured.high)
    assert ends == pytest.approx([price * hours for price in usd], rel=3e-3)
    low, middle, high = (f"${price:.2f}" for price in usd)
    assert f"List prices of {when} were {low} to {high} an hour at " in STATEMENTS[claim_id].why
    assert f"median {middle}." in STATEMENTS[claim_id].why


def test_one_card_may_support_a_cost_while_the_other_leaves_it_open_and_no_number_is_none():
    """Epoch AI names the A100 with 40 GB for GPT-4; which card it was is not published."""
    assert [part.verdict for part in STATEMENTS["S2-08"].parts] == ["supported", "undecided"]
    assert STATEMENTS["S3-10"].claimed == "no number"


def test_a_part_that_nothing_tests_counts_as_undecided_and_leads_nowhere():
    tested, untested = STATEMENTS["S1-08"].parts
    assert (tested.verdict, untested.verdict) == ("supported", "undecided")
    assert (untested.text, untested.link, untested.tested_by) == ("not known", "", "")
    assert STATEMENTS["S1-08"].tested_by == "our data"


@pytest.mark.parametrize(("claim_id", "tested_by", "link"), TABLES["tested_by"])
def test_a_statement_says_what_tested_it_and_where(claim_id, *, tested_by, link):
    assert STATEMENTS[claim_id].tested_by == tested_by
    assert STATEMENTS[claim_id].link.startswith(link.format(latest()))
    assert tested_by != "not tested" or STATEMENTS[claim_id].why.startswith("No number of ours tests it. ")


def test_a_readers_own_release_is_judged_apart_from_ours_but_by_the_same_models():
    own = replace(load(latest()), name="your export", origin="own models", base=latest())
    assert judged(own) is judged(own) is not judged(load(latest()))
    assert [item.verdict for item in judged(own)] == [item.verdict for item in judged(load(latest()))]
    links = {item.claim_id: item.link for item in judged(own)}
    assert "release=" not in links["S0-02"]
    assert links["S2-29"] == f"/training-run?release={latest()}"


def test_every_test_of_a_range_or_value_has_one():
    claims = standing.table("claims").set_index("claim_id")
    for row in TESTS.loc[TESTS["test"] != OPEN].to_dict("records"):
        claim = claims.loc[row["claim_id"]]
        name = "value" if row["test"] != "between" else "high"
        assert row[name] == row[name] or claim[f"claimed_{name}"] == claim[f"claimed_{name}"], row["claim_id"]


def test_every_test_can_fail():
    """No share or count is held against zero, which none can miss, and shares against bounds inside 0 to 1."""
    for row in TESTS.to_dict("records"):
        assert row["value"] != 0, row["claim_id"]
        share = row["measure"].endswith('".share') and row["unit"] == "1"
        assert not (share and row["value"] >= 1) or row["test"] == "about", row["claim_id"]


def test_a_statement_may_compare_one_number_at_two_links():
    one, two = (
        measured('"FlashAttention".activations_before_byte', at=at, release=load("2026-07"))
        for at in ("/techniques?phase=training&context=262144", "/techniques?phase=training&context=131072")
    )
    assert divided(one, two).value == pytest.approx(one.value / two.value)
    assert STATEMENTS["S4-10"].parts[0].text == written_number(one.value / two.value, "x")
    nothing = Measured(value=0.0, low=0.0, high=0.0)
    with pytest.raises(Missing, match="the number it is divided by is not above zero"):
        divided(one, nothing)


@pytest.mark.parametrize(("value", "unit", "text"), TABLES["written"])
def test_numbers_are_written_as_a_reader_says_them(value, *, unit, text):
    assert written_number(value, unit) == text


def test_an_interval_stands_behind_its_number_with_its_level():
    growth = Measured(value=4.69, low=3.94, high=5.66, level=0.9)
    assert with_interval(growth, "x a year") == "4.7× a year (90%: 3.9–5.7×)"
    assert with_interval(Measured(value=2, low=1.5, high=3), "x") == "2× (1.5–3×)"
    assert with_interval(Measured(value=2, low=2, high=2), "x") == "2×"


@pytest.mark.parametrize(("ours", "test", "value", "reason"), TABLES["reasons"])
def test_the_reason_says_how_the_numbers_stand(ours, *, test, value, reason):
    result = Measured(low=ours[0], value=ours[1], high=ours[2])
    assert judged_number(result, unit="x", against=Against(test=test, value=value))[1] == reason
