import pytest

from analysis.claims.verdict import VERDICTS, Measured, together
from data import standing
from data.releases import latest, load, names
from views.claims.expressions import TESTING, Missing, divided, measured
from views.claims.statements import ARTICLES, GROWTH, judged, judged_number, with_interval, written
from views.registry import VIEWS
from views.view import read, split

TESTS = standing.table("claim_tests")
LINKS = sorted({at for at in [*TESTS["at"], *TESTS["over_at"]] if at.startswith("/")})


@pytest.mark.parametrize("link", LINKS)
def test_every_link_that_tests_a_statement_is_used_in_full(link):
    path, query = split(link)
    assert TESTING[path] is VIEWS[path]
    assert read(TESTING[path], query)[1] == ()
    assert "release=" not in link


@pytest.mark.parametrize("release", names())
def test_every_verdict_follows_from_its_tests_and_every_test_finds_its_number(release):
    found = judged(load(release))
    assert len(found) == len(standing.table("claims")) == 89
    for item in found:
        assert item.verdict in VERDICTS
        assert item.verdict == together([part.verdict for part in item.parts])
        assert len(item.parts) == (TESTS["claim_id"] == item.claim_id).sum()
        for part in item.parts:
            assert part.verdict != "not checkable", (item.claim_id, part.reason)
            assert part.text and part.reason and part.link
        assert item.why and item.claimed and item.url.startswith("https://")
        if not item.parts:
            assert item.evidence in item.why
            assert item.tested_by == "not tested"


KNOWN = {
    "S0-01": "supported",
    "S0-02": "supported",
    "S0-03": "wrong",
    "S0-04": "off",
    "S0-06": "off",
    "S0-10": "off",
    "S0-11": "off",
    "S0-12": "not checkable",
    "S0-13": "supported",
    "S0-14": "supported",
    "S1-06": "supported",
    "S1-08": "supported",
    "S2-01": "wrong",
    "S2-02": "wrong",
    "S2-07": "wrong",
    "S2-08": "off",
    "S2-13": "off",
    "S2-15": "wrong",
    "S2-17": "off",
    "S2-18": "supported",
    "S2-19": "off",
    "S2-24": "supported",
    "S2-26": "off",
    "S2-30": "off",
    "S2-36": "supported",
    "S2-37": "off",
    "S3-04": "off",
    "S3-07": "supported",
    "S3-10": "off",
    "S3-12": "off",
    "S3-17": "supported",
    "S3-13": "supported",
    "S4-02": "wrong",
    "S4-07": "off",
    "S4-10": "supported",
    "S4-11": "supported",
    "S4-12": "off",
}


@pytest.mark.parametrize(("claim_id", "expected"), KNOWN.items())
def test_well_known_statements_get_the_verdict_that_evidence_gives_them(claim_id, expected):
    assert {item.claim_id: item for item in judged(load("2026-07"))}[claim_id].verdict == expected


@pytest.mark.parametrize(
    ("release", "expected"), [("2025-11", (41, 27, 7, 14)), ("2026-07", (40, 28, 7, 14))]
)
def test_so_many_statements_hold_are_off_wrong_or_cannot_be_checked(release, expected):
    found = [item.verdict for item in judged(load(release))]
    assert tuple(found.count(verdict) for verdict in VERDICTS) == expected


def test_where_hand_and_computation_judged_neither_calls_right_what_the_other_calls_wrong():
    for item in judged(load(latest())):
        if item.parts and item.by_hand != "not checkable":
            assert {item.verdict, item.by_hand} != {"supported", "wrong"}, item.claim_id


def test_a_verdict_can_change_with_a_release():
    old, new = (
        {item.claim_id: item.verdict for item in judged(load(name))} for name in ("2025-11", "2026-07")
    )
    assert old["S0-04"] == "supported" and new["S0-04"] == "off"


def test_every_test_of_a_range_or_value_has_one():
    claims = standing.table("claims").set_index("claim_id")
    for row in TESTS.to_dict("records"):
        claim = claims.loc[row["claim_id"]]
        assert row["value"] == row["value"] or claim["claimed_value"] == claim["claimed_value"], row[
            "claim_id"
        ]
        if row["test"] == "between":
            assert row["high"] == row["high"] or claim["claimed_high"] == claim["claimed_high"]


def test_every_test_can_fail():
    """No share or count is held against zero, which none can miss, and shares against bounds inside 0 to 1."""
    for row in TESTS.to_dict("records"):
        assert row["value"] != 0, row["claim_id"]
        share = row["measure"].endswith('".share') and row["unit"] == "1"
        assert not (share and row["value"] >= 1), row["claim_id"]


def parts(claim_id):
    found = {item.claim_id: item for item in judged(load("2026-07"))}[claim_id]
    return found.parts


def test_opt_is_judged_on_the_plan_it_was_run_with():
    """992 A100, tensor 8, fully sharded: 147 TFLOP/s published (Zhang et al. 2022, section 2.4)."""
    for part in parts("S2-13"):
        assert "plan=manual&tensor=8&pipeline=1&zero=3&recompute=full" in part.link
    assert 0.2 < float(parts("S2-13")[0].text.removesuffix(" %")) / 100 < 0.4


def test_costs_are_judged_like_for_like():
    """GPU time of a family is GPU-hours times a price; a cost of unclear scope has both scopes."""
    assert parts("S2-07")[0].text == "$5,300,000"
    assert [part.verdict for part in parts("S2-08")] == ["wrong", "off"]
    prices = standing.table("cloud_prices")
    mine = prices.loc[(prices["accelerator"] == "NVIDIA A100 SXM4 80 GB") & ~prices["stale"]]
    assert mine["price_usd_per_hour"].median() == pytest.approx(1.6, abs=0.005)


def test_activations_alone_are_what_checkpointing_is_judged_on():
    assert parts("S4-07")[0].text == "17×"


def test_the_links_through_the_middle_of_a_pod_are_those_of_its_torus():
    """A torus of 16 x 16 x 16 at 45 GB/s a link: 23 TB/s, 184 Tbit/s."""
    found = measured('2 * 16 * 16 * "p059".value * 8', at="published", release=load(latest()))
    assert found.value == pytest.approx(23.04e12 * 8)


def test_a_statement_may_compare_one_number_at_two_links():
    one, two = (
        measured('"FlashAttention".activations_before_byte', at=at, release=load("2026-07"))
        for at in ("/techniques?phase=training&context=262144", "/techniques?phase=training&context=131072")
    )
    assert divided(one, two).value == pytest.approx(one.value / two.value)
    assert parts("S4-10")[0].text == written(one.value / two.value, "x")
    nothing = Measured(value=0.0, low=0.0, high=0.0)
    with pytest.raises(Missing, match="the number it is divided by is not above zero"):
        divided(one, nothing)


def test_a_phone_answers_and_a_laptop_does_not_fine_tune_within_a_day():
    found = {item.claim_id: item for item in judged(load("2026-07"))}["S0-10"]
    assert found.verdict == "off" and found.parts[1].verdict == "wrong"
    assert found.parts[0].verdict in ("supported", "off")
    assert found.link.startswith("/placement?work=phone-assistant") and found.tested_by == "our model"


def test_a_statement_says_what_tested_it():
    found = {item.claim_id: item for item in judged(load(latest()))}
    assert found["S0-02"].tested_by == "our data"
    assert found["S2-07"].tested_by == "published figure"
    assert found["S2-01"].tested_by == "our data and published figure"
    assert found["S2-29"].tested_by == "our model"
    assert found["S2-29"].link.startswith("/training-run?")
    assert found["S2-07"].link.startswith("https://")
    assert "No number decides it." in found["S4-05"].why


def test_every_article_is_a_source_of_its_statements():
    claims = standing.table("claims")
    pairs = set(zip(claims["claim_id"].str[:2], claims["source_id"], strict=True))
    assert pairs == set(ARTICLES.items())


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (4.69, GROWTH, "4.7× a year"),
        (3.563, "x", "3.6×"),
        (6268.7, "x", "6,270×"),
        (0.2134, "1", "21 %"),
        (0, "1", "0 %"),
        (2, "1", "2"),
        (4.8e12, "bit/s", "4.8 Tbit/s"),
        (3.35e12, "byte/s", "3.35 TB/s"),
        (25000, "accelerators", "25,000 accelerators"),
        (50, "GWh", "50 GWh"),
        (11.6e6, "tokens", "11.6 million tokens"),
        (1, "wafers", "1 wafer"),
        (4.67, "year", "4.7 years"),
        (1_102_560, "USD", "$1,100,000"),
    ],
)
def test_numbers_are_written_as_a_reader_says_them(value, *, unit, text):
    assert written(value, unit) == text


def test_an_interval_stands_behind_its_number_with_its_level():
    growth = Measured(value=4.69, low=3.94, high=5.66, level=0.9)
    assert with_interval(growth, GROWTH) == "4.7× a year (90 %: 3.9–5.7×)"
    assert with_interval(Measured(value=2, low=1.5, high=3), "x") == "2× (1.5–3×)"
    assert with_interval(Measured(value=2, low=2, high=2), "x") == "2×"


@pytest.mark.parametrize(
    ("ours", "test", "value", "reason"),
    [
        ((3.9, 4.7, 5.7), "about", 5, "inside our interval"),
        ((4.7, 4.7, 4.7), "about", 5, "agrees"),
        ((3, 3, 3), "about", 5, "off by up to a factor of two"),
        ((1, 1, 1), "about", 5, "off by more than a factor of two"),
        ((1.1, 1.2, 1.3), "above", 1, "all of our interval is above 1×"),
        ((1.2, 1.2, 1.2), "above", 1, "ours is above 1×"),
        ((0.9, 1.2, 1.3), "above", 1, "our interval reaches both sides of 1×"),
        ((0.9, 0.9, 0.9), "rises", 1, "ours is below 1×"),
        ((81, 81, 81), "rises", 1, "ours is above 1×"),
        ((1.4, 1.4, 1.4), "falls", 1, "ours is above 1×"),
        ((2, 2, 2), "above", 2, "ours is exactly 2×"),
        ((2.001, 2.001, 2.001), "above", 2, "ours is just above 2×"),
    ],
)
def test_the_reason_says_how_the_numbers_stand(ours, *, test, value, reason):
    found = Measured(low=ours[0], value=ours[1], high=ours[2])
    assert judged_number(found, unit="x", test=test, value=value)[1] == reason


def test_a_readers_own_release_is_judged_apart_from_ours():
    from dataclasses import replace

    own = replace(load(latest()), name="your export", origin="own models", base=latest())
    found = judged(own)
    assert found is judged(own) is not judged(load(latest()))
    assert [item.verdict for item in found] == [item.verdict for item in judged(load(latest()))]
    links = {item.claim_id: item.link for item in found}
    assert "release=" not in links["S0-02"]
    assert links["S2-29"] == f"/training-run?release={latest()}"
