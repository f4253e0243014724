"""The standing tables agree with themselves, with each other, with the release and with what papers print."""

import csv
import re
from typing import Any

import numpy as np
import pytest

from data import contract, releases, seal, sources, standing

NAMED = "2026-07"  # the release whose accelerators the standing tables name
KEYS = {"claims": "claim_id", "memory_generations": "memory"}


def names_of(resource: str) -> set[str]:
    """Return the keys of the table that a foreign key refers to."""
    if resource == "sources":
        return set(sources.rows())
    if resource == f"accelerators-{NAMED}":
        return set(releases.load(NAMED).accelerators["name"])
    table = resource.removeprefix("standing-").replace("-", "_")
    return set(standing.table(table)[KEYS.get(table, "name")])


def test_the_tables_we_edit_are_those_the_newest_release_is_sealed_with():
    sealed = releases.sealed(releases.latest()).record.standing
    edited = {name: seal.digest(content) for name, content in standing.working().items()}
    other = sorted(name for name in edited.keys() | sealed.keys() if edited.get(name) != sealed.get(name))
    assert not other, (
        f"{', '.join(other)} changed since release {releases.latest()} was sealed, so no page shows the change. Cut a "
        "release: see data/README.md, Cut a release."
    )


def test_a_table_is_typed_and_read_once():
    frame = standing.table("edge_devices")
    assert frame is standing.table("edge_devices")
    assert frame["memory_bandwidth_byte_per_s"].dtype == "float64"
    assert frame["released_on"].dtype == "datetime64[s]"
    assert standing.table("measured_decode")["in_check"].dtype == bool
    assert "" in set(standing.table("measured_decode")["edge_device"])


def test_a_table_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(
        LookupError, match=r"there is no standing table 'phones'; there are architectures, bl"
    ):
        standing.table("phones")
    with pytest.raises(LookupError, match=r"there is no standing table '\.\./sources'"):
        standing.table("../sources")


@pytest.mark.parametrize("name", standing.names())
def test_every_name_that_points_elsewhere_is_there(name):
    wanted = {key["reference"]["resource"] for key in contract.schema(name).get("foreignKeys", [])}
    keys = {resource: names_of(resource) for resource in wanted}
    rows = list(csv.reader(standing.working()[name].decode().splitlines(keepends=True), strict=True))
    assert contract.breaches(rows, table=name, keys=keys) == []


@pytest.mark.parametrize("name", standing.names())
def test_every_row_says_where_it_is_from_and_how_sure_it_is(name):
    frame = standing.table(name)
    assert np.all(frame["source_id"] != "")
    assert set(frame["confidence"]) <= {"confident", "likely", "speculative"}
    assert not np.any(frame.duplicated())
    text = " ".join(frame.select_dtypes(include="str").to_numpy().ravel())
    assert not re.search(r"\bTODO\b|\bnan\b|/(?:tmp|root)/", text)


# devices


def test_devices_have_the_classes_that_were_measured():
    classes = set(standing.table("measured_decode")["device_class"])
    assert set(standing.table("edge_devices")["device_class"]) <= classes
    assert {"phone", "laptop", "desktop_gpu", "embedded", "edge_server"} <= classes


def test_a_device_that_is_an_accelerator_has_its_bandwidth_and_memory():
    parts = releases.load(NAMED).accelerators.set_index("name")
    frame = standing.table("edge_devices")
    both = frame.loc[frame["accelerator"] != ""]
    assert len(both) > 15
    for column in ("memory_bandwidth_byte_per_s", "memory_capacity_byte"):
        known = both[column].to_numpy() / parts.loc[both["accelerator"], column].to_numpy()
        assert np.nanmax(np.abs(known - 1)) < 0.01


def test_a_device_reads_its_memory_in_a_plausible_time():
    frame = standing.table("edge_devices")
    seconds = frame["memory_capacity_byte"] / frame["memory_bandwidth_byte_per_s"]
    assert np.all(seconds.dropna().between(0.01, 0.65))
    matrix, vector = frame["peak_fp16_flop_per_s"], frame["peak_fp16_shader_flop_per_s"]
    assert np.all((matrix / vector).dropna() >= 0.99)
    balance = (matrix / frame["memory_bandwidth_byte_per_s"]).dropna()
    assert np.all(balance.between(50, 1000))


def test_every_class_of_device_moves_along_dated_points():
    frame = standing.table("edge_devices")
    assert len(frame) == 115
    dated = frame.loc[frame["released_on"].notna() & frame["memory_bandwidth_byte_per_s"].notna()]
    points = dated.loc[dated["memory_capacity_byte"].notna()].groupby("device_class").size()
    assert np.all(points[["phone", "laptop", "embedded", "desktop_gpu", "workstation_gpu"]] >= 8)
    assert np.all(points >= 6)


def test_a_bandwidth_says_what_it_rests_on():
    frame = standing.table("edge_devices")
    assert frame["memory_bandwidth_byte_per_s"].notna().equals(frame["bandwidth_basis"] != "")
    measured = standing.table("measured_decode")
    assert measured["memory_bandwidth_byte_per_s"].notna().equals(measured["memory_bandwidth_basis"] != "")


# measured speeds


def test_measured_rows_name_the_same_bandwidth_as_their_device():
    measured = standing.table("measured_decode")
    devices = standing.table("edge_devices").set_index("name")["memory_bandwidth_byte_per_s"]
    known = measured.loc[(measured["edge_device"] != "") & measured["memory_bandwidth_byte_per_s"].notna()]
    ratio = known["memory_bandwidth_byte_per_s"] / known["edge_device"].map(devices)
    assert np.all(ratio.between(0.99, 1.01)), known.loc[~ratio.between(0.99, 1.01), "device"].unique()


def test_rows_fit_for_checking_a_model_have_all_it_needs():
    frame = standing.table("measured_decode")
    checked = frame.loc[frame["in_check"] | frame["in_moe_check"]]
    assert len(frame) == 893
    assert [np.sum(frame["in_check"]), np.sum(frame["in_moe_check"])] == [209, 22]
    assert np.all(checked["memory_bandwidth_byte_per_s"].notna())
    assert np.all(checked["bytes_read_byte"].notna())
    assert not np.any(checked["host_limited"] | ~checked["full_read"])


def test_speeds_after_minutes_of_load_stay_below_the_first_speed():
    frame = standing.table("measured_decode")
    lasting = frame.loc[frame["software"].str.contains("sustained")]
    first = lasting["note"].str.extract(r"burst was ([0-9.]+) tok/s")[0].astype(float)
    assert [len(lasting), first.notna().sum(), lasting["device"].nunique()] == [15, 12, 6]
    assert np.all((lasting["decode_tokens_per_s"] / first).dropna().between(0.3, 1.0))


def test_batches_are_measured_beside_one_user_on_six_devices():
    frame = standing.table("measured_decode")
    same = ["device", "model", "format", "software", "backend"]
    one = frame.loc[(frame["batch"] == 1) & (frame["n_devices"] == 1), same].drop_duplicates()
    pairs = frame.loc[(frame["batch"] > 1) & (frame["n_devices"] == 1)].merge(one, on=same)
    assert [len(pairs), pairs["device"].nunique()] == [47, 6]


def test_no_dense_model_is_read_faster_than_memory_allows():
    frame = standing.table("measured_decode")
    one = frame.loc[frame["in_check"] & (frame["n_devices"] == 1) & (frame["batch"] == 1)]
    share = one["decode_tokens_per_s"] * one["bytes_read_byte"] / one["memory_bandwidth_byte_per_s"]
    assert np.all(share.between(0.05, 1.0))


def test_serving_rows_are_counted_one_way_each():
    frame = standing.table("measured_serving")
    assert len(frame) == 484
    output = frame["output_tokens_per_s_per_accelerator"].notna()
    both = frame["total_tokens_per_s_per_accelerator"].notna()
    assert not np.any(output & both)
    assert np.all(frame.loc[output, "token_kind"] == "output")
    assert (frame.loc[both, "token_kind"] == "input and output").all()
    assert frame["concurrency"].notna().equals(frame["load"] == "concurrency")


def test_a_serving_plan_uses_the_accelerators_it_names():
    frame = standing.table("measured_serving")
    planned = frame.loc[frame["parallelism"].ne("") & frame["n_accelerators"].notna()]
    sharing = (
        planned["expert_parallel"]
        .fillna(1)
        .where(planned["expert_parallel"].notna(), planned["tensor_parallel"])
    )
    assert np.mean(sharing * planned["pipeline_parallel"] == planned["n_accelerators"]) > 0.95


def test_fine_tuning_rows_have_one_speed_each_and_the_sizes_of_their_model():
    frame = standing.table("measured_fine_tuning")
    assert [len(frame), frame["in_fit"].sum(), (frame["edge_device"] != "").sum()] == [53, 39, 5]
    timed = frame["duration_s"].notna()
    assert timed.equals(frame["n_sequences"].notna())
    assert np.all(frame["achieved_tokens_per_s_per_accelerator"].notna() != timed)
    assert np.all(frame.loc[timed, ["sequence_tokens", "n_accelerators"]].notna())
    assert np.all(frame["n_parameters"].notna() == (frame["architecture"] == ""))
    assert not np.any(frame["lora_rank"].notna() & (frame["method"] == "full"))
    assert frame["lora_rank"].notna().equals(frame["lora_targets"] != "")
    speed = frame["n_sequences"] * frame["sequence_tokens"] / frame["duration_s"] / frame["n_accelerators"]
    speed = speed.fillna(frame["achieved_tokens_per_s_per_accelerator"])
    assert np.all(speed.between(100, 30_000))


def test_a_memory_is_faster_than_the_one_it_follows():
    frame = standing.table("memory_generations").set_index("memory")
    followed = frame.loc[frame["next_memory"] != ""]
    step = (
        frame.loc[followed["next_memory"], "bandwidth_byte_per_s"].to_numpy()
        / followed["bandwidth_byte_per_s"]
    )
    assert np.all(step.between(1.2, 2))


# prices, networks


def test_an_instance_costs_its_accelerators():
    frame = standing.table("cloud_prices")
    whole = frame["price_usd_per_hour"] * frame["n_accelerators"] / frame["instance_price_usd_per_hour"]
    assert np.all(whole.between(0.98, 1.02))
    assert frame["accelerator"].ne("").equals(frame["accelerator_basis"].ne(""))
    today = frame.loc[~frame["stale"] & (frame["accelerator"] == "NVIDIA H100 SXM5 80GB")]
    assert 2 < today["price_usd_per_hour"].median() < 6


def test_one_row_a_network_and_measure_is_preferred():
    frame = standing.table("networks")
    preferred = frame.loc[frame["preferred"]]
    assert not np.any(preferred.duplicated(["network", "measure"]))
    assert set(zip(frame["network"], frame["measure"], strict=True)) == set(
        zip(preferred["network"], preferred["measure"], strict=True)
    )
    values = ["round_trip_s", "bandwidth_byte_per_s", "energy_j_per_byte", "price_usd_per_byte"]
    assert np.all(frame[values].notna().sum(axis=1) == 1)


def test_electricity_costs_what_it_costs():
    frame = standing.table("electricity")
    assert np.all(frame["price_usd_per_kwh"].between(0.05, 0.5))
    euros = frame["price_eur_per_kwh"].notna()
    assert np.all(frame.loc[euros, "estimate"] == "derived")


def test_rows_are_plain_values_by_their_key_and_the_first_of_equals():
    rows = standing.rows("networks", "row_id")
    table = standing.table("networks")
    assert list(rows) == list(reversed(table["row_id"].tolist()))
    assert rows["n001"]["round_trip_s"] == float(table.set_index("row_id").loc["n001", "round_trip_s"])
    first = standing.table("architectures").drop_duplicates("family").set_index("family")["name"]
    assert {key: row["name"] for key, row in standing.rows("architectures", "family").items()} == dict(first)


# chips


def test_links_are_of_products_of_the_release_or_bring_their_own_numbers():
    parts = releases.load(NAMED).accelerators
    products = set(parts["product"]) | {str(product).split()[0] for product in parts["product"]}
    frame = standing.table("chip_links")
    own = ["memory_bandwidth_byte_per_s", "memory_capacity_byte", "peak_fp16_dense_flop_per_s"]
    unlisted = frame.loc[~frame["product"].isin(list(products))]
    assert list(unlisted["product"]) == ["DDR5 server"]
    assert unlisted[own].notna().to_numpy().all()
    assert frame.loc[frame["product"].isin(list(products)), own].isna().to_numpy().all()


def test_chips_offered_for_generation_have_all_that_a_floor_needs():
    frame = standing.table("chip_links")
    offered = frame.loc[frame["word"] != ""]
    assert offered["word"].is_unique
    assert len(offered) == 12
    latencies = standing.table("chip_latencies")
    hops = latencies.loc[(latencies["quantity"] == "link_latency_s") & (latencies["line"] == "floor"), "chip"]
    assert offered["domain_size"].notna().all()
    assert np.all(offered["link_latency_s"].notna() != offered["word"].isin(list(hops)))
    assert set(latencies["chip"]) <= set(offered["word"])
    assert not latencies.duplicated(["chip", "line", "quantity"]).any()
    assert set(standing.table("published_speeds")["chip"]) <= set(offered["word"])
    wafers = offered["word"].isin(latencies.loc[latencies["quantity"] == "cores", "chip"].tolist())
    assert wafers.sum() == 2 and np.all(offered.loc[wafers, "assumed"])


def test_chips_of_the_same_die_have_the_same_peak_within_a_tenth():
    parts = releases.load(NAMED).accelerators
    frame = standing.table("same_die")

    def peaks(family):
        own = parts.loc[[str(product).split()[0] == family for product in parts["product"]]]
        return own["peak_fp16_dense_flop_per_s"].dropna()

    for product, same in zip(frame["product"], frame["same_die_as"], strict=True):
        ratio = peaks(product).max() / peaks(same).max()
        assert 0.9 < ratio < 1.12, (product, ratio)


def test_units_shipped_are_whole_quarters_of_parts_that_state_bandwidth_and_compute():
    frame: Any = standing.table("chips_shipped")
    parts: Any = releases.load(NAMED).accelerators.set_index("name")
    assert len(frame) == 48 + 27 + 33 + 12
    assert np.all(frame["units_low"] <= frame["units"])
    assert np.all(frame["units"] <= frame["units_high"])
    named = parts.loc[frame["accelerator"]]
    assert named["memory_bandwidth_byte_per_s"].notna().all()
    assert named["peak_fp16_dense_flop_per_s"].notna().all()
    assert list(named["vendor"]) == list(frame["vendor"])
    days = (frame["quarter_end"] - frame["quarter_start"]).dt.days
    assert days.between(89, 91).all()
    assert not frame.duplicated(["chip", "quarter_start"]).any()


def test_the_bandwidth_shipped_by_the_end_of_2025_is_as_published():
    frame: Any = standing.table("chips_shipped")
    parts: Any = releases.load(NAMED).accelerators.set_index("name")
    by_then = frame.loc[frame["quarter_end"] <= "2025-12-31"]
    bandwidth = np.asarray(parts.loc[by_then["accelerator"], "memory_bandwidth_byte_per_s"], dtype=float)
    total = float(np.sum(bandwidth * np.asarray(by_then["units"])))
    assert total == pytest.approx(
        70e18, rel=0.02
    )  # Epoch AI, "HBM bandwidth shipped with AI chips": 70 million TB/s


def test_memory_is_half_to_two_thirds_of_what_components_cost():
    frame: Any = standing.table("component_costs")
    parts = ("logic", "packaging", "hbm", "auxiliary")
    cost: Any = frame.groupby("quarter")[[f"{part}_cost_usd" for part in parts]].sum()
    share = np.asarray(cost["hbm_cost_usd"] / cost.sum(axis=1))
    assert (share.min(), share.max()) == pytest.approx(
        (0.519, 0.634), rel=0.02
    )  # Epoch AI, "AI Chip Components"
    assert len(standing.table("component_supply")) == 8
