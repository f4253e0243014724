"""The site that the tests of the web read."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from tests.web.served import client, let_readers_wait


@pytest.fixture(scope="module")
def site() -> Iterator[TestClient]:
    """Our routes as they are served, one server for the tests of a module; readers wait for slow pages."""
    with pytest.MonkeyPatch.context() as patched:
        let_readers_wait(patched)
        with client() as opened:
            yield opened
