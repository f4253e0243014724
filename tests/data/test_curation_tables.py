import pytest

from data.curation_tables import HARDWARE, MODELS


@pytest.mark.parametrize("columns", [MODELS, HARDWARE])
def test_no_two_columns_of_an_export_share_an_alias(columns):
    aliases = [alias.casefold() for column in columns for alias in column.aliases]
    assert len(aliases) == len(set(aliases))
