"""A run spread over sites far apart: how long they wait for each other."""

from itertools import pairwise

import pytest

from data.releases import latest, load
from tests.views.training_run.answers import ask, columns, value
from views.training_run.inputs import inputs_of
from views.training_run.settings import TrainingRunSettings
from views.training_run.sites import LINKS_GBIT_PER_S, sites_exhibit


def exhibit(*, step_s=7.0, **settings):
    drawn = sites_exhibit(
        inputs_of(TrainingRunSettings(**settings), load(latest())), step_s=step_s, source=""
    )
    assert drawn is not None
    return drawn


def test_sites_far_apart_show_what_they_wait_and_one_site_does_not():
    apart = ask("sites=4&local_steps=50&wide_area=10")
    titles = [exhibit.chart.title for exhibit in apart.exhibits]
    (title,) = [title for title in titles if "sites that sync" in title]
    assert title.startswith("4 sites that sync every 50 steps over 10 Gbit/s spend ")
    assert not any("sites that sync" in exhibit.chart.title for exhibit in ask().exhibits)
    assert value(apart, "days") > value(ask(), "days")


def test_fewer_meetings_and_faster_links_always_wait_less():
    cells = columns(exhibit(sites=4))
    waits = [cells[f"waiting_at_{gbit}_gbit_per_s"] for gbit, _ in LINKS_GBIT_PER_S]
    for times in waits:
        assert list(times) == sorted(times, reverse=True) and 0 < times[-1] < times[0] < 1
    for slower, faster in pairwise(waits):
        assert all(a > b for a, b in zip(slower, faster, strict=True))


def test_two_sites_that_meet_at_every_step_wait_for_the_whole_weights():
    """A ring of two sends 2 (2 - 1) / 2 of 812 GB of 16-bit weights: 64.9 s at 100 Gbit/s beside a step of 7 s."""
    wait_s = 405.9e9 * 2 / (100e9 / 8)
    share = columns(exhibit(sites=2, step_s=7.0))["waiting_at_100_gbit_per_s"][0]
    assert share == pytest.approx(wait_s / (7.0 + wait_s), rel=0.001)


def test_a_single_meeting_step_is_named_in_the_singular():
    assert "sync every 1 step over 100 Gbit/s" in exhibit(sites=2, local_steps=1).chart.title
