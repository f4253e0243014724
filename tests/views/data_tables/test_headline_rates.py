from data.releases import latest, load
from views.data_tables import headline_rates
from views.registry import VIEWS
from views.view import read, split


def test_the_quoted_rates_of_two_releases_stand_side_by_side():
    table = headline_rates.compared((load("2025-11"), load(latest())), views=VIEWS)
    assert [column.label for column in table.columns] == ["Growth", "2025-11", "2026-07"]
    assert len(table.rows) == len(headline_rates.QUOTED)
    assert all("× a year (90 %: " in str(cell) for row in table.rows for cell in row[1:])


def test_every_quoted_rate_is_a_sound_link():
    for _, link in headline_rates.QUOTED:
        path, query = split(link)
        assert read(VIEWS[path], query)[1] == ()


def test_a_rate_since_2020_says_that_its_frontier_is_hardly_known():
    release = load(latest())
    told = headline_rates.rate_words("/training-compute?since=2020", views=VIEWS, release=release)
    assert told.endswith("). Only 24 % of 2026's notable models have a compute value.")
    assert "Only" not in headline_rates.rate_words("/training-compute", views=VIEWS, release=release)
    assert "Only" not in headline_rates.rate_words("/accelerators?since=2020", views=VIEWS, release=release)
