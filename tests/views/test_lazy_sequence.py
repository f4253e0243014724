import threading
from concurrent.futures import CancelledError
from threading import Thread

import pytest

from data.releases import latest, load
from views.compute_pool import ComputePool
from views.lazy_sequence import LazySequence
from views.registry import VIEWS

LAZY = "/growth-gap /training-run /training-compute /accelerators /compute-to-memory /growth-accounting"


def counted(*items):
    made = []

    def make():
        for item in items:
            made.append(item)
            yield item

    return LazySequence(make), made


def test_nothing_is_made_before_it_is_read_and_nothing_twice():
    row, made = counted("a", "b", "c")
    assert made == []
    assert row[0] == "a" and made == ["a"]
    assert next(iter(row)) == "a" and made == ["a"]
    assert row[1] == "b" and made == ["a", "b"]
    assert list(row) == list(row) == ["a", "b", "c"]
    assert made == ["a", "b", "c"]


def test_it_reads_like_a_tuple_without_gaps():
    row, _ = counted("a", "b", "c")
    assert len(row) == 3
    assert row[-1] == "c" and row[1:] == ("b", "c")
    assert row == ("a", "b", "c") and row != ("a", "b") and row != "abc"
    assert row == LazySequence(lambda: "abc")
    assert "b" in row and row.index("c") == 2
    assert not LazySequence(tuple) and row
    assert LazySequence(tuple) == ()
    row, _ = counted(None, "a", None, "b", None)
    assert tuple(row) == ("a", "b")


def test_a_place_beyond_the_last_says_how_many_there_are():
    row, _ = counted("a")
    with pytest.raises(IndexError, match=r"there are 1 items; got the place 1\."):
        row[1]


def test_an_item_that_cannot_be_made_raises_whenever_it_is_read():
    def make():
        yield "a"
        raise ValueError("no such chart")

    row = LazySequence(make)
    for _ in range(2):
        assert row[0] == "a"
        with pytest.raises(ValueError, match="no such chart"):
            row[1]
        with pytest.raises(ValueError, match="no such chart"):
            len(row)


def test_many_readers_at_once_see_the_same_items_made_once():
    row, made = counted(*range(200))
    seen = []
    threads = [Thread(target=lambda: seen.append(list(row))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [list(range(200))] * 8
    assert made == list(range(200))


@pytest.mark.parametrize("path", LAZY.split())
def test_headline_and_figures_of_a_view_are_there_before_any_chart_is_made(path):
    result = VIEWS[path].build(VIEWS[path].settings(release=latest()), load(latest()))
    assert result.headline and result.figures
    assert repr(result.exhibits) == "LazySequence(...)"


def test_exhibits_nobody_waits_for_any_more_are_not_made_and_come_when_asked_for_again():
    pool, made, go, began = ComputePool(threads=1), [], threading.Event(), threading.Event()

    def exhibits():
        for name in ("first", "second"):
            made.append(name)
            if name == "first":
                began.set()
                assert go.wait(10)
            yield name

    items = LazySequence(exhibits)
    job = pool.order("key", lambda: tuple(items))
    assert began.wait(10)
    pool.leave(job)
    go.set()
    with pytest.raises(CancelledError):
        job.future.result(timeout=10)
    assert made == ["first"]
    assert tuple(items) == ("first", "second")
