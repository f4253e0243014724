import pytest

from analysis.hardware.device_makers import chip, gpu_makers, maker
from data import standing
from tests.cases import cases

CASES = cases(__file__)


@pytest.mark.parametrize(("name", "expected"), CASES["variants"])
def test_variants_of_a_chip_count_as_one_device(name, expected):
    assert chip(name) == expected


@pytest.mark.parametrize(("device", "made_by"), CASES["makers"])
def test_the_maker_of_a_gpu_is_told_from_its_name(device, made_by):
    assert maker(device) == made_by
    assert gpu_makers([device, device], ["GPU", "CPU"]) == (made_by, "")


def test_every_gpu_of_the_table_has_a_maker():
    rows = standing.table("measured_decode")
    names = rows.loc[rows["backend"] == "GPU", "device"].map(chip)
    assert [name for name in names.unique() if not maker(name)] == []
