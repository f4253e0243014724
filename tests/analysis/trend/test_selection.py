import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analysis.trend.selection import Contest, Rule, dominance, select
from tests.analysis.refusals import refusals
from tests.analysis.trend.histories import resampled

# Few distinct years and values, so that ties and shared days are common.
histories = st.integers(1, 30).flatmap(
    lambda n: st.tuples(
        arrays(np.float64, n, elements=st.integers(2000, 2010).map(float)),
        arrays(np.float64, n, elements=st.integers(1, 12).map(float)),
    )
)


def plainly(history, top):
    """Return the selection by the definition, row by row."""
    year, value = history
    return [int(((year <= y) & (value > v)).sum()) < top for y, v in zip(year, value, strict=True)]


@given(histories, st.integers(1, 6))
def test_the_frontier_is_what_its_definition_says(history, top):
    assert select(*history, rule=Rule(kind="frontier", top=top)).tolist() == plainly(history, top)


@given(seed=st.integers(0, 99), top=st.integers(1, 12), clusters=st.sampled_from([None, 3, 40, 200]))
def test_a_prepared_contest_gives_every_draw_what_the_plain_one_gives(*, seed, top, clusters):
    generator = np.random.default_rng(seed)
    year = generator.integers(2000, 2020, 200).astype(float)
    value = generator.integers(1, 60, 200).astype(float)
    inside = year > 2005
    labs = None if clusters is None else generator.integers(0, clusters, 200)
    cluster = None if labs is None else np.unique(labs, return_inverse=True)[1]
    units = 200 if cluster is None else cluster.max() + 1
    counts = generator.multinomial(units, np.full(units, 1 / units), size=40).astype(np.float32)
    contest = Contest.between(year, value, top=top, inside=inside, cluster=cluster)
    rows = counts if cluster is None else counts[:, cluster]
    plain = resampled(rows, dominance=dominance(year, value), top=top)
    prepared = np.zeros_like(plain)
    prepared[:, contest.contenders] = contest.copies(counts)
    assert (prepared == np.where(inside, plain, 0)).all()


@pytest.mark.parametrize(
    ("year", "value", "records"),
    [([2020.0, 2021.0], [5.0, 5.0], [True, True]), ([2020.0, 2020.0], [5.0, 6.0], [False, True])],
    ids=("a tie", "one day"),
)
def test_ties_for_a_record_are_both_kept_and_on_one_day_only_the_largest_sets_it(*, year, value, records):
    assert select(np.array(year), np.array(value), rule=Rule(kind="records")).tolist() == records


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "top is how many rows lead at a time, at least 1; got 0. Pass 1 or more.": lambda: Rule(kind="frontier", top=0),
        "rule is one of all, frontier, records; got 'best'":
            lambda: Rule(kind="best"),  # pyright: ignore[reportArgumentType]
    }
)  # fmt: skip
