import pandas as pd
import pytest

from data import standing
from data.releases import latest, load, names
from tests.views.reading import rows
from views.data_tables import view as data_tables
from views.data_tables.view import DATED, LINK_COLUMNS, STANDING, VIEW, DataSettings
from views.registry import VIEWS
from views.view import answer, read, split

UNITS = {"_byte_per_s": "byte/s", "_byte": "byte", "_w": "W", "_flop_per_s": "FLOP/s"}
"""The unit that the end of a column's name says."""


def result(**settings):
    return answer(VIEW, DataSettings(**settings))


@pytest.mark.parametrize("table", ["corrections", "exclusions"])
def test_every_correction_and_exclusion_has_a_reason_and_a_source_one_click_away(table):
    outcome = result(table=table)
    for row in rows(outcome.exhibits[0]):
        assert row["reason"] and str(row["url"]).startswith("https://")


@pytest.mark.parametrize("table", ["training-runs", "accelerators"])
def test_link_columns_are_links_and_units_stand_beside_their_columns(table):
    for column in result(table=table).table.columns:
        assert column.kind == "link" or column.name not in LINK_COLUMNS
        assert all(column.unit == unit for end, unit in UNITS.items() if column.name.endswith(end))


def test_search_finds_every_word_in_any_case_and_says_how_many_of_how_many():
    outcome = result(table="accelerators", find="nvidia H100")
    assert 1 <= len(outcome.table.rows) <= 12
    assert all("nvidia" in str(row).lower() and "h100" in str(row).lower() for row in outcome.table.rows)
    every = len(load(latest()).accelerators)
    assert outcome.headline == f"{len(outcome.table.rows)} of {every} rows match “nvidia H100”"


def test_a_search_that_finds_nothing_says_what_to_do():
    outcome = result(find="no such words here")
    assert outcome.table.rows == ()
    assert outcome.headline.startswith("0 of ")
    assert outcome.notes == ("No row contains these words. Shorten them, or choose another table.",)


@pytest.mark.parametrize("words", ["(", ".*", "[", "\\", "<script>", "=1+1", "%00"])
def test_search_words_are_letters_and_no_pattern(words):
    assert all(words in str(row) for row in result(find=words).table.rows)


def test_changes_compare_with_the_release_before_or_the_one_chosen():
    assert result(table="changes").headline.endswith(f"values differ between {names()[-2]} and {names()[-1]}")
    assert result(table="changes", against=latest()).headline.startswith("0 values differ")


def test_numbers_dates_and_gaps_become_plain_cells_and_counts_no_percentages():
    columns = {"count": [1.0, float("nan")], "big_w": [1e9, 1.0]}
    dates = pd.to_datetime(["2024-05-17", None])
    frame = pd.DataFrame({**columns, "released_on": dates, "flagship": [True, False], "name": ["A", "B"]})
    table = data_tables.as_table(frame, units={"big_w": "W"})
    assert [column.kind for column in table.columns] == ["number", "scientific", "date", "text", "text"]
    assert table.columns[1].unit == "W"
    assert [column.label for column in table.columns[:3]] == ["Count", "Big", "Released"]
    assert table.rows == ((1.0, 1e9, "2024-05-17", "true", "A"), (None, 1.0, "", "false", "B"))
    frame = pd.DataFrame({"chips": [4.0, None], "share": [0.25, 1.0], "speed": [9.0, 2.0]})
    shown = data_tables.as_table(frame, units={"chips": "1", "share": "1", "speed": "m/s"})
    assert [column.unit for column in shown.columns] == ["", "1", "m/s"]


def test_the_completeness_chart_counts_known_numbers_only():
    outcome = result(table="accelerators")
    chart = outcome.exhibits[0].chart
    bars = {bar.label: bar.value for bar in getattr(chart, "bars", ())}
    known = load(latest()).accelerators["memory_bandwidth_byte_per_s"].notna().sum()
    assert bars["Memory bandwidth"] == known
    assert max(bars.values()) <= outcome.figure("n_rows").value


@pytest.mark.parametrize("word", STANDING)
def test_every_standing_table_is_shown_whole_with_units_and_the_address_of_its_sources(word):
    result = answer(VIEW, DataSettings(table=word))
    frame = standing.table(STANDING[word])
    assert len(result.table.rows) == len(frame)
    names = [column.name for column in result.table.columns]
    assert set(names) - {"url"} == set(frame.columns) - {"url"} and len(names) == len(set(names))
    assert ("url" in names) == ("source_id" in frame or "url" in frame)


@pytest.mark.parametrize("word", [*DATED, *STANDING])
def test_every_row_that_a_key_names_has_a_page_with_what_it_is_where_from_and_what_it_was(word):
    table = result(table=word).table
    for row in table.rows[:: max(1, len(table.rows) // 3)] if table.columns[0].rows else ():
        page = result(table=word, row=str(row[0]))
        assert page.subtitle.startswith("One row of the table")
        values = {line[0]: line[2] for line in page.table.rows}
        assert values[table.columns[0].name] == row[0]
        assert {"values", "source"} <= {card.name for card in page.cards}
        links = [link.address for card in page.cards for link in card.links if link.address.startswith("/")]
        assert all(not read(VIEWS[path], query)[1] for path, query in map(split, links))


def test_a_row_that_a_release_lacks_is_searched_for():
    assert result(table="accelerators", row="H200").headline == "NVIDIA H200 SXM: memory bandwidth 4.8 TB/s"
    assert result(table="accelerators", row="no such chip").headline.startswith("0 of ")
    assert result(table="accelerators", row="H200", find="H100").headline.endswith("match “H100”")


def test_names_are_found_before_other_words_and_links_only_if_nothing_else_is():
    def names(**settings):
        return [str(row[0]) for row in result(table="accelerators", **settings).table.rows]

    assert names(find="H200")[0] == "NVIDIA H200 SXM" and "NVIDIA B200" not in names(find="H200")
    assert "NVIDIA" in names(find="nvidia HBM3e")[0] and names(find="widen.net")
