import re
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from analysis.placement.places import HardwareGrowth, Places
from analysis.placement.setup import set_up
from tests.analysis.placement.questions import (
    CLOUD,
    COLUMNS,
    OWNED,
    PERSONAL,
    PHONE,
    PLACES,
    a_question,
    a_work,
)
from tests.analysis.refusals import refusals


def test_a_part_of_the_places_keeps_their_work_draws_and_growth():
    count = len(PLACES)
    middle, drawn = np.arange(count) + 1.0, np.arange(count)[:, None] + np.ones(200)
    each = HardwareGrowth(**{name: drawn for name in vars(HardwareGrowth())})
    question = a_question(growth=HardwareGrowth(bandwidth=middle), drawn_growth=each)
    keep = np.isin(np.arange(count), [PHONE, CLOUD])
    some = question.at(keep)
    assert some.places.name == ("a phone", "a cloud")
    assert np.array_equal(some.speed_draws.step, question.speed_draws.step[keep])
    assert np.array_equal(some.growth.bandwidth, middle[keep])
    assert some.drawn_growth is not None and np.array_equal(some.drawn_growth.price, drawn[keep])
    assert np.array_equal(some.rented, [False, True]) and np.array_equal(some.phones, [True, False])


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "required_probability is above 0 and up to 1; got 0. Divide":
            lambda: replace(a_question(), required_probability=0.0),
        "speed_draws holds draws for each of 2 places; got 6. Draw it for these":
            lambda: replace(a_question(), places=PLACES.at(PERSONAL)),
        re.compile(r"^every column of places has one entry per place; got .*power_w 5.*Fill in the rest\.$"):
            lambda: Places(**{**COLUMNS, "power_w": COLUMNS["power_w"][:5]}),
        re.compile(r"^a place is personal, owned, rented; got lent\. Choose one of these\.$"):
            lambda: Places(**{**COLUMNS, "kind": ("lent", *COLUMNS["kind"][1:])}),
    }
)  # fmt: skip


@given(share=st.floats(0.0, 1.0), load=st.floats(2e5, 1e7))
def test_machines_in_the_house_are_charged_whole(share, load):
    question = a_question(a_work(requests_per_day=load), OWNED)
    part, whole = (set_up(question.under(share=of)) for of in (share, 1.0))
    assert np.any(whole.machines > 1)
    assert np.array_equal(part.fixed_usd, whole.fixed_usd)


def test_a_persons_share_is_charged_of_everybodys_device():
    half, whole, free = (set_up(a_question(keep=PERSONAL).under(share=of)) for of in (0.5, 1.0, 0.0))
    assert np.allclose(half.fixed_usd, 0.5 * whole.fixed_usd)
    assert np.all(free.fixed_usd == 0)


def test_places_are_made_of_rows():
    rows = [{name: column[at] for name, column in COLUMNS.items()} for at in range(len(PLACES))]
    for name, column in vars(Places.from_rows(rows)).items():
        np.testing.assert_array_equal(column, COLUMNS[name])
    assert len(Places.from_rows([])) == 0
