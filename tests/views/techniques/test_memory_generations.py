"""What follows a memory is that of the standing table; where nothing follows, nothing gets faster."""

import pytest

from views.techniques.memory_generations import next_memory


@pytest.mark.parametrize(
    ("kind", "following", "step"),
    [
        ("HBM2e", "HBM3", 819 / 461),
        ("HBM3", "HBM3e", 1229 / 819),
        ("HBM3e", "HBM4", 2048 / 1229),
        ("DDR5", "MRDIMM-8800", 8800 / 6400),
    ],
)
def test_a_memory_is_followed_by_the_next_of_its_line(*, kind, following, step):
    """JEDEC JESD235D, JESD238, JESD270-4, one stack; DDR5 modules at their data rates."""
    assert next_memory(kind) == (following, step)


@pytest.mark.parametrize("kind", ["HBM4", "SRAM", "MRDIMM-8800", ""])
def test_what_nothing_follows_stays_as_fast(kind):
    assert next_memory(kind) == ("", 1.0)
