"""What measurements say of the predictions, in sentences."""

from data.records import serving_fit
from tests.views.placement.placed import result
from views.placement.checked import how_checked
from views.placement.inputs import devices_fitted


def test_what_measurements_say_is_told_in_sentences():
    devices, accelerators, own = how_checked()
    covered = devices_fitted().decode.covered(0.9)
    assert f"cover {100 * covered.mean():.0f}% of decode" in devices and "speeds is 29%" in devices
    within = serving_fit()["full_load_within_factor"]["source"]
    assert f"{100 * within:.0f}% of predicted throughputs are within a factor of 1.5" in accelerators
    assert "In a blind test" in own and [devices, accelerators, own] == [*result().sure][-3:]
