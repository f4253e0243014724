from analysis.trend.rule_spread import SpreadRow
from charts.chart import BarChart
from views.trend import rates

ROWS = (
    SpreadRow(label="Memory", yearly_growth=1.28, low=1.2, high=1.4, n=100),
    SpreadRow(label="Compute", yearly_growth=0.9, low=0.7, high=1.1, n=9),
)


def exhibit():
    return rates.rates_exhibit(
        ROWS,
        title="Memory lags",
        subtitle="Growth a year.",
        emphasised=ROWS[0],
        roles={"Memory": "memory", "Compute": "compute"},
        source="Made up.",
        first_column="Quantity",
    )


def test_rates_stand_as_bars_from_no_growth_with_their_intervals():
    chart = exhibit().chart
    assert isinstance(chart, BarChart)
    first, second = chart.bars
    assert (first.text, first.role, first.emphasised) == ("1.28×, n = 100", "memory", True)
    assert (second.low, second.high, second.emphasised) == (0.7, 1.1, False)
    assert chart.base == 1.0
    assert chart.x.low < 0.7 and chart.x.high > 1.4


def test_the_table_beside_the_bars_holds_the_same_numbers():
    table = exhibit().table
    assert [column.name for column in table.columns] == ["quantity", "yearly_growth", "low", "high", "n"]
    assert table.rows == (("Memory", 1.28, 1.2, 1.4, 100), ("Compute", 0.9, 0.7, 1.1, 9))


def test_the_alt_text_states_the_finding_and_the_emphasised_rate():
    assert exhibit().chart.alt == "Memory lags; Memory: 1.28× a year."
