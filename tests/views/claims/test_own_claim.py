from dataclasses import replace

import pytest

from data.releases import latest, load
from views import overview
from views.claims.expressions import TESTING
from views.claims.own_claim import NO_CLAIM, QUANTITIES, own_claim
from views.claims.statements import judged
from views.claims.view import VIEW, ClaimSettings
from views.view import answer, read, split


def result(**settings):
    return answer(VIEW, ClaimSettings(**settings))


def cells(found, column):
    place = [item.name for item in found.table.columns].index(column)
    return [row[place] for row in found.table.rows]


RELEASE = load(latest())


def without_gpt_4():
    runs = RELEASE.training_runs
    kept = runs.loc[~runs["name"].str.startswith("GPT-4")].reset_index(drop=True)
    return replace(RELEASE, name="your export", origin="own models", base=latest(), training_runs=kept)


def test_no_claim_comes_to_nothing():
    assert own_claim(NO_CLAIM, value="5", release=RELEASE) is None


def test_a_claim_about_what_a_release_does_not_know_cannot_be_checked_and_says_what_is_missing():
    found = own_claim("gpt-4-cost", value="100", release=without_gpt_4())
    assert found is not None and found.row is not None
    assert found.headline.startswith(
        "Your 100 million USD for the training cost of GPT-4 (2023 USD) cannot be checked: /data has no training"
    )
    assert found.figure.value is None and found.figure.text == "not known"
    assert found.row.verdict == "not checkable"


def test_a_statement_about_what_a_release_does_not_know_cannot_be_checked():
    found = {item.claim_id: item for item in judged(without_gpt_4())}
    assert found["S2-06"].verdict == "not checkable"
    assert "has no training_power_w of GPT-4 (Mar 2023) at this release" in found["S2-06"].why
    assert found["S2-09"].verdict == "supported"


def test_our_own_number_that_a_release_does_not_know_is_said_to_be_unknown():
    found = own_claim("gpt-4-cost", value="", release=without_gpt_4())
    assert found is not None and found.row is None
    assert found.headline.startswith(
        "Our number for the training cost of GPT-4 (2023 USD) is not known: /data has"
    )


def test_a_claim_the_other_way_says_which_way_ours_goes():
    found = own_claim("training-time", value="-10 %", release=RELEASE)
    assert found is not None and found.row is not None
    assert found.row.verdict == "wrong" and found.row.why == "Ours grows."


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
