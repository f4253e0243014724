"""How many years of hardware a technique is worth: the answer as a whole."""

import math
from functools import partial
from typing import Any

import pytest

from analysis.techniques.catalogue import (
    ACTIVE_EXPERTS,
    ADAPTER_SHARE,
    DRAFT_TOKENS,
    EXPERTS,
    GROUPS,
    REQUESTS,
    TECHNIQUES,
)
from analysis.techniques.worth import HardwareYear, worth
from charts.chart import BarChart
from data import standing
from data.releases import latest, load
from tests.views.reading import answer_to, columns, value
from views.techniques import inputs
from views.techniques.inputs import Effects, growth_of, next_memory, setup_of
from views.techniques.settings import EVIDENCE, TechniquesSettings
from views.techniques.view import VIEW
from views.techniques.words import change_words, ends_words, time_words

ask = partial(answer_to, VIEW)


def test_two_techniques_for_the_same_part_are_not_taken_together():
    result = ask("technique=fp8-weights&second=int4-weights")
    assert result.ignored[0].setting == "second"
    assert "which fixes the same part" in result.ignored[0].allowed
    assert ask("second=fp8-weights").ignored[0].setting == "second"


def test_the_years_are_the_logarithm_of_the_saving_over_that_of_the_growth():
    result = ask()
    saving, growth, years = (result.figure(name) for name in ("saving", "yearly_growth", "years"))
    assert saving.value and growth.value and growth.low and growth.high
    assert years.value == pytest.approx(math.log(saving.value) / math.log(growth.value))
    assert years.low == pytest.approx(math.log(saving.value) / math.log(growth.high))
    assert years.high == pytest.approx(math.log(saving.value) / math.log(growth.low))
    assert result.headline == "4-bit weights are worth 4.7 years of bandwidth growth"


def test_the_product_is_that_of_each_alone_and_only_shown_for_several():
    result = ask("second=speculative&third=batching")
    singles = effects_of(second="speculative", third="batching").singles
    alone = [singles[name].worth.saving for name in ("int4-weights", "speculative", "batching")]
    assert value(result, "product_of_savings") == pytest.approx(math.prod(alone))
    assert "product_of_savings" not in {figure.name for figure in ask().figures}


def test_the_numbers_in_words_are_those_that_are_computed_with():
    assert f"into {EXPERTS} experts, {ACTIVE_EXPERTS} of them" in EVIDENCE["experts"].meaning
    assert f"heads, or {GROUPS}, instead" in EVIDENCE["grouped-query"].meaning
    assert EVIDENCE["speculative"].meaning.split(",")[0].endswith(f" {DRAFT_TOKENS} tokens")
    assert f"chosen batch, or {REQUESTS}, instead" in EVIDENCE["batching"].meaning
    assert all(f"{100 * ADAPTER_SHARE:g}% of" in EVIDENCE[name].meaning for name in ("lora", "qlora"))


def test_the_steps_of_memory_in_words_are_those_of_its_generations():
    kinds = standing.table("memory_generations")["memory"].tolist()
    steps = [(kind, *next_memory(kind)) for kind in kinds]
    words = ", ".join(f"{new} {step:.2f}× {kind}" for kind, new, step in steps if new)
    assert (
        EVIDENCE["memory-generation"].meaning.replace(" is ", " ")
        == f"the successor of the chip's memory: {words}"
    )


RELEASE = load(latest())


@pytest.mark.parametrize(
    ("chip", "saving"),
    [("h100", 1229 / 819), ("h200", 2048 / 1229), ("tpu-v5p", 819 / 461), ("ddr5-server", 8800 / 6400)],
)
def test_the_next_memory_is_that_of_the_chip(chip, saving):
    result = ask(f"technique=memory-generation&chip={chip}&measure=time&model=llama-3.1-8b")
    assert value(result, "saving") == pytest.approx(saving, rel=0.02)


def test_memory_held_is_counted_in_growth_of_capacity_and_the_rest_in_bandwidth():
    bandwidth, capacity = (
        growth_of(TechniquesSettings(measure=measure), RELEASE) for measure in ("time", "memory")
    )
    assert bandwidth.trend.yearly_growth != capacity.trend.yearly_growth
    assert growth_of(TechniquesSettings(measure="flop"), RELEASE).trend == bandwidth.trend


def test_only_training_takes_more_than_one_chip_and_beyond_a_domain_the_network_is_the_link():
    """Eight H100 share 450 GB/s each way; 64 send over 400 Gbit/s of network."""
    decode = setup_of(TechniquesSettings(devices=64), RELEASE)
    inside, beyond = (
        setup_of(TechniquesSettings(phase="training", devices=devices), RELEASE) for devices in (8, 64)
    )
    assert decode and inside and beyond
    assert (decode.devices, inside.devices, beyond.devices) == (1, 8, 64)
    assert inside.chip.link_bandwidth_byte_per_s == pytest.approx(450e9)
    assert beyond.chip.link_bandwidth_byte_per_s < 450e9


def test_the_interval_of_all_makers_draws_whole_makers_and_that_of_one_its_chips():
    everyone, one = (
        growth_of(TechniquesSettings(rule=rule), RELEASE) for rule in ("flagships", "nvidia-flagships")
    )
    assert everyone.interval == "clustered" and everyone.clusters >= 5
    assert one.interval == "bootstrap" and one.clusters == 0


@pytest.mark.parametrize("kind", ["HBM4", "SRAM", "MRDIMM-8800", ""])
def test_what_nothing_follows_stays_as_fast(kind):
    assert next_memory(kind) == ("", 1.0)


def test_every_technique_has_evidence_and_a_row():
    assert set(EVIDENCE) == set(TECHNIQUES)
    assert {row[0] for row in ask().table.rows} == {item.label for item in EVIDENCE.values()}
    assert all(item.source.startswith("https://") for item in EVIDENCE.values())


@pytest.mark.parametrize("query", ["", "phase=training&measure=memory", "measure=flop", "batch=512"])
def test_bars_and_rows_fall_in_years_and_leave_no_technique_out(query):
    exhibit = ask(query).exhibits[0]
    assert isinstance(exhibit.chart, BarChart)
    drawn = [bar.value for bar in exhibit.chart.bars]
    cells = columns(exhibit)
    assert drawn == sorted(drawn, reverse=True)
    assert list(cells["years"]) == sorted(cells["years"], reverse=True)
    assert len(cells["technique"]) == len(TECHNIQUES) >= len(drawn)


def test_what_does_nothing_is_drawn_only_if_it_is_chosen_and_says_why_in_its_row():
    exhibit = ask("phase=prefill").exhibits[0]
    cells = columns(exhibit)
    idle = dict(zip(cells["technique"], cells["says"], strict=True))["4-bit weights"]
    assert idle.startswith("No effect on the time. Compute is the limit here")
    assert isinstance(exhibit.chart, BarChart)
    drawn = {bar.label: bar.value for bar in exhibit.chart.bars}
    assert (
        drawn["4-bit weights"] == 0 and "INT8 weights" in cells["technique"] and "INT8 weights" not in drawn
    )


def test_the_saving_of_a_row_is_its_before_over_its_after_and_that_of_the_figure():
    result = ask("second=8-bit-cache")
    cells, at = columns(result.exhibits[0]), 0
    assert cells["technique"][at] == "Together: 4-bit weights and 8-bit KV cache" and cells["says"][at] == ""
    assert cells["saving"][at] == pytest.approx(cells["time_before_s"][at] / cells["time_after_s"][at])
    assert cells["saving"][at] == pytest.approx(value(result, "saving"))
    memory = cells["memory_before_byte"][at] / cells["memory_after_byte"][at]
    assert memory == pytest.approx(value(result, "memory_saving"))


def test_traffic_between_chips_that_grows_is_said_to_grow():
    """Rajbhandari et al. 2020, section 7: ZeRO stage 3 sends one and a half times as much."""
    result = ask("phase=training&technique=zero-3&measure=links")
    assert "traffic between chips grows 1.50×" in result.subtitle
    assert value(result, "saving") == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("saving", "ends"),
    [
        (4, "4.6–6.2 years"),
        (1.02, "24 days–1.1 months"),
        (0.5, "\N{MINUS SIGN}3.1 to \N{MINUS SIGN}2.3 years"),
    ],
)
def test_the_interval_has_its_unit_once(saving, ends):
    assert ends_words(worth(saving, HardwareYear(growth=1.3, low=1.25, high=1.35, level=0.9))) == ends


@pytest.mark.parametrize(
    ("saving", "measure", "words"),
    [
        (3.7, "time", "time falls 3.7×"),
        (0.5, "memory", "memory grows 2.0×"),
        (2.0, "operations", "operations fall 2.0×"),
    ],
)
def test_a_change_falls_or_grows_and_agrees_with_its_noun(*, saving, measure, words):
    assert change_words(saving, measure) == words


def test_time_is_that_of_all_requests_where_several_share_it():
    def words(**settings):
        return time_words(TechniquesSettings(**settings))

    assert words() == words(phase="training", batch=8) == "time"
    assert words(batch=8) == words(third="batching") == "time per token over all requests"


@pytest.mark.parametrize(
    ("query", "holds", "text"),
    [
        ("phase=prefill", True, "Compute is the limit here, and smaller weights only shorten reading"),
        ("technique=checkpointing", True, "no backward pass"),
        ("batch=512", True, "The limit here is reading the KV cache, which smaller weights do not shorten"),
        (
            "technique=8-bit-cache&context=128",
            True,
            "The limit here is reading the weights, which a smaller cache does not",
        ),
        ("measure=flop", False, "reading the KV cache"),
        ("", True, "it needs 2 before and 1 after."),
        ("phase=training&technique=flash-attention&context=131072", True, "for each copy of the model"),
        ("model=llama-3.1-8b", False, "does not fit on one"),
        ("technique=batching", True, "as long for each token in a batch of 16 as on its own"),
        ("technique=batching", True, "of the KV cache, because"),
        ("technique=batching&phase=training", False, "of the KV cache, because"),
        ("technique=speculative&batch=512", False, "cost time"),
        ("technique=speculative&batch=4096&context=128", True, "rejected tokens cost time"),
        ("technique=zero-3&phase=training&devices=1", True, "training: There is only one chip."),
    ],
)
def test_notes_say_what_holds_here_and_only_that(*, query, holds, text):
    result = ask(query)
    assert (text in "\n".join([*result.notes, *result.sure, *result.changes])) is holds


def test_a_technique_that_does_nothing_is_worth_nothing_and_one_that_costs_has_its_factor():
    assert ask("phase=prefill").headline == "4-bit weights save 0% of time here"
    assert "Gradient checkpointing saves 0%" in ask("technique=checkpointing").headline
    assert value(ask("technique=speculative&batch=4096&context=128"), "saving") < 1


def test_what_does_not_fit_one_chip_is_counted_in_chips():
    """Llama 3.1 70B at 16 bits is 141 GB, an H100 holds 80; flash-attention's scores of 131,072 tokens are 444 TB."""
    chips = [value(ask(), f"chips_{when}") for when in ("before", "after")]
    assert (chips, ask().figure("memory_saving").interval_text) == ([2, 1], "144 GB to 39.3 GB")
    assert value(ask("phase=training&technique=flash-attention&context=131072"), "chips_before") > 5000
    assert value(ask("model=llama-3.1-8b"), "chips_before") == 1


def test_batching_speaks_of_all_requests():
    several = "time per token over all requests"
    result = ask("technique=batching")
    assert f"{several} falls" in result.subtitle
    assert several not in ask("technique=batching&phase=training").subtitle
    assert ", time falls" in ask("model=llama-3.1-8b").subtitle


def effects_of(**settings: Any) -> Effects:
    """Return what the chosen techniques change, and what each alone does."""
    chosen, release = TechniquesSettings(**settings), load(latest())
    setup = inputs.setup_of(chosen, release)
    assert setup is not None
    return inputs.effects_of(chosen, setup=setup, growth=inputs.growth_of(chosen, release))
