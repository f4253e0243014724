"""What the choices of /techniques stand for: the set-up, the growth and the step of memory."""

import pytest

from data.releases import latest, load
from tests.views.techniques.answers import ask, effects_of, value
from views.techniques.inputs import growth_of, memory_step, setup_of
from views.techniques.settings import TechniquesSettings

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
