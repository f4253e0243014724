"""The links that the programs and the reader of the benchmark ask for are what they are said to be."""

import random

import pytest

from benchmarks.admission import dear, ordinary
from views.registry import VIEWS
from views.view import link, read


@pytest.mark.parametrize("is_dear", [True, False])
def test_the_links_are_valid_different_and_in_the_queue_they_are_meant_for(is_dear):
    chance = random.Random(0)
    asked = [dear(number) if is_dear else ordinary(chance) for number in range(30)]
    canonical = set()
    for text in asked:
        path, _, query = text.partition("?")
        view = VIEWS[path.removesuffix(".json").removesuffix(".panel")]
        settings, ignored = read(view, query)
        assert not ignored
        assert view.dear(settings) is is_dear
        canonical.add(link(view, settings))
    assert len(canonical) == len(set(asked)) > 25
