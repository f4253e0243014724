"""The standing tables agree with themselves, with each other and with the release; see laws.toml for numbers."""

import re

import numpy as np
import pytest

from data import releases, seal, standing

NAMED = "2026-07"  # the release whose accelerators the standing tables name


def test_the_tables_we_edit_are_those_the_newest_release_is_sealed_with():
    sealed = releases.sealed(releases.latest()).record.standing
    edited = {name: seal.digest(content) for name, content in standing.working().items()}
    other = sorted(name for name in edited.keys() | sealed.keys() if edited.get(name) != sealed.get(name))
    assert not other, (
        f"{', '.join(other)} changed since release {releases.latest()} was sealed, so no page shows the change. Cut a "
        "release: see data/README.md, Cut a release."
    )


def test_a_table_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(LookupError, match=r"there is no standing table 'phones'; there are architectures, "):
        standing.table("phones")
    with pytest.raises(LookupError, match=r"there is no standing table '\.\./sources'"):
        standing.table("../sources")


@pytest.mark.parametrize("name", standing.names())
def test_every_row_says_where_it_is_from_and_how_sure_it_is(name):
    frame = standing.table(name)
    assert np.all(frame["source_id"] != "")
    assert set(frame["confidence"]) <= {"confident", "likely", "speculative"}
    assert not np.any(frame.duplicated())
    text = " ".join(frame.select_dtypes(include="str").to_numpy().ravel())
    assert not re.search(r"\bTODO\b|\bnan\b|/(?:tmp|root)/", text)


def test_rows_are_plain_values_by_their_key_and_the_first_of_equals():
    rows = standing.rows("networks", "row_id")
    table = standing.table("networks")
    assert list(rows) == list(reversed(table["row_id"].tolist()))
    assert rows["n001"]["round_trip_s"] == float(table.set_index("row_id").loc["n001", "round_trip_s"])
    first = standing.table("architectures").drop_duplicates("family").set_index("family")["name"]
    assert {key: row["name"] for key, row in standing.rows("architectures", "family").items()} == dict(first)


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
