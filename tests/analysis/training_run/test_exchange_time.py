import pytest

from analysis.training_run.exchange_time import exchange_time, parameters_per_device
from analysis.training_run.plans import Plans
from tests.analysis.training_run.runs import A100, H100, LONG, MIXTURE, MODEL


def test_gradients_are_exchanged_in_32_bits():
    """Llama Team, arXiv:2407.21783, section 3.3.2: gradients are reduced in FP32 between data-parallel workers."""
    exchange = exchange_time(LONG, A100, plans=Plans(data_parallel=64))
    assert float(exchange.gradient_s) == pytest.approx(2 * float(exchange.gather_s), rel=0.01)


def test_parameters_on_all_parts_together_are_those_of_the_model():
    """The first stage has the word embedding; on one stage alone the output layer lies there too."""
    one = parameters_per_device(MIXTURE, plans=Plans(tensor_parallel=4, data_parallel=8, expert_parallel=8))
    assert 4 * float(one.common + 8 * one.routed) == pytest.approx(MIXTURE.n_parameters, rel=1e-3)
    assert (float(one.replicas), float(one.routed_replicas)) == (8, 1)


def test_a_layer_gathered_over_thousands_takes_longer_for_each_byte_and_hop():
    """ZeRO-3 on 1,536 A100: 350 GB of weights at one port of 20 GB/s each take 17 s, at a server's eight 2 s."""

    def gathered(ranks, stage):
        return float(exchange_time(MODEL, H100, plans=Plans(data_parallel=ranks, zero_stage=stage)).gather_s)

    assert gathered(8, 3) == pytest.approx(gathered(8, 1), rel=0.02)
    assert gathered(64, 3) < 1.2 * gathered(64, 1)
    slower = [gathered(ranks, 3) / gathered(ranks, 1) for ranks in (64, 512, 2048, 8192)]
    assert slower == sorted(slower) and slower[-1] > 2
    assert gathered(8192, 1) > 4 * gathered(64, 1)


def test_a_token_crosses_the_network_once_for_each_server_of_its_experts():
    """Experts over four servers of eight cost less than a copy for each expert would, and more than on one."""
    on_one = float(exchange_time(MIXTURE, H100, plans=Plans(data_parallel=64, expert_parallel=8)).expert_s)
    on_two = float(exchange_time(MIXTURE, H100, plans=Plans(data_parallel=64, expert_parallel=16)).expert_s)
    assert 1.5 * on_one < on_two
