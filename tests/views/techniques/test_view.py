"""How many years of hardware a technique is worth: the answer as a whole."""

import math
from functools import partial
from typing import Any

import pytest

from analysis.techniques import catalogue
from analysis.techniques.catalogue import TECHNIQUES
from analysis.techniques.worth import HardwareYear, worth
from charts.chart import BarChart
from data import standing
from data.releases import latest, load
from tests.views.reading import answer_to, columns, value
from views import written
from views.techniques import inputs
from views.techniques.inputs import Effects, growth_of, next_memory, setup_of
from views.techniques.settings import EVIDENCE, TechniquesSettings
from views.techniques.view import VIEW
from views.techniques.words import change_words, ends_words, time_words

TABLES = written.toml(__file__, name="notes.toml")

ask = partial(answer_to, VIEW)
RELEASE = load(latest())


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
    meanings = {name: item.meaning for name, item in EVIDENCE.items()}
    assert set(meanings) == set(TECHNIQUES) and all("https://" in item.source for item in EVIDENCE.values())
    assert f"into {catalogue.EXPERTS} experts, {catalogue.ACTIVE_EXPERTS} of them" in meanings["experts"]
    assert f"heads, or {catalogue.GROUPS}, instead" in meanings["grouped-query"]
    assert meanings["speculative"].split(",")[0].endswith(f" {catalogue.DRAFT_TOKENS} tokens")
    assert f"chosen batch, or {catalogue.REQUESTS}, instead" in meanings["batching"]
    assert all(f"{100 * catalogue.ADAPTER_SHARE:g}% of" in meanings[name] for name in ("lora", "qlora"))


def test_the_steps_of_memory_in_words_are_those_of_its_generations():
    kinds = standing.table("memory_generations")["memory"].tolist()
    steps = [(kind, *next_memory(kind)) for kind in kinds]
    words = ", ".join(f"{new} {step:.2f}× {kind}" for kind, new, step in steps if new)
    said = EVIDENCE["memory-generation"].meaning.replace(" is ", " ")
    assert said == f"the successor of the chip's memory: {words}"


@pytest.mark.parametrize(
    ("chip", "saving"),
    [("h100", 1229 / 819), ("h200", 2048 / 1229), ("tpu-v5p", 819 / 461), ("ddr5-server", 8800 / 6400)],
)
def test_the_next_memory_is_that_of_the_chip(chip, saving):
    result = ask(f"technique=memory-generation&chip={chip}&measure=time&model=llama-3.1-8b")
    assert value(result, "saving") == pytest.approx(saving, rel=0.02)


def test_memory_held_is_counted_in_growth_of_capacity_and_the_rest_in_bandwidth():
    measures = (TechniquesSettings(measure=measure) for measure in ("time", "memory", "flop"))
    bandwidth, capacity, flop = (growth_of(settings, RELEASE).trend for settings in measures)
    assert bandwidth.yearly_growth != capacity.yearly_growth and flop == bandwidth


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
    rules = ("flagships", "nvidia-flagships")
    everyone, one = (growth_of(TechniquesSettings(rule=rule), RELEASE) for rule in rules)
    assert everyone.interval == "clustered" and everyone.clusters >= 5
    assert one.interval == "bootstrap" and one.clusters == 0


@pytest.mark.parametrize("kind", ["HBM4", "SRAM", "MRDIMM-8800", ""])
def test_what_nothing_follows_stays_as_fast(kind):
    assert next_memory(kind) == ("", 1.0)


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
    assert drawn["4-bit weights"] == 0
    assert "INT8 weights" in cells["technique"] and "INT8 weights" not in drawn


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


def test_the_interval_has_its_unit_once():
    year = HardwareYear(growth=1.3, low=1.25, high=1.35, level=0.9)
    ends = [ends_words(worth(saving, year)) for saving in (4, 1.02, 0.5)]
    assert ends == ["4.6–6.2 years", "24 days–1.1 months", "\N{MINUS SIGN}3.1 to \N{MINUS SIGN}2.3 years"]


def test_a_change_falls_or_grows_and_agrees_with_its_noun():
    assert change_words(3.7, "time") == "the time falls 3.7-fold"
    assert change_words(0.5, "memory") == "the memory grows 2.0×"
    assert change_words(2.0, "operations") == "the operations fall 2.0-fold"


def test_time_is_that_of_all_requests_where_several_share_it():
    def words(**settings):
        return time_words(TechniquesSettings(**settings))

    assert words() == words(phase="training", batch=8) == "time"
    assert words(batch=8) == words(third="batching") == "time per token over all requests"


@pytest.mark.parametrize(("query", "holds", "text"), TABLES["notes"])
def test_notes_say_what_holds_here_and_only_that(*, query, holds, text):
    result = ask(query)
    assert (text in "\n".join([*result.notes, *result.sure, *result.changes])) is holds


def test_a_technique_that_does_nothing_is_worth_nothing_and_one_that_costs_has_its_factor():
    assert ask("phase=prefill").headline == "No time is saved by 4-bit weights here"
    assert "saved by gradient checkpointing" in ask("technique=checkpointing").headline
    assert value(ask("technique=speculative&batch=4096&context=128"), "saving") < 1


def test_what_does_not_fit_one_chip_is_counted_in_chips():
    """Llama 3.1 70B at 16 bits is 141 GB, an H100 holds 80; flash-attention's scores of 131,072 tokens are 444 TB."""
    chips = [value(ask(), f"chips_{when}") for when in ("before", "after")]
    assert (chips, ask().figure("memory_saving").interval_text) == ([2, 1], "144 GB to 39.3 GB")
    assert value(ask("phase=training&technique=flash-attention&context=131072"), "chips_before") > 5000
    assert value(ask("model=llama-3.1-8b"), "chips_before") == 1


def test_batching_speaks_of_all_requests():
    several = "time per token over all requests"
    assert f"{several} falls" in ask("technique=batching").subtitle
    assert several not in ask("technique=batching&phase=training").subtitle
    assert ", the time falls" in ask("model=llama-3.1-8b").subtitle


def effects_of(**settings: Any) -> Effects:
    """Return what the chosen techniques change, and what each alone does."""
    chosen, release = TechniquesSettings(**settings), load(latest())
    setup = inputs.setup_of(chosen, release)
    assert setup is not None
    return inputs.effects_of(chosen, setup=setup, growth=inputs.growth_of(chosen, release))
