"""Growth of devices is that of products that follow one another."""

import numpy as np
import pytest

from analysis.placement.device_trends import device_slopes
from analysis.trend.calendar_year import decimal_year
from data import standing


def test_growth_of_devices_is_that_within_product_lines():
    table = standing.table("edge_devices")
    rows = table.loc[(table["device_class"] == "laptop") & (table["product_line"] != "")]
    rows = rows.loc[(rows["memory_capacity_byte"] > 0) & rows["released_on"].notna()]
    lines = [line for _, line in rows.groupby("product_line") if line["released_on"].nunique() > 1]
    assert {line["product_line"].iloc[0] for line in lines} >= {"Apple M", "Apple M Pro", "Apple M Max"}
    year = np.concatenate([decimal_year(line["released_on"]) for line in lines])
    own = np.concatenate([np.full(len(line), at) for at, line in enumerate(lines)])
    log10 = np.log10(np.concatenate([line["memory_capacity_byte"].to_numpy(float) for line in lines]))
    each = (own[:, None] == np.arange(len(lines))).astype(float)  # a level for every line, one slope for all
    slope = np.linalg.lstsq(np.column_stack([year, each]), log10, rcond=None)[0][0]
    assert device_slopes(table)["laptop"]["capacity"].middle == pytest.approx(slope, abs=1e-9)
    assert slope < np.polyfit(year, log10, 1)[0]


def test_a_product_line_has_products_of_two_dates_or_more():
    table = standing.table("edge_devices")
    table = table.loc[table["product_line"] != ""]
    dates = table.groupby(["device_class", "product_line"])["released_on"].nunique()
    assert len(dates) > 15 and (dates > 1).all()
