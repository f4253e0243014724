import threading

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.shelf import TableSet
from views.lazy_sequence import LazySequence
from views.store import GROWS_TO, MEASURED_EVERY, Store, byte_of


def test_what_was_used_longest_ago_goes_first():
    store: Store[str] = Store(30)
    for key in "abc":
        store.put(key, key, byte=10)
    assert store.get("a") == "a"
    store.put("d", "d", byte=10)
    assert [store.get(key) for key in "abcd"] == ["a", None, "c", "d"]
    assert (store.hits, store.misses) == (4, 1)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 80)), max_size=60))
def test_no_more_is_kept_than_the_bound(pairs):
    store: Store[int] = Store(100)
    for key, byte in pairs:
        store.put(key, byte, byte=byte)
        assert store.kept_byte <= store.keep_byte == 100


def test_what_alone_is_too_large_is_not_kept_and_drops_nothing():
    store: Store[str] = Store(30)
    store.put("small", "small", byte=10)
    store.put("large", "large", byte=31)
    assert store.get("large") is None
    assert store.get("small") == "small"


def test_things_of_a_kind_are_charged_by_the_largest_measured():
    store: Store[bytes] = Store(10**9)
    sizes = [1000] * MEASURED_EVERY + [50_000] + [1000] * 3
    for key, size in enumerate(sizes):
        store.get_or_compute(key, lambda size=size: bytes(size), kind="file")
    small, large = (GROWS_TO * byte_of(bytes(size)) for size in (1000, 50_000))
    assert store.kept_byte == pytest.approx(MEASURED_EVERY * small + 4 * large)


def test_what_is_kept_is_made_once_and_made_again_once_let_go():
    store: Store[list[int]] = Store(10**6)
    made = [store.get_or_compute("key", lambda: [1], kind="list") for _ in range(3)]
    assert made[0] is made[1] is made[2]
    store.clear()
    assert store.get_or_compute("key", lambda: [1], kind="list") is not made[0]
    assert store.kept_byte > 0


def test_an_array_counts_with_what_it_is_a_part_of_and_once():
    whole = np.zeros(100_000)
    part = whole[:10]
    assert byte_of(part) == pytest.approx(whole.nbytes, rel=0.01)
    assert byte_of([whole, part, whole]) == pytest.approx(whole.nbytes, rel=0.01)


def test_what_a_function_still_to_be_called_holds_is_counted():
    draws = np.zeros(100_000)
    rest = LazySequence(lambda: (float(draws.sum()),))
    assert byte_of(rest, shared=(TableSet,)) > draws.nbytes
    assert list(rest) == [0.0]
    assert byte_of(rest, shared=(TableSet,)) < 10_000


def test_what_all_share_and_modules_do_not_count():
    class Shared:
        def __init__(self) -> None:
            self.rows = np.zeros(100_000)

    assert byte_of([Shared()], shared=(Shared,)) < 1000
    assert byte_of([np, threading, byte_of]) < 2000


def test_many_threads_keep_the_bound():
    store: Store[int] = Store(1000)

    def work(start: int) -> None:
        for key in range(start, start + 300):
            store.put(key % 97, key, byte=25)
            store.get(key % 89)

    threads = [threading.Thread(target=work, args=(start,)) for start in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.kept_byte == 1000


def test_a_table_is_counted_once():
    frame = pd.DataFrame({"one": np.zeros(10_000), "other": np.ones(10_000)})
    assert byte_of(frame) == pytest.approx(frame.memory_usage(deep=True).sum(), rel=0.05)
