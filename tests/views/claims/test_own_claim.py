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
    assert found.headline == "Not checkable: this data has no number for GPT-4's training cost"
    assert found.subtitle.startswith("/data has no training")
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
    assert found.headline == "Not known: this data has no number for GPT-4's training cost"
    assert found.subtitle.startswith("/data has")


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
    assert found.headline.startswith("Supported: ")
    assert found.cards[0].name == "yours" and found.cards[0].tone == "good"
    assert len(found.table.rows) == 90


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_every_quantity_names_a_view_and_a_link_that_is_used_in_full(quantity):
    path, query = split(QUANTITIES[quantity].at)
    assert read(TESTING[path], query)[1] == ()


def test_an_own_claim_is_judged_with_its_interval_and_the_summary_stays():
    found = result(quantity="run-chip-gap", value="15")
    figure = found.figures[0]
    assert found.headline.startswith("Far too high: the run-chip gap grows 3.")
    assert found.subtitle.startswith("You read 15× a year. Our data: 3.")
    assert figure.name == "own_claim" and figure.interval_text == "claimed: 15× a year"
    assert figure.low is not None and figure.high is not None and figure.level == 0.9
    assert found.sure[0] == f"{result().headline}. {result().subtitle}"


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
    assert found.headline.startswith("Bandwidth of NVIDIA flagships grows 1.")
    assert "for memory bandwidth per chip (NVIDIA's flagships, since 2012). " in found.subtitle
    assert found.subtitle.endswith("Type the number you read to check it.")
    assert cells(found, "claim_id")[0] == "S0-01"


@pytest.mark.parametrize(
    ("quantity", "figure"), [("memory-bandwidth", "bandwidth_growth"), ("training-compute", "compute_growth")]
)
def test_what_the_start_page_says_is_supported_here(quantity, figure):
    start = answer(overview.VIEW, overview.VIEW.settings()).figure(figure)
    ours = result(quantity=quantity).figure("own_claim")
    assert ours.value == pytest.approx(start.value, rel=1e-6)
    assert result(quantity=quantity, value=f"{start.value:.2f}").headline.startswith("Supported: ")


def test_the_ends_of_our_interval_as_shown_are_inside_it():
    """1.30 was off against an interval shown as 1.22 to 1.30, which ended at 1.297."""
    shown = result(quantity="memory-bandwidth-all").figure("own_claim")
    for end in (shown.low, shown.high):
        assert result(quantity="memory-bandwidth-all", value=f"{end:.2f}").headline.startswith("Supported: ")


@pytest.mark.parametrize(
    ("value", "said", "answer"),
    [
        (">2x", "more than 2.0× a year", "Far too high"),
        ("15-20x", "15–20× a year", "Far too high"),
        ("less than 2x", "less than 2.0× a year", "Supported"),
        ("less than 1.1x", "less than 1.10× a year", "Far too low"),
        ("1.5x", "1.50× a year", "Too high"),
        ("more than 1.32x", "more than 1.32× a year", "Unclear"),
    ],
)
def test_a_bound_or_a_range_may_be_claimed_and_is_answered_in_words(*, value, said, answer):
    found = result(quantity="memory-bandwidth", value=value)
    assert found.headline.startswith(f"{answer}: bandwidth of NVIDIA flagships grows 1.")
    assert found.subtitle.startswith(f"You read {said}. Our data: ")


def test_a_value_without_a_quantity_says_what_is_missing():
    found = result(value="28 %")
    assert found.notes[0] == "“28 %” is compared with nothing yet: choose what it is about."
    assert len(found.notes) == 2


@pytest.mark.parametrize("bare", ["28", "0.28"])
def test_a_bare_number_that_may_be_per_cent_says_how_to_write_that(bare):
    assert result(quantity="memory-bandwidth", value=bare).subtitle.endswith(" For 28 % a year, write 28 %.")
    assert result(quantity="memory-bandwidth", value="28 %").headline.startswith("Supported: ")


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("value", ["", "1", "0.5", "1000", ">3", "1-900"])
def test_every_answer_has_at_most_twelve_words(*, quantity, value):
    found = own_claim(quantity, value=value, release=RELEASE)
    assert found is not None
    assert len(found.headline.split()) <= 12
    gone = own_claim(quantity, value=value, release=without_gpt_4())
    assert gone is not None and len(gone.headline.split()) <= 12


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_the_sentence_of_an_own_claim_fits_its_quantity(quantity):
    settings = ClaimSettings(quantity=quantity)
    verb, end = settings.around("quantity"), settings.around("value")
    grows = QUANTITIES[quantity].unit == "x a year"
    assert (
        (verb, end) == (("I read that", "grows"), ("", "a year."))
        if grows
        else (("I read that", "is"), ("", "."))
    )
    example = settings.where_empty("value")
    assert not ClaimSettings(quantity=quantity, value=example).conflicts()
