import random

import pytest

from data import release_name

OLD_TO_NEW = ("2025-11", *(f"2026-07{correction}" for correction in ("", ".1", ".2", ".10")))
OLD_TO_NEW += ("2026-07-18", "2026-07-18.1", "2026-08")


def test_corrections_sort_by_number_after_what_they_correct():
    shuffled = list(OLD_TO_NEW)
    random.Random(1).shuffle(shuffled)
    assert tuple(sorted(shuffled, key=release_name.order)) == OLD_TO_NEW


@pytest.mark.parametrize(
    "name", ["2026", "2026-13", "2026-07.", "2026-07.0", "2026-07.01", "2026-07-18.1.1", "..", "٢٠٢٦-07"]
)
def test_what_is_no_name_is_refused(name):
    assert not release_name.is_name(name)
    words = "is no name of a release; one is a month or a day such as 2026-07-18"
    with pytest.raises(ValueError, match=words):
        release_name.order(name)


def test_the_next_correction_is_one_more_than_the_last_of_the_same_release():
    assert release_name.next_correction("2026-07", ("2025-11", "2026-07")) == "2026-07.1"
    assert release_name.next_correction("2026-07.1", OLD_TO_NEW) == "2026-07.11"
    assert release_name.next_correction("2026-07-18", OLD_TO_NEW) == "2026-07-18.2"


def test_a_release_is_read_beside_the_last_correction_of_each_other_one():
    each_newest = ("2025-11", "2026-07.10", "2026-07-18.1", "2026-08", "2026-10")
    assert release_name.beside("2026-10", OLD_TO_NEW) == each_newest
    assert release_name.beside("2025-11.1", ("2025-11", "2026-07")) == ("2025-11.1", "2026-07")
