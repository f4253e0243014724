from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.training_run.pace import SPREADS, Pace, Paces, Traits, likeness, software_years
from tests.analysis.training_run.runs import TRAITS as RUN

NAMES = st.sampled_from(["", "a", "b", "c"])
TRAITS = st.builds(
    Traits,
    maker=NAMES,
    kind=NAMES,
    chip=NAMES,
    shape=NAMES,
    mixture=st.booleans(),
    precision=st.sampled_from(["fp8", "fp16"]),
    year=st.floats(2020, 2028),
    plan=NAMES,
    stack=NAMES,
)


def paces(*known, sources=None):
    """Return what is known from pairs of a run and its measured over predicted speed."""
    return Paces(
        runs=tuple(run for run, _ in known),
        sources=tuple(sources or (f"source {at}" for at in range(len(known)))),
        log_paces=tuple(float(np.log(ratio)) for _, ratio in known),
    )


def test_without_published_runs_the_parts_alone_are_believed_and_the_range_is_widest():
    alone = paces().of(RUN)
    assert alone.share == 1.0
    own = SPREADS.source**2 + SPREADS.run**2 + SPREADS.stack**2
    assert alone.spread**2 == pytest.approx(likeness([RUN], [RUN])[0, 0] + own)
    assert alone.spread > paces((RUN, 1.2)).of(RUN).spread > SPREADS.run


def test_one_run_alike_moves_the_pace_towards_its_own_and_many_come_near_it():
    """With one run of pace 1.2 the prediction lies between 1 and 1.2; with twenty it is nearly 1.2."""
    one = paces((RUN, 1.2)).of(RUN).share
    many = paces(*[(RUN, 1.2)] * 20).of(RUN).share
    assert 1.0 < one < many < 1.2
    assert many == pytest.approx(1.2, rel=0.02)


def test_runs_of_one_source_count_less_than_as_many_of_several():
    several = paces(*[(RUN, 1.2)] * 5).of(RUN).share
    assert paces(*[(RUN, 1.2)] * 5, sources=["the same"] * 5).of(RUN).share < several


@pytest.mark.parametrize(
    ("changes", "apart"),
    [
        ({"plan": "other"}, [SPREADS.plan]),
        ({"chip": "other"}, [SPREADS.shape_on_chip, SPREADS.plan]),
        ({"precision": "fp8"}, [SPREADS.precision, SPREADS.plan]),
        ({"kind": "other"}, [SPREADS.kind, SPREADS.precision]),
        ({"shape": "other"}, [SPREADS.shape, SPREADS.shape_on_chip, SPREADS.plan]),
        ({"maker": "other"}, [SPREADS.maker, *[SPREADS.drift] * 3]),
        ({"year": 2023.0}, [SPREADS.drift]),
        ({"mixture": True}, []),
    ],
)
def test_runs_that_differ_in_one_trait_share_less_by_its_spread(changes, apart):
    other = replace(RUN, **changes)
    here, there = likeness([RUN], [RUN, other])[0]
    assert here - there == pytest.approx(sum(spread**2 for spread in apart))


def test_mixtures_share_that_they_are_some_and_since_2025_a_drift_of_their_own():
    mixture = replace(RUN, mixture=True, year=2027.0)
    here, there = likeness([mixture], [mixture, replace(mixture, mixture=False)])[0]
    drifts = SPREADS.drift_of_mixtures**2 + SPREADS.drift_of_model**2
    assert here - there == pytest.approx(SPREADS.mixture**2 + 2 * drifts)


@given(runs=st.lists(TRAITS, min_size=1, max_size=6))
def test_likeness_is_a_covariance(runs):
    """Symmetric, and no sum of paces has a variance below zero."""
    matrix = likeness(runs, runs)
    assert matrix == pytest.approx(matrix.T)
    assert np.linalg.eigvalsh(matrix).min() > -1e-9


@given(
    known=st.lists(st.tuples(TRAITS, st.floats(0.3, 3.0)), min_size=2, max_size=7),
    sources=st.lists(NAMES, min_size=7, max_size=7),
)
def test_leaving_a_group_out_is_as_if_it_were_never_known(known, sources):
    """The downdated inverse against the plain one, without all runs of the same chip."""
    whole = paces(*known, sources=sources[: len(known)])
    for (run, _), pace in zip(known, whole.without_its_group(lambda run: run.chip), strict=True):
        kept = [at for at, (other, _) in enumerate(known) if other.chip != run.chip]
        plain = paces(*(known[at] for at in kept), sources=[sources[at] for at in kept]).of(run)
        assert pace.share == pytest.approx(plain.share, rel=1e-6)
        assert pace.spread == pytest.approx(plain.spread, rel=1e-6)


def test_software_is_of_the_chips_time_or_the_newest_known():
    later, google = replace(RUN, year=2026.5), replace(RUN, maker="Google", year=2027.0)
    known = paces((RUN, 1.0), (later, 1.0), (google, 1.0))
    assert known.newest("NVIDIA") == 2026.5
    assert known.newest("Google") == known.newest("a maker of none of them") == 2027.0
    assert software_years(2022.5, newest=2026.0) == pytest.approx([2023.0, 2023.75, 2024.5, 2025.25, 2026.0])
    assert set(software_years(2026.0, newest=2026.5)) == {2026.5}


def test_a_run_of_no_date_has_the_middle_of_the_paces_that_it_may_have_and_a_wider_range():
    known = paces((RUN, 1.0), (replace(RUN, year=2026.5), 1.4))
    years = np.array([2024.0, 2025.0, 2026.0])
    each = [known.of(replace(RUN, year=float(year))) for year in years]
    whole = known.over(RUN, years=years)
    logs = np.log([pace.share for pace in each])
    assert np.log(whole.share) == pytest.approx(logs.mean())
    assert whole.spread**2 == pytest.approx(np.mean([pace.spread**2 for pace in each]) + logs.var())
    assert known.over(RUN, years=years[:1]).share == pytest.approx(each[0].share)


def test_a_stack_is_shared_with_runs_of_it_and_an_unknown_one_widens_the_range():
    fsdp = replace(RUN, stack="FSDP")
    here, there = likeness([fsdp], [fsdp, replace(fsdp, stack="Megatron")])[0]
    assert here - there == pytest.approx(SPREADS.stack**2)
    unknown, known = paces().of(RUN).spread, paces().of(fsdp).spread
    assert unknown == pytest.approx(known)
    assert paces((fsdp, 1.2)).of(RUN).spread > paces((fsdp, 1.2)).of(fsdp).spread


@given(run=TRAITS, other=TRAITS)
def test_a_run_is_as_fast_as_itself_and_a_gain_one_way_is_a_loss_the_other(*, run, other):
    known = paces((RUN, 1.2), (replace(RUN, year=2026.0), 1.5))
    assert known.ratio(run, to=run) == Pace(share=1.0, spread=0.0)
    there, back = known.ratio(run, to=other), known.ratio(other, to=run)
    assert there.share * back.share == pytest.approx(1.0)
    assert there.spread == pytest.approx(back.spread)
    assert there.spread <= paces().ratio(run, to=other).spread * (1 + 1e-9)
