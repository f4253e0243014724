"""Places side by side keep their columns together and refuse what is no place."""

import pytest

from analysis.placement.places import Places
from tests.analysis.placement.questions import COLUMNS


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
