from dataclasses import replace

import pytest

from analysis.serving.tables import model
from data.releases import latest, load
from tests.browser.reader import result_of
from views.kept import FINDINGS, KEEP_BYTE, SHARED, kept
from views.store import byte_of


def test_a_frozen_release_is_computed_once_for_each_further_argument():
    requested = []

    @kept
    def rows(release, table="runs"):
        """Return how many rows there are."""
        requested.append(table)
        return len(release.training_runs)

    release = load(latest())
    assert rows(release) == rows(release) == rows(release, "all") == len(release.training_runs)
    assert requested == ["runs", "all"]
    assert rows.__doc__ == "Return how many rows there are."


def test_a_reader_s_own_release_is_computed_once_too_and_apart_from_others():
    requested = []

    @kept
    def rows(release):
        requested.append(release)
        return len(release.training_runs)

    own, other = (replace(load(latest()), name="your export", origin="own models") for _ in range(2))
    kept_byte = FINDINGS.kept_byte
    assert rows(own) == rows(own) == rows(other) == len(own.training_runs)
    assert len(requested) == 2 and requested[0] is own and requested[1] is other
    assert FINDINGS.kept_byte == kept_byte


def test_a_release_that_only_bears_the_name_of_a_frozen_one_is_computed_afresh():
    rows = kept(lambda release: len(release.training_runs))
    release = load(latest())
    assert rows(release) > 3
    assert rows(replace(release, training_runs=release.training_runs.iloc[:3])) == 3
    assert (
        rows(
            replace(
                release, name="your export", origin="own models", training_runs=release.training_runs.iloc[:2]
            )
        )
        == 2
    )


def test_nothing_found_is_kept_too():
    requested = []

    @kept
    def row(release, name):
        requested.append(name)

    assert row(load(latest()), "none") is row(load(latest()), "none") is None
    assert requested == ["none"]


@pytest.mark.parametrize("path", ["/placement", "/cost-of-tokens", "/fleet", "/training-run"])
def test_an_answer_is_charged_with_what_it_holds_and_not_with_the_fitted_models(path):
    result = result_of(path)
    list(result.exhibits)
    assert byte_of(result, shared=SHARED) < 12e6 < byte_of(model()) < KEEP_BYTE
