"""The blind test is quoted as its table has it, on the page and in the README."""

from pathlib import Path

import numpy as np
import pytest

from views.placement.method import FIRST, METHOD, blind_test, median_error

DECODE = blind_test("decode")
FIRST_DECODE, FIRST_PREFILL = (blind_test(name, tested_on=FIRST) for name in ("decode", "prefill"))
README = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")


def test_the_page_and_the_readme_quote_its_errors():
    first, second = (line for line in METHOD if line.startswith("A blind test"))
    assert first.startswith(
        "A blind test of 2026-11-21: 98 published speeds of one user on 25 devices, 23 of their chips unknown"
    )
    assert (
        "median error of decode was 12 % (dense models 11 %, mixtures 23 %; laptop GPUs 4 %, desktop GPUs 17 %)"
        in first
    )
    assert "with 76 % of rows inside the 90 % interval; of prefill, on 35 rows, 54 %." in first
    assert "201 speeds on 24 devices, 8 of them unknown. The median error of decode was 12 %" in second
    assert "processors of phones 118 %), with 83 % inside; of prefill, on 23 rows, 92 %" in second
    told = f"{median_error('all', tested_on=FIRST)} and {median_error('all')}"
    assert (
        f"in two blind tests were off by {told} (n = {FIRST_DECODE.rows} and {DECODE.rows}, 2026-11)"
        in README
    )


def test_what_was_not_counted_is_zero_or_unknown():
    mixtures = blind_test("decode", "mixtures", tested_on=FIRST)
    assert mixtures.rows == mixtures.devices == FIRST_PREFILL.devices == 0
    assert np.isnan(mixtures.inside_90_percent)
    assert DECODE.unknown_devices < DECODE.devices < DECODE.rows


def test_a_subset_that_was_not_tested_is_refused():
    with pytest.raises(LookupError, match="no blind test of prefill on phones of 2026-11-22"):
        blind_test("prefill", "phones")
