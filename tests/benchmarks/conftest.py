"""The app, started once for the benchmarks."""

from collections.abc import Iterator

import pytest

from benchmarks.servers import started


@pytest.fixture(scope="session")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the started app."""
    with started("ours", folder=tmp_path_factory.mktemp("ours")) as (url, _):
        yield url
