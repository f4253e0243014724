"""What the choices of /techniques stand for: the set-up, the growth and the step of memory."""

import pytest

from data.releases import latest, load
from tests.views.techniques.answers import ask, effects_of, value
from views.chips import choice as chip_choice
from views.chips import rows as chip_rows
from views.chips.choice import AcceleratorSettings
from views.techniques.inputs import growth_of, memory_step, next_memory, setup_of
from views.techniques.settings import TechniquesSettings
from views.techniques.view import VIEW
from views.trend.fit import fitted

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


def test_too_few_chips_for_a_growth_are_refused():
    with pytest.raises(ValueError, match="Widen the window"):
        growth_of(TechniquesSettings(since="2029"), RELEASE)


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


def test_a_server_has_the_memory_of_its_sockets_and_sram_has_no_successor():
    assert memory_step("ddr5-server", RELEASE) == ("MRDIMM-8800", 8800 / 6400)
    assert memory_step("groq-lpu", RELEASE) == ("", 1.0)


def test_the_chosen_together_are_the_single_one_where_only_one_is_chosen():
    effects = effects_of(technique="8-bit-cache")
    assert effects.together == effects.singles["8-bit-cache"]
    assert effects.capacity_byte == 80e9


def test_the_interval_of_all_makers_draws_whole_makers_and_that_of_one_its_chips():
    everyone, one = (
        growth_of(TechniquesSettings(rule=rule), RELEASE) for rule in ("flagships", "nvidia-flagships")
    )
    assert everyone.interval == "clustered" and everyone.clusters >= 5
    assert one.interval == "bootstrap" and one.clusters == 0


@pytest.mark.parametrize(
    ("metric", "words"), [("memory-bandwidth", "bandwidth grew {}"), ("fp16", "FP16 throughput {}")]
)
def test_what_makers_do_to_an_interval_is_told_as_it_is(metric, words):
    """The rate since 2016 of every maker's flagships, chip by chip and by makers."""
    rates = []
    for interval in ("bootstrap", "clustered"):
        settings = AcceleratorSettings(metric=metric, rule="flagships", since="2016", interval=interval)
        chips = chip_rows.candidates(RELEASE, settings)
        rates.append(
            fitted(chip_rows.series(chips), settings, rule=chip_choice.rule(settings), since=settings.since)
        )
    rows, makers = (f"{rate.growth_low:.2f}–{rate.growth_high:.2f}×" for rate in rates)
    text = " ".join(VIEW.method)
    assert words.format(f"{rates[0].trend.yearly_growth:.2f}×") in text
    assert rows in text and makers in text


@pytest.mark.parametrize(
    ("kind", "following", "step"),
    [
        ("HBM2e", "HBM3", 819 / 461),
        ("HBM3", "HBM3e", 1229 / 819),
        ("HBM3e", "HBM4", 2048 / 1229),
        ("DDR5", "MRDIMM-8800", 8800 / 6400),
    ],
)
def test_a_memory_is_followed_by_the_next_of_its_line(*, kind, following, step):
    """JEDEC JESD235D, JESD238, JESD270-4, one stack; DDR5 modules at their data rates."""
    assert next_memory(kind) == (following, step)


@pytest.mark.parametrize("kind", ["HBM4", "SRAM", "MRDIMM-8800", ""])
def test_what_nothing_follows_stays_as_fast(kind):
    assert next_memory(kind) == ("", 1.0)
