import math
from io import BytesIO

import pandas as pd
import pytest

from analysis.cost_of_tokens.candidates import Work
from analysis.cost_of_tokens.list_prices import list_prices
from data import standing

ROW = {
    "row_id": "p99",
    "seller": "A seller",
    "seen_in": "2026",
    "model": "DeepSeek-V3",
    "input_million_tokens_usd": 0.3,
    "cached_million_tokens_usd": math.nan,
    "output_million_tokens_usd": 0.9,
    "valid_until": float("nan"),
}
WORK = Work(format_name="FP8", bits=8, prompt_tokens=3000.0, output_tokens=1000.0, cached_tokens=2000.0)


@pytest.mark.parametrize(
    ("changes", "usd"), [({}, 0.9 + 3 * 0.3), ({"cached_million_tokens_usd": 0.03}, 0.9 + 0.3 + 2 * 0.03)]
)
def test_a_work_pays_its_answers_its_prompts_and_its_cached_ones(*, changes, usd):
    (price,) = list_prices([{**ROW, **changes}], model="DeepSeek-V3")
    assert price.usd_per_million(WORK) == pytest.approx(usd)


def test_other_models_and_prices_of_the_past_are_left_out():
    rows = [ROW, {**ROW, "valid_until": "2025-02-08"}, {**ROW, "model": "Kimi K2"}]
    assert list_prices(rows, model="DeepSeek-V3") == list_prices([ROW], model="DeepSeek-V3")


def test_what_its_seller_retired_has_no_price_of_today():
    rows = pd.read_csv(BytesIO(standing.working()["token_prices"])).to_dict("records")
    assert {price.seller for price in list_prices(rows, model="DeepSeek-V3")} == {"DeepInfra"}
    assert list_prices(rows, model="Mixtral 8x7B") == ()
