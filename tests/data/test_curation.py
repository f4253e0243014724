import dataclasses
import math

import pytest

from data import curation, epoch
from data.curation import Curated
from data.curation_tables import Curation
from tests.cases import cases
from tests.data import exports
from tests.data.exports import correction

EMPTY = Curation(**{table.name: [] for table in dataclasses.fields(Curation)})
BANDWIDTH = "memory_bandwidth_byte_per_s"


def parts(*rows: dict[str, str], **lines: list[dict[str, str]]) -> Curated:
    imported = epoch.hardware(exports.hardware(*rows), file="h.csv").frame
    return curation.curate(imported, table="accelerators", curation=dataclasses.replace(EMPTY, **lines))


def runs(*rows: dict[str, str], **lines: list[dict[str, str]]) -> Curated:
    imported = epoch.models(exports.models(*rows), file="m.csv").frame
    own = dataclasses.replace(EMPTY, **lines)
    return curation.curate(imported, table="training_runs", curation=own, part_names={"NVIDIA Test 100"})


def product(name: str, **other: str) -> dict[str, str]:
    line = {"name": name, "product": "Test", "vendor": "", "segment": "data-centre", "status": "shipped"}
    line |= {"generation": "G", "flagship": "false", "representative": "false", "memory_kind": "HBM"}
    return {**line, "memory_generation": "HBM3", "fp16_engine": "vector", "source_id": "s", **other}


@pytest.mark.parametrize(
    ("line", "value", "refused", "settled"),
    cases(__file__)["corrections"],
    ids=["applied", "another value", "taken up by the export", "no such row"],
)
def test_a_correction_is_applied_where_the_export_has_its_was_else_reported(*, line, value, refused, settled):
    done = parts(corrections=[correction(BANDWIDTH, **line)])
    place = f"{line.get('row', 'NVIDIA Test 100')}, {BANDWIDTH}: "
    assert done.frame[BANDWIDTH].tolist() == [value]
    assert done.corrections["was"].tolist() == (["3.35e12"] if value == 3.2e12 else [])
    assert done.refused == ((place + refused,) if refused else ())
    assert done.settled == ((place + settled,) if settled else ())


def test_a_value_can_be_filled_removed_and_a_date_moved_with_its_precision():
    moved = correction("released_on", was="2022-09-20", now="2022-10-01")
    emptied = correction("memory_capacity_byte", was="8e10", now="")
    done = parts(corrections=[correction("power_w", was="", now="700"), emptied, moved])
    row = done.frame.iloc[0]
    assert row["power_w"] == 700 and math.isnan(row["memory_capacity_byte"])
    assert (row["released_on"], row["date_precision"]) == ("2022-10-01", "month")


def test_a_stated_matrix_figure_is_not_overwritten():
    rates = {"peak_fp16_shader_dense_flop_per_s": "9e14", "peak_fp16_dense_flop_per_s": "1e15"}
    done = parts(rates, products=[product("NVIDIA Test 100", fp16_engine="matrix")])
    assert done.frame["peak_fp16_dense_flop_per_s"].tolist() == [1e15]


def addition(name: str) -> dict[str, str]:
    line = {"name": name, "vendor": "V", "type": "GPU", "released_on": "2023", "confidence": "likely"}
    return {**line, BANDWIDTH: "5e11", "datasheet_link": "", "source_id": "s"}


def test_a_row_of_the_export_wins_over_an_addition_of_that_name():
    assert parts(additions=[addition("NVIDIA Test 100")]).frame["origin"].tolist() == ["epoch"]


def test_a_listing_without_a_product_line_is_its_own_product_and_is_reported():
    done = parts({}, {"name": "Undated", "released_on": ""})
    assert done.unmatched == ("NVIDIA Test 100", "Undated")
    assert done.frame["product"].tolist() == ["NVIDIA Test 100", "Undated"]
    assert done.frame["status"].tolist() == ["shipped", "announced"]
    assert done.frame["representative"].tolist() == [True, True]


def test_the_earliest_listing_stands_for_a_product_whose_chosen_row_is_not_there():
    days = {"Late": "2024-02-02", "Early": "2023-02-02", "Undated": ""}
    rows = ({"name": name, "released_on": day} for name, day in days.items())
    done = parts(*rows, products=[product(name) for name in days])
    assert done.frame.loc[done.frame["representative"], "name"].tolist() == ["Early"]


def test_hardware_of_a_run_is_named_once_by_name_and_alias_and_the_rest_is_reported():
    aliases = [{"alias": "H100", "name": "NVIDIA Test 100"}, {"alias": "GTX", "name": ""}]
    done = runs({"hardware": "H100,NVIDIA Test 100,GTX,Mystery"}, hardware_aliases=aliases)
    assert done.frame["hardware"].tolist() == ["NVIDIA Test 100;GTX;Mystery"]
    assert done.unmatched == ("Mystery",)


def test_a_row_gets_its_newer_name_unless_the_export_has_both():
    renames = [{"table": "training_runs", "was": "Alpha", "now": "Alpha (May)", "reason": "r"}]
    assert runs(renames=renames).frame["name"].tolist() == ["Alpha (May)"]
    both = runs({}, {"name": "Alpha (May)"}, renames=renames)
    assert sorted(both.frame["name"]) == ["Alpha", "Alpha (May)"]
