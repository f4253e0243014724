"""What measurements say of the predictions, in sentences."""

from pathlib import Path

from data.records import serving_fit
from tests.views.placement.placed import result
from views.placement.checked import FIRST, METHOD, SECOND, blind_tests, how_checked
from views.placement.inputs import devices_fitted


def test_what_measurements_say_is_told_in_sentences():
    devices, accelerators, first, own = how_checked()
    covered = devices_fitted().decode.covered(0.9)
    assert f"{100 * covered.mean():.0f} % in their 90 % interval" in devices and "poorly known" in devices
    within = serving_fit()["full_load_errors"]["source"]["within_factor"]
    assert f"{100 * within:.0f} % of rows lie within a factor 1.5" in accelerators
    assert "median error is 30 %" in first and "joined the fit since" in own
    assert [devices, accelerators, first, own] == [*result().sure][-4:]


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
    one, two = (blind_tests("decode", tested_on=day)["all"] for day in (FIRST, SECOND))
    errors = f"{one['median_error_percent']:.0f} % and {two['median_error_percent']:.0f} %"
    assert (
        f"in two blind tests were off by {errors} (n = {one['n_rows']} and {two['n_rows']}, 2026-11)"
        in README
    )
