from dataclasses import replace

import pytest

from data.releases import latest, load
from tests.views.claims.test_view import cells, result
from views import written
from views.claims.expressions import Missing, measured, pinned_link
from views.claims.own_claim import QUANTITIES, own_claim
from views.claims.statements import judged
from views.claims.view import VIEW, ClaimSettings
from views.view import answer, read

TABLES = written.toml(__file__, name="own_claim.toml")

RELEASE = load(latest())


def without_gpt_4():
    runs = RELEASE.training_runs
    kept = runs.loc[~runs["name"].str.startswith("GPT-4")].reset_index(drop=True)
    return replace(RELEASE, name="your export", origin="own models", base=latest(), training_runs=kept)


def test_a_claim_about_what_a_release_does_not_know_cannot_be_checked_and_says_what_is_missing():
    outcome = own_claim("gpt-4-cost", value="100", release=without_gpt_4())
    assert outcome is not None and outcome.row is not None
    assert outcome.headline == "Not checkable: our data has no number for GPT-4's training cost"
    assert outcome.subtitle.startswith("/data has no training")
    assert outcome.figure.value is None and outcome.figure.text == "not known"
    assert outcome.row.verdict == "not checkable"
    unknown = own_claim("gpt-4-cost", value="", release=without_gpt_4())
    assert unknown is not None and unknown.row is None
    assert unknown.headline == "Not known: our data has no number for GPT-4's training cost"


def test_a_statement_about_what_a_release_does_not_know_cannot_be_checked():
    outcome = {item.claim_id: item for item in judged(without_gpt_4())}
    assert outcome["S2-08"].verdict == "not checkable"
    assert "has no hardware_quantity of GPT-4 (Mar 2023) at this release" in outcome["S2-08"].why
    assert outcome["S2-09"].verdict == "supported"


def test_a_claim_the_other_way_says_which_way_ours_goes():
    outcome = own_claim("training-time", value="-10%", release=RELEASE)
    assert outcome is not None and outcome.row is not None
    assert outcome.row.verdict == "wrong" and outcome.row.why == "Our number grows."


def test_an_own_claim_is_judged_with_its_interval_and_the_summary_stays():
    outcome = result(quantity="run-chip-gap", value="20")
    figure = outcome.figures[0]
    assert outcome.headline.startswith("Far too high: the run-chip gap grows 3.")
    assert outcome.subtitle.startswith("You read 20× a year. Our data gives 3.")
    assert figure.name == "own_claim" and figure.interval_text == "claimed: 20× a year"
    assert figure.low is not None and figure.high is not None and figure.level == 0.9
    assert outcome.sure[0] == f"{result().headline}. {result().subtitle}"


def test_a_quantity_without_a_value_tells_our_number_and_judges_nobody():
    outcome = result(quantity="memory-bandwidth")
    assert outcome.headline.startswith("Bandwidth of NVIDIA flagships grows 1.")
    assert "for memory bandwidth per chip (NVIDIA's flagships, since 2012). " in outcome.subtitle
    assert outcome.subtitle.endswith("Type the number you read to check it.")
    assert cells(outcome, "claim_id")[0] == "S0-01"


def test_the_ends_of_our_interval_as_shown_are_inside_it():
    """1.30 was off against an interval shown as 1.22 to 1.30, which ended at 1.297."""
    shown = result(quantity="memory-bandwidth-all").figure("own_claim")
    for end in (shown.low, shown.high):
        assert result(quantity="memory-bandwidth-all", value=f"{end:.2f}").headline.startswith("Supported: ")


@pytest.mark.parametrize(("value", "said", "answer"), TABLES["bounds"])
def test_a_bound_or_a_range_may_be_claimed_and_is_answered_in_words(*, value, said, answer):
    outcome = result(quantity="memory-bandwidth", value=value)
    assert outcome.headline.startswith(f"{answer}: bandwidth of NVIDIA flagships grows 1.")
    assert outcome.subtitle.startswith(f"You read {said}. Our data gives ")


def test_a_value_without_a_quantity_says_what_is_missing():
    outcome = result(value="28%")
    assert outcome.notes[0] == "Choose the quantity of “28%” to compare it."
    assert len(outcome.notes) == 2


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_our_own_number_is_supported_for_every_quantity_in_twelve_words(quantity):
    ours = result(quantity=quantity)
    settings, ignored = read(VIEW, f"quantity={quantity}&value={ours.figure('own_claim').value:.6f}")
    assert not ignored
    claimed = answer(VIEW, settings)
    assert claimed.table.rows[0][:2] == ("yours", "supported")
    assert claimed.headline.startswith("Supported: ")
    assert claimed.cards[0].name == "yours" and claimed.cards[0].tone == "good"
    assert len(claimed.table.rows) == 91
    for value in ("", "1", "0.5", "1000", ">3", "1-900"):
        own = own_claim(quantity, value=value, release=RELEASE)
        assert own is not None and len(own.headline.split()) <= 12


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_the_sentence_of_an_own_claim_fits_its_quantity_and_its_example_can_be_claimed(quantity):
    settings = ClaimSettings(quantity=quantity)
    verb, end = ("grows", "a year.") if QUANTITIES[quantity].unit == "x a year" else ("is", ".")
    assert settings.around("quantity") == ("I read that", verb)
    assert settings.around("value") == ("", end)
    assert not replace(settings, value=settings.where_empty("value")).conflicts()


def test_a_value_that_cannot_be_claimed_is_ignored_and_the_message_says_how_to_write_one():
    (ignored,) = read(VIEW, "quantity=cost&value=3 TB/s")[1]
    assert "allowed: a growth a year such as 28%, 1.28x, >2x, 15-20x, 2x every 2 years" in ignored.sentence


@pytest.mark.parametrize("bare", ["28", "0.28"])
def test_a_bare_number_that_may_be_per_cent_says_how_to_write_that(bare):
    subtitle = result(quantity="memory-bandwidth", value=bare).subtitle
    assert subtitle.endswith(" If you meant 28% a year, type 28%.")
    assert result(quantity="memory-bandwidth", value="28%").headline.startswith("Supported: ")


def test_a_cell_is_found_by_the_name_of_its_row_and_a_published_figure_by_its_key():
    at = "/data?table=accelerators&find=NVIDIA H100"
    cell = '"NVIDIA H100 SXM5 80GB".memory_bandwidth_byte_per_s'
    assert measured(cell, at=at, release=RELEASE).value == 3.35e12
    assert measured(f"{cell} / 1e12", at=at, release=RELEASE).value == pytest.approx(3.35)
    assert measured('"p036".value', at="published", release=RELEASE).value == 2.7
    zero = measured('"7500000000 / 64 / 3".memory_byte', at="published_zero", release=RELEASE)
    assert zero.value == pytest.approx(1.88e9)


def test_sums_products_and_quotients_are_taken_in_their_order():
    assert measured("2 * 3 + 8 / 4", at="published", release=RELEASE).value == 8
    assert measured("1e12 / 4e2 * 2", at="published", release=RELEASE).value == pytest.approx(5e9)


def test_a_quotient_of_two_intervals_holds_every_quotient_of_their_ends():
    measures = [f'"{row}".yearly_growth' for row in ("Since 2020", "This view")]
    at = "/training-compute?since=2018"
    one, two = (measured(measure, at=at, release=RELEASE) for measure in measures)
    outcome = measured(" / ".join(measures), at=at, release=RELEASE)
    assert (outcome.low, outcome.high) == (one.low / two.high, one.high / two.low)
    assert outcome.value == one.value / two.value


@pytest.mark.parametrize(("measure", "at", "text"), TABLES["missing"])
def test_a_number_that_is_not_there_is_named(measure, *, at, text):
    with pytest.raises(Missing, match=text):
        measured(measure, at=at, release=RELEASE)


@pytest.mark.parametrize("measure", ["", "2 -", "2 ** 3", '"a".', "2 - 3", "2 * ", "<b>", "2 3"])
def test_an_expression_that_cannot_be_read_is_refused(measure):
    with pytest.raises(ValueError, match=r'a measure reads like figure \* "row"\.column / 2e9; got '):
        measured(measure, at="published", release=RELEASE)


@pytest.mark.parametrize(("at", "message"), TABLES["places"])
def test_a_place_where_nothing_is_measured_is_refused(at, message):
    with pytest.raises(ValueError, match=message):
        measured('"S0-01".claimed_value', at=at, release=RELEASE)


def test_a_link_is_spelled_out_and_names_its_release():
    release = f"release={RELEASE.name}"
    spelled = pinned_link("/data?find=PaLM (540B)", release=RELEASE)
    assert spelled == f"/data?find=PaLM+%28540B%29&{release}"
    assert pinned_link("/growth-gap", release=RELEASE) == f"/growth-gap?{release}"
    assert pinned_link("published", release=RELEASE) == ""
