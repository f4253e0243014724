"""Sanity of the releases: dates, products, hardware and lines of curation; see laws.toml for numbers."""

import numpy as np
import pytest

from data import curation_tables, releases
from data.release_name import correction_of
from data.releases import load

RELEASES = releases.names()


@pytest.mark.parametrize("name", RELEASES)
def test_nothing_was_published_after_the_release(name):
    latest = load(name).training_runs["published_on"].to_numpy("datetime64[M]")
    assert latest[~np.isnat(latest)].max() <= np.datetime64(correction_of(name))


@pytest.mark.parametrize("name", RELEASES)
def test_rows_have_products_and_runs_known_hardware_of_the_power_they_drew(name):
    runs, parts = load(name).training_runs, load(name).accelerators
    assert set(parts["product"]) == set(parts.loc[parts["representative"], "product"])
    assert set(parts["name"]) <= {line["name"] for line in curation_tables.read().products}
    strangers = {line["alias"] for line in curation_tables.read().hardware_aliases if not line["name"]}
    assert set(runs["hardware"].str.split(";").explode()) - {""} <= set(parts["name"]) | strangers
    power_w = load("2026-07").accelerators.set_index("name")["power_w"]
    rated_w = runs["hardware"].str.split(";").str[0].map(power_w) * runs["hardware_quantity"]
    assert (runs["training_power_w"] / rated_w).dropna().between(0.5, 4.6).all()


def test_every_curation_line_is_of_use_to_some_release():
    lines, loaded = curation_tables.read(), [load(name) for name in RELEASES]
    tables = ("training_runs", "accelerators")
    rows = {table: {name for one in loaded for name in getattr(one, table)["name"]} for table in tables}
    key = ("table", "row", "field", "was")
    applied = {tuple(row) for release in loaded for row in release.corrections[list(key)].to_numpy()}
    useless = [line for line in lines.corrections if tuple(line[part] for part in key) not in applied]
    useless += [line for line in lines.products if line["name"] not in rows["accelerators"]]
    useless += [line for line in lines.active_parameters if line["name"] not in rows["training_runs"]]
    useless += [line for line in lines.exclusions if line["row"] not in rows[line["table"]]]
    useless += [line for line in lines.renames if line["now"] not in rows[line["table"]]]
    useless += [line for line in lines.hardware_aliases if line["name"] not in {"", *rows["accelerators"]}]
    assert useless == []
