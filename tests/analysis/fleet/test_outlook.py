import numpy as np
import pytest

from analysis.fleet import DrawnSeries
from analysis.fleet.outlook import Range, by_power, by_supply, by_trend

ENDS = np.arange(2022.25, 2026.01, 0.25)


def shipped(factor=3.0, draws=50):
    return DrawnSeries(end_year=ENDS, total=np.tile(factor ** (ENDS - 2026), (draws, 1)))


def test_shipments_that_grow_steadily_go_on_so_from_every_window():
    """The sum of a geometric series, by hand."""
    result = by_trend(shipped(), fitted=dict.fromkeys((2022, 2023, 2024), shipped()), until=2030)
    quarters = np.arange(2022.25, 2031.01, 0.25)
    assert result.middle()[-1] == pytest.approx((3.0 ** (quarters - 2026)).sum())
    assert result.total[:, -1] == pytest.approx(result.middle()[-1])


def test_a_maker_that_joins_adds_its_chips_and_not_its_joining():
    """Two vendors grow alike, one counted from 2024 on: all go on as either grew, from the sum of both."""
    late = np.where(ENDS > 2024, shipped().total, 0.0)
    both = DrawnSeries(end_year=ENDS, total=shipped().total + late)
    result = by_trend(both, fitted={2023: shipped(), 2024: both}, until=2030)
    ahead = np.arange(2026.25, 2031.01, 0.25)
    assert result.middle()[-1] == pytest.approx(both.middle().sum() + 2 * (3.0 ** (ahead - 2026)).sum())


def test_retired_chips_are_not_counted_later_either():
    result = by_trend(shipped(), fitted={2023: shipped()}, until=2030, retired_after_years=1)
    assert result.middle()[-1] == pytest.approx((3.0 ** np.array([4.25, 4.5, 4.75, 5.0])).sum())


def test_a_trend_of_two_quarters_is_none():
    with pytest.raises(
        ValueError, match=r"needs three quarters or more; since 2025\.5 there are 2\. Begin earlier"
    ):
        by_trend(shipped(), fitted={2025.5: shipped()}, until=2030)  # type: ignore[dict-item]


def test_more_supply_and_more_offered_for_it_never_give_less():
    def end(supply, offered):
        growth = Range(low=supply, high=supply), Range(low=offered, high=offered)
        later = by_supply(shipped(), supply_growth=growth[0], offered_growth=growth[1], until=2030)
        return later.middle()[-1]
        return by_supply(shipped(), **growth, until=2030).middle()[-1]

    assert end(1.2, 1.0) < end(1.3, 1.0) < end(1.3, 1.2)
    assert end(1.3, 1.2) == pytest.approx(end(1.2, 1.3))


def test_power_times_efficiency_is_reached_in_the_last_year():
    fleet = shipped()
    efficiency = Range(low=1.2, high=1.2)
    result = by_power(fleet, power=Range(low=4, high=4), efficiency_growth=efficiency, until=2030, years=5)
    assert result.middle()[-1] == pytest.approx(fleet.middle()[-1] * 4 * 1.2**5)


def test_a_range_is_drawn_within_its_ends_from_its_middle_on():
    drawn = Range(low=3, high=12).drawn(np.random.default_rng(0), draws=500)
    assert drawn[0] == pytest.approx(6)
    assert 3 <= drawn.min() < 3.2 and 11.5 < drawn.max() <= 12


@pytest.mark.parametrize(("low", "high"), [(0, 1), (2, 1), (-1, 3)])
def test_a_range_out_of_order_is_refused(*, low, high):
    with pytest.raises(ValueError, match="a low end above nothing to a high end of at least that"):
        Range(low=low, high=high)
