from dataclasses import replace

from data.releases import latest, load
from views.kept import kept


def test_a_frozen_release_is_computed_once_for_each_further_argument():
    asked = []

    @kept
    def rows(release, table="runs"):
        """Return how many rows there are."""
        asked.append(table)
        return len(release.training_runs)

    release = load(latest())
    assert rows(release) == rows(release) == rows(release, "all") == len(release.training_runs)
    assert asked == ["runs", "all"]
    assert rows.__doc__ == "Return how many rows there are."


def test_a_release_that_only_bears_the_name_of_a_frozen_one_is_computed_afresh():
    rows = kept(lambda release: len(release.training_runs))
    release = load(latest())
    assert rows(release) > 3
    assert rows(replace(release, training_runs=release.training_runs.iloc[:3])) == 3
    assert rows(replace(release, name="your export", training_runs=release.training_runs.iloc[:2])) == 2
