from dataclasses import replace

from data.releases import latest, load
from views.claims.own_claim import NO_CLAIM, own_claim
from views.claims.statements import judged

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
    assert found.row[1] == "not checkable"


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
    assert found.row[1] == "wrong" and found.row[5] == "Ours grows."
