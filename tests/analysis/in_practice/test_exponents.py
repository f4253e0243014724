import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.in_practice.exponents import exponents
from analysis.in_practice.pairs import Measurements, Pairs, pairs_of

BYTE, FLOP = np.exp(np.random.default_rng(1).normal(size=(2, 12)))


def measured(chips, *, byte, flop, speed, works: int = 1) -> Pairs:
    """Return the pairs of chips that did the same works, each work with a speed of its own."""
    count = len(chips)
    of_work = np.repeat(np.arange(works), count)
    return pairs_of(
        Measurements(
            work=tuple(f"w{work}" for work in of_work),
            chip=tuple(chips) * works,
            model=("m",) * count * works,
            precision=("",) * count * works,
            speed=np.tile(speed, works) * (1.0 + of_work),
            bandwidth_byte_per_s=np.tile(byte, works),
            flop_per_s=np.tile(flop, works),
            released_year=np.zeros(count * works),
        )
    )


def made(bandwidth: float, flop: float, *, chips: int = 12, works: int = 5, noise: float = 0.0) -> Pairs:
    """Return pairs of chips whose speed goes with so high powers of bandwidth and FLOP/s, each chip off by noise."""
    own = noise * np.random.default_rng(7).normal(size=chips)
    names = [f"c{chip:02d}" for chip in range(chips)]
    speed = BYTE[:chips] ** bandwidth * FLOP[:chips] ** flop * np.exp(own)
    return measured(names, byte=BYTE[:chips], flop=FLOP[:chips], speed=speed, works=works)


@given(st.floats(-0.5, 1.5), st.floats(-0.5, 1.5))
def test_powers_are_found_again(bandwidth: float, flop: float):
    result = exponents(made(bandwidth, flop))
    assert result.bandwidth and result.flop and result.lead
    assert result.bandwidth.value == pytest.approx(bandwidth, abs=1e-9)
    assert result.flop.value == pytest.approx(flop, abs=1e-9)
    assert result.lead.value == pytest.approx(bandwidth - flop, abs=1e-9)


def test_a_speed_that_is_the_ratio_misses_by_nothing():
    result = exponents(made(1.0, 0.0))
    assert result.bandwidth_off.value == pytest.approx(1.0)
    assert result.flop_off.value > 1.5
    assert result.off_ratio.value == pytest.approx(result.flop_off.value)


def test_intervals_hold_the_truth_about_as_often_as_they_say():
    """Twelve chips each off by itself: 90 % intervals of 300 draws hold the truth in 84 to 97 %."""
    held = 0
    for draw in range(300):
        random = np.random.default_rng(draw)
        byte, flop = np.exp(random.normal(size=(2, 12)))
        speed = byte**0.7 * flop**0.1 * np.exp(0.3 * random.normal(size=12))
        one = exponents(measured([f"c{chip}" for chip in range(12)], byte=byte, flop=flop, speed=speed))
        assert one.bandwidth
        held += one.bandwidth.low <= 0.7 <= one.bandwidth.high
    assert 0.84 <= held / 300 <= 0.97


def without(pairs: Pairs, chip: str) -> Pairs:
    """Return the pairs that a chip has no part in."""
    return pairs.at(np.array([chip not in both for both in zip(pairs.first, pairs.second, strict=True)]))


def test_leaving_a_chip_out_is_fitting_without_it():
    pairs = made(0.7, 0.1, noise=0.2)
    result = exponents(pairs)
    chip = pairs.chips[3]
    fewer = exponents(without(pairs, chip))
    assert fewer.bandwidth and fewer.flop
    assert result.without[chip] == pytest.approx((fewer.bandwidth.value, fewer.flop.value))


def test_four_chips_have_no_power_and_no_interval():
    result = exponents(made(0.7, 0.1, chips=4))
    assert result.bandwidth is result.flop is result.lead is None
    assert math.isnan(result.bandwidth_off.low)
    assert result.without == {}


def test_powers_are_found_again_whatever_makers_differ_by():
    """Half of the chips are another maker's, thrice as fast, with less bandwidth and more FLOP/s on the data sheet."""
    second = {f"c{chip:02d}": "B" if chip % 2 else "A" for chip in range(12)}
    pairs = made(0.7, 0.1)
    factor = {"A": 1.0, "B": 3.0}
    both = zip(pairs.first, pairs.second, strict=True)
    tripled = pairs.speed_up * [factor[second[to]] / factor[second[at]] for at, to in both]
    pairs = Pairs(**{**vars(pairs), "speed_up": tripled})
    result, blind = exponents(pairs, maker_of=second), exponents(pairs)
    assert result.bandwidth and result.flop and blind.flop
    assert (result.bandwidth.value, result.flop.value) == pytest.approx((0.7, 0.1))
    assert result.n_makers == 2
    assert abs(blind.flop.value - 0.1) > 0.05


def test_chips_of_a_maker_alone_say_nothing_of_powers():
    """A maker with a single chip adds a factor and a difference: the powers and their interval stay."""
    pairs = made(0.7, 0.1, noise=0.2)
    alone = exponents(pairs, maker_of={"c11": "B"})
    fewer = exponents(without(pairs, "c11"))
    assert alone.bandwidth and alone.flop and fewer.bandwidth and fewer.flop
    of_few = (fewer.bandwidth.value, fewer.flop.value)
    assert (alone.bandwidth.value, alone.flop.value) == pytest.approx(of_few)


def test_two_numbers_that_go_together_are_not_told_apart():
    pairs = made(0.7, 0.1)
    alike = Pairs(**{**vars(pairs), "flop_ratio": pairs.bandwidth_ratio**2})
    result = exponents(alike)
    assert result.bandwidth is None
    assert result.correlation == pytest.approx(1.0)


def test_no_pair_is_refused_and_so_is_a_level_that_is_none():
    pairs = made(0.7, 0.1, chips=5)
    with pytest.raises(ValueError, match="exponents need a pair of chips that did the same work; there is"):
        exponents(pairs.at(np.zeros(len(pairs), dtype=bool)))
    with pytest.raises(ValueError, match=r"strictly between 0 and 1; got 90\. For 90% pass 0\.9"):
        exponents(pairs, level=90)


def test_what_an_interval_cannot_be_below_ends_it():
    result = exponents(made(1.0, 0.0, noise=0.02))
    assert result.bandwidth_off.low >= 1.0
