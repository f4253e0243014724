"""Effective compute: assumptions are published rows, named as such, and no measured rate moves with them."""

import pytest

from data import standing
from views.growth_accounting.effective import ALGORITHMS, NONE, ROWS, assumed
from views.growth_accounting.view import VIEW
from views.view import answer, read


def ask(word):
    return answer(VIEW, read(VIEW, f"algorithms={word}")[0])


def test_epochs_estimates_moved_from_1_7_to_3_and_ho_et_al_lie_between():
    """Ho et al., "Algorithmic progress in language models", abstract: 8 months, 95 % interval 5 to 14."""
    assert (assumed("epoch-2022").factor, assumed("epoch-2025").factor) == (1.7, 3)
    ho = assumed("ho-2024")
    assert (ho.factor, ho.low, ho.high) == tuple(
        pytest.approx(2 ** (12 / months), rel=0.005) for months in (8, 14, 5)
    )
    assert {standing.rows("published", "row_id")[row]["topic"] for row in ROWS.values()} == {"algorithms"}


@pytest.mark.parametrize("word", [word for word in ALGORITHMS if word != NONE])
def test_an_assumption_adds_to_the_page_and_changes_nothing_measured(word):
    plain, assuming = ask(NONE), ask(word)
    assert assuming.headline == plain.headline and assuming.subtitle == plain.subtitle
    figures = {figure.name: figure for figure in assuming.figures}
    effective = figures.pop("effective_compute_growth")
    assert tuple(figures.values()) == plain.figures
    assert "assumed" in effective.label and "assumed" in effective.method and not effective.key
    assert effective.value == pytest.approx((figures["yearly_growth"].value or 0) * assumed(word).factor)
    assert assuming.notes[-1].startswith("Assumed, not measured: better algorithms save")
    titles = [exhibit.chart.title for exhibit in assuming.exhibits]
    new = [title for title in titles if title not in [exhibit.chart.title for exhibit in plain.exhibits]]
    assert len(new) == 1 and new[0].startswith("If algorithms save")


def test_a_published_interval_widens_that_of_effective_compute():
    with_ends, without = (ask(word).figure("effective_compute_growth") for word in ("ho-2024", "epoch-2025"))
    assert with_ends.low and with_ends.high and without.low and without.high
    assert with_ends.high / with_ends.low > without.high / without.low
