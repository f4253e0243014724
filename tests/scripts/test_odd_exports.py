"""Odd exports are odd in the way they say, and the same for a seed."""

import random

import pytest

from data import epoch
from scripts.odd_exports import ODD, TEXTS, odd_export

READERS = (epoch.models, epoch.hardware)
HARMLESS = {"a mark in front and other ends of lines", "old ends of lines", "cut off"}


@pytest.mark.parametrize("kind", sorted(TEXTS.keys() - HARMLESS))
def test_what_is_no_export_is_refused_by_its_reader(kind):
    place, content = odd_export(kind, random.Random(3))
    with pytest.raises(epoch.ExportError):
        READERS[place](content, file="own.csv")


def test_most_odd_rows_are_read_so_that_views_meet_them():
    read = 0
    for seed, kind in enumerate(sorted(ODD - TEXTS.keys())):
        place, content = odd_export(kind, random.Random(seed))
        try:
            read += len(READERS[place](content, file="own.csv").frame) > 0
        except epoch.ExportError:
            continue
    assert read > len(ODD - TEXTS.keys()) / 2
