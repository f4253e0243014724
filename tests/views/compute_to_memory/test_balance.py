import pytest

from analysis.compute_to_memory import LOWEST
from analysis.hardware.workloads import BYTE_OF
from tests.views.compute_to_memory.answers import RELEASE, part
from views.compute_to_memory.balance import operand_byte, throughput
from views.compute_to_memory.settings import PRECISIONS


# Peak dense TFLOP/s over TB/s, worked out from the makers' datasheets.
@pytest.mark.parametrize(
    ("product", "precision", "flop_per_byte"),
    [
        ("V100", "fp16", 125 / 0.898),
        ("A100 40 GB", "fp16", 312 / 1.56),
        ("A100 80 GB", "fp16", 312 / 2.039),
        ("H100 SXM", "fp16", 989.4 / 3.35),
        ("H100 SXM", "fp8", 1979 / 3.35),
        ("H200", "fp16", 989.5 / 4.8),
        ("GB200", "fp16", 2500 / 8.0),
        ("MI300X", "fp16", 1307.4 / 5.3),
        ("MI355X", "fp16", 2500 / 8.0),
        ("TPU v2", "fp16", 46 / 0.6),
        ("TPU v3", "fp16", 123 / 0.9),
        ("TPU v4", "fp16", 275 / 1.2),
        ("TPU v5e", "fp16", 197 / 0.82),
        ("TPU v5p", "fp16", 459 / 2.765),
        ("TPU v6e", "fp16", 918 / 1.64),
        ("TPU v7", "fp16", 2307 / 7.37),
    ],
)
def test_the_balance_of_a_chip_is_that_of_its_datasheet_within_a_per_cent(
    product, *, precision, flop_per_byte
):
    row = part(product)
    balance = throughput(row, precision) / row["memory_bandwidth_byte_per_s"]
    assert balance.iloc[0] == pytest.approx(flop_per_byte, rel=0.01)


# Sold with 8.0 TB/s; Epoch AI lists the 7.7 TB/s of NVIDIA's HGX datasheet, so our balance is 4 % higher.
@pytest.mark.parametrize(
    ("product", "precision", "flop_per_byte"),
    [
        ("B200", "fp16", 2250 / 7.7),
        ("B200", "fp8", 4500 / 7.7),
        ("B200", "fp4", 9000 / 7.7),
        ("B300", "fp16", 2250 / 7.7),
    ],
)
def test_the_balance_of_blackwell_is_that_at_the_bandwidth_of_the_data(product, *, precision, flop_per_byte):
    row = part(product)
    balance = float((throughput(row, precision) / row["memory_bandwidth_byte_per_s"]).iloc[0])
    assert balance == pytest.approx(flop_per_byte, rel=0.01)
    assert balance == pytest.approx(flop_per_byte * 7.7 / 8.0, rel=0.045)


def test_the_lowest_format_of_a_chip_is_the_smallest_it_computes_in():
    chips = RELEASE.accelerators
    size = operand_byte(chips, "lowest")
    assert size.loc[part("V100").index[0]] == 2
    assert size.loc[part("H100 SXM").index[0]] == 1
    assert size.loc[part("B200").index[0]] == 0.5
    assert throughput(part("B200"), "lowest").iloc[0] == throughput(part("B200"), "fp4").iloc[0]
    assert set(operand_byte(chips, "fp8")) == {1.0}
    assert set(LOWEST) | {"tf32"} == set(PRECISIONS) - {"fp16-matrix"} == set(BYTE_OF)
    assert set(operand_byte(chips, "fp16-matrix")) == {2.0}
