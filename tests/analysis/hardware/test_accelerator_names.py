import pytest

from analysis.hardware.accelerator_names import UnknownAccelerator, find_accelerator
from data import releases
from tests.analysis.hardware.test_chip import ROW

PARTS = releases.load(releases.latest()).accelerators.to_dict("records")


@pytest.mark.parametrize("wanted", ["H100", "h100 sxm", "H100-SXM5-80GB", "NVIDIA H100 SXM5 80GB"])
def test_a_chip_is_found_by_any_of_its_usual_names(wanted):
    card = {**ROW, "product": "H100 PCIe", "name": "NVIDIA H100 PCIe"}
    assert find_accelerator(wanted, rows=[card, ROW])["product"] == "H100 SXM"


def test_a_name_of_no_accelerator_is_refused_with_examples():
    assert issubclass(UnknownAccelerator, LookupError)
    with pytest.raises(UnknownAccelerator) as caught:
        find_accelerator("abacus", rows=[ROW])
    assert "no accelerator is called 'abacus'; for example A100 80 GB" in str(caught.value)


@pytest.mark.parametrize(
    ("wanted", "product"),
    [
        ("a100_sxm", "A100 80 GB"),
        ("h100_sxm", "H100 SXM"),
        ("NVIDIA H100-SXM-80GB", "H100 SXM"),
        ("NVIDIA H100-NVL-94GB", "H100 NVL"),
        ("h200_sxm", "H200"),
        ("NVIDIA H200-SXM-141GB", "H200"),
        ("NVIDIA H200-NVL-141GB", "H200"),
        ("NVIDIA GH200 Grace Hopper Superchip 144GB", "GH200"),
        ("NVIDIA GH200 Grace Hopper Superchip 96GB", "GH200"),
        ("b200_sxm", "B200"),
        ("NVIDIA B200-SXM-180GB", "B200"),
        ("b300_sxm", "B300"),
        ("NVIDIA B300-SXM-270GB", "B300"),
        ("gb200", "GB200"),
        ("GB200 NVL72", "GB200"),
        ("gb300", "GB300"),
        ("NVIDIA GB300", "GB300"),
        ("mi300x", "MI300X"),
        ("AMD Instinct MI300X 192GB HBM3", "MI300X"),
        ("mi325x", "MI325X"),
        ("AMD Instinct MI350X 288GB HBM3e", "MI350X"),
        ("AMD Instinct MI355X 288GB HBM3e (Power Cap 1000 W)", "MI355X"),
        ("l40s", "L40S"),
        ("rtx pro 6000 bse", "RTX Pro 6000 Blackwell"),
        ("NVIDIA RTX PRO 6000 Blackwell Server Edition", "RTX Pro 6000 Blackwell"),
        ("Google TPU v6e Trillium", "TPU v6e"),
        ("tpu v7", "TPU v7"),
        ("tpu_v7", "TPU v7"),
        ("TPU7x", "TPU v7"),
    ],
)
def test_a_system_s_name_names_its_accelerator(wanted, product):
    assert find_accelerator(wanted, rows=PARTS)["product"] == product


@pytest.mark.parametrize("wanted", ["b200 turbo", "GB200 H100", "H100 supercluster", "TPU v9"])
def test_a_word_that_is_no_form_names_nothing(wanted):
    with pytest.raises(UnknownAccelerator):
        find_accelerator(wanted, rows=PARTS)
