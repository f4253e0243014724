from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.hardware.names import UnknownAccelerator, find_accelerator, find_device, without_maker
from analysis.model.names import nearest
from analysis.placement.tables import known
from data import releases, standing
from tests.analysis.hardware.test_chip import ROW
from tests.cases import cases

CASES = cases(__file__)

PREFIXES = {
    "NVIDIA": ("NVIDIA ", "GeForce ", "NVIDIA GeForce ", "nvidia"),
    "AMD": ("AMD ", "Radeon ", "AMD Radeon ", "amd-"),
    "Apple": ("Apple ", "apple", "APPLE-"),
    "Intel": ("Intel ", "intel-"),
}


@cache
def clear_names():
    """Return the names of the tables that stand for one device."""
    parts = releases.load(releases.latest()).accelerators["name"]
    columns = (standing.table("edge_devices")["name"], standing.table("measured_decode")["device"], parts)
    names = sorted({str(name) for column in columns for name in column.to_list()})
    return [name for name in names if find_device(name, known().devices).device is not None]


def device(name):
    """Return the device that a name stands for."""
    named = find_device(name, known().devices).device
    assert named is not None, name
    return named


def rewritten(data, name):
    """Return a name in another spelling."""
    bare, made_by = name, device(name).maker
    if made_by in PREFIXES:
        for word in ("NVIDIA", "GeForce", "AMD", "Radeon", "Apple", "Intel"):
            bare = bare.removeprefix(word + " ")
        bare = data.draw(st.sampled_from(["", *PREFIXES[made_by]])) + bare
    parted = data.draw(st.sampled_from([" ", "-", "", "  ", "_"]))
    cased = data.draw(st.sampled_from([str.lower, str.upper, str.title, str]))
    return cased(bare.replace(" ", parted))


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_every_spelling_of_a_device_names_it(data):
    name = data.draw(st.sampled_from(clear_names()))
    other = rewritten(data, name)
    assert device(other) == device(name), other


@pytest.mark.parametrize("same", CASES["same"])
def test_names_in_use_mean_one_device(same):
    assert all(device(name) == device(same[0]) for name in same)


def test_edge_devices_win_over_accelerators_and_are_of_their_measured_class():
    accelerators = releases.load(releases.latest()).accelerators["name"].to_list()
    edge = standing.table("edge_devices")
    linked = edge.loc[edge["accelerator"].isin(accelerators)]
    assert len(linked) >= 20
    for name, part in zip(linked["name"], linked["accelerator"], strict=True):
        assert device(part) == device(name)
        assert device(part).device_class != "datacenter_gpu", part
    assert device("DGX Spark").device_class == "desktop_gpu"


def test_another_makers_name_is_not_taken_for_a_device():
    assert device("M4").name == "Apple M4"
    assert find_device("Tesla M4", known().devices).device is None
    assert find_device("", known().devices).device is None


def test_a_short_name_stands_for_the_device_of_its_row():
    assert known().devices.usual["h100"] == "NVIDIA H100 SXM5 80GB"
    for short, full in known().devices.usual.items():
        assert device(short) == device(full), short


def test_a_short_name_that_could_be_several_tells_which_was_taken():
    several = find_device("Apple M4 Max", known().devices)
    assert several.unsure and [one.name for one in several.others] == ["Apple M4 Max (32-core GPU)"]
    assert not find_device("RTX 4090", known().devices).unsure
    other_memory = find_device("RTX 3060 8GB", known().devices)
    assert device("RTX 3060 8GB").name == "NVIDIA RTX 3060 12GB" and other_memory.unsure
    unclear = find_device("Ascend 910B", known().devices)
    assert unclear.device is None and "Huawei Ascend 910B2" in [one.name for one in unclear.others]


def test_suggestions_are_names_that_can_be_read():
    assert nearest(without_maker("Apple M4 Macs")[1], known().devices.entries).startswith("Apple M4 Max (")
    assert nearest("zzzz", known().devices.entries) == "nothing like it"


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


@pytest.mark.parametrize(("wanted", "product"), CASES["systems"])
def test_a_system_s_name_names_its_accelerator(wanted, product):
    assert find_accelerator(wanted, rows=PARTS)["product"] == product


@pytest.mark.parametrize("wanted", ["b200 turbo", "GB200 H100", "H100 supercluster", "TPU v9"])
def test_a_word_that_is_no_form_names_nothing(wanted):
    with pytest.raises(UnknownAccelerator):
        find_accelerator(wanted, rows=PARTS)
