"""How /training-run says it makes its numbers: the constants and errors in words are those that are used."""

import re
from dataclasses import replace

import pytest

from analysis.model_errors.of_training import without_sources
from analysis.training_run.device_memory import USABLE_SHARE
from analysis.training_run.layer_time import SUSTAINED
from analysis.training_run.pace import EIGHT_IN_TEN, Traits
from analysis.training_run.published import error_of_all, left_out
from data.releases import latest
from views.training_run.measured import errors, paces, published_runs, runs_set_on, unpaced_runs
from views.training_run.view import VIEW
from views.training_run.words import percent

METHOD = VIEW.method


def test_the_method_tells_the_errors_as_they_are():
    text = " ".join(METHOD)
    everything = error_of_all(published_runs(latest()))
    assert f"On the {everything.runs} others at hand" in text
    assert f"median error of the speed is {percent(everything.size)};" in text
    far = [abs(rate.error) > 0.2 for rate in published_runs(latest()) if rate.held_out]
    assert sum(far) / len(far) == pytest.approx(1 / 13, abs=0.005)
    assert f"of those {everything.runs} it held {percent(everything.held)}" in text
    of_model, on_chip = (
        error_of_all(left_out(unpaced_runs(latest()), groups=groups)).size
        for groups in (lambda run: (run.shape,), lambda run: (run.chip,))
    )
    assert f"its model it is {percent(of_model)}, without all on its chip {percent(on_chip)}" in text
    of_source = error_of_all(without_sources(unpaced_runs(latest()))).size
    assert f"without its whole source {percent(of_source)}" in text
    by_kind = re.search(r"By kind: (.*?)\.\s+The time's", text)
    assert by_kind
    assert re.findall(r"[\d.]+ %", by_kind[1]) == [percent(error.size) for error in errors(latest()).values()]


def test_the_constants_in_words_are_those_that_are_computed_with():
    text = METHOD[0]
    assert (
        f"times {SUSTAINED.matmul:g}, plus the bytes they move at {SUSTAINED.memory:.0%}".replace("%", " %")
        in text
    )
    assert SUSTAINED.expert_launch_s == 0.25e-3 and "costs a quarter of a millisecond" in text
    assert SUSTAINED.fused_attention == 0.5 and "fused attention at half the measured rate" in text
    assert f"at {100 * SUSTAINED.fused_attention_before_hopper:.0f} % on chips from before Hopper" in text
    assert (
        f"reach {100 * SUSTAINED.link:.0f} % of the chip link and {100 * SUSTAINED.network:.0f} % of the network"
        in text
    )
    assert f"does not fit in {100 * USABLE_SHARE:.0f} % of memory" in " ".join(METHOD)


def test_the_runs_that_constants_were_set_on_are_counted_as_they_are():
    used = len(runs_set_on(latest())) + sum(not rate.held_out for rate in published_runs(latest()))
    assert f"Constants were set on {used} published runs" in " ".join(METHOD)


def test_what_newer_software_gains_is_told_as_it_is():
    known, text = paces(latest()), " ".join(METHOD)
    for mixture, words in ((False, "a dense model {} times as fast"), (True, "a mixture {} times")):
        run = Traits(
            maker="NVIDIA", kind="H100", chip="H100", shape="", mixture=mixture, precision="fp16", year=2024.5
        )
        gain = known.ratio(replace(run, year=2026.5), to=run)
        low, high = gain.bounds(EIGHT_IN_TEN)
        assert words.format(f"{gain.share:.2f}") in text
        assert f"{low:.2f} to {high:.2f})" in text
