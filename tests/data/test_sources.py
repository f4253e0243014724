"""The sources are read in one place, by their key, and an unknown one is refused."""

import pytest

from data import sources


def test_a_source_has_its_title_and_address_by_its_key():
    assert list(sources.rows()) == sources.table()["source_id"].tolist()
    assert sources.rows()["zero-paper"]["publisher"] == "Rajbhandari et al."
    assert sources.address("zero-paper") == "https://arxiv.org/abs/1910.02054"


def test_a_source_that_is_not_there_is_refused():
    with pytest.raises(LookupError, match=r"'no-such-page' is not in sources\.csv\. Add it there or correct"):
        sources.address("no-such-page")
