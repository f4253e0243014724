"""Accuracy of the predictions: errors on held-out devices and sources, and blind tests."""

from statistics import fmean, median

from analysis.measured.held_out import error_percent
from data.by_release import kept_by_release
from data.records import blind_tests, serving_fit
from views import wording, written
from views.placement.amounts import CLASS_WORDS
from views.placement.inputs import devices_fitted

WORDS = {**CLASS_WORDS, "datacenter_gpu": "data-centre GPU", "workstation": "desk workstation"}


def class_words(device_class: str, backend: str) -> str:
    """Return a device class's name, with its backend unless that is obvious."""
    word = wording.sentence_case(WORDS.get(device_class, device_class))
    usual = device_class.endswith("gpu") or (device_class == "edge_server" and backend == "GPU")
    return word if usual else f"{word}, {backend}"


@kept_by_release()
def how_checked() -> tuple[str, ...]:
    """Return one or two sentences on each test of the predictions' accuracy."""
    fitted, within = devices_fitted(), serving_fit()["full_load_within_factor"]
    numbers = {
        **{f"inside_{level}": 100 * fmean(fitted.decode.covered(level / 100)) for level in (80, 90)},
        "ours_within": 100 * within["source"],
        "rule_within": 100 * within["bandwidth"],
        "reading": f"{wording.significant(median(abs(error_percent(fitted.prefill.residual))))}%",
        "test": blind_tests("decode")["all"],
    }
    return tuple(text.format(**numbers) for text in written.paragraphs(__file__, name="how_checked.md"))
