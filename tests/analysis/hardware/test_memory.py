import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.hardware.memory import USABLE_SHARE, activations_byte, usable_memory_byte


def test_phones_and_shared_memory_keep_a_part_for_the_system():
    assert usable_memory_byte(16e9, device_class="phone") == pytest.approx(8 * 2**30)
    assert usable_memory_byte(24e9, device_class="desktop_gpu") == pytest.approx(22.8 * 2**30)


@given(
    capacity=st.floats(1e9, 1e12), device_class=st.sampled_from([*USABLE_SHARE, "datacenter_gpu", "toaster"])
)
def test_a_part_of_every_memory_is_usable_and_never_all_of_its_binary_gigabytes(capacity, device_class):
    usable = usable_memory_byte(capacity, device_class=device_class)
    assert 0.5 * capacity < usable < capacity * 2**30 / 1e9


def test_activations_take_twenty_bytes_for_each_token_and_hidden_unit():
    assert activations_byte(hidden_size=4096, tokens_at_once=512) == 20 * 4096 * 512
    grown = activations_byte(hidden_size=np.array([1.0, 2.0]), tokens_at_once=np.array([[1.0], [3.0]]))
    assert grown.tolist() == [[20, 40], [60, 120]]
