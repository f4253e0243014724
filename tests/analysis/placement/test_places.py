"""Places side by side keep their columns together and refuse what is no place."""

import numpy as np
import pytest

from analysis.placement.places import Places
from tests.analysis.placement.questions import COLUMNS, PLACES


def test_columns_of_unequal_length_are_refused():
    with pytest.raises(
        ValueError, match=r"^every column of places has one entry per place; got .*power_w 5"
    ) as refused:
        Places(**{**COLUMNS, "power_w": COLUMNS["power_w"][:5]})
    assert str(refused.value).endswith("Fill in the rest.")


def test_kinds_nobody_knows_are_refused():
    with pytest.raises(
        ValueError, match=r"^a place is personal, owned, rented; got lent\. Choose one of these\.$"
    ):
        Places(**{**COLUMNS, "kind": ("lent", *COLUMNS["kind"][1:])})


def test_places_say_how_many_they_are_and_keep_their_columns_together():
    some = PLACES.at(np.array([True, False, False, False, True, False]))
    assert len(some) == 2
    assert some.name == ("a phone", "a cloud")
    assert np.array_equal(some.power_w, [5.0, 700.0])
    assert np.array_equal(some.is_kind("rented"), [False, True])
