import pytest

from analysis.hardware.accelerator_names import UnknownAccelerator, find_accelerator
from tests.analysis.hardware.test_chip import ROW


@pytest.mark.parametrize("wanted", ["H100", "h100 sxm", "H100-SXM5-80GB", "NVIDIA H100 SXM5 80GB"])
def test_a_chip_is_found_by_any_of_its_usual_names(wanted):
    card = {**ROW, "product": "H100 PCIe", "name": "NVIDIA H100 PCIe"}
    assert find_accelerator(wanted, rows=[card, ROW])["product"] == "H100 SXM"


def test_a_name_of_no_accelerator_is_refused_with_examples():
    assert issubclass(UnknownAccelerator, LookupError)
    with pytest.raises(UnknownAccelerator) as caught:
        find_accelerator("abacus", rows=[ROW])
    assert "no accelerator is called 'abacus'; for example A100 80 GB" in str(caught.value)
