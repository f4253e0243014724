"""The site that the tests of the web read."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from tests.web.served import client
from web import pages


@pytest.fixture(scope="module")
def site() -> Iterator[TestClient]:
    """Our routes as they are served, one server for the tests of a module; readers wait for slow pages."""
    with pytest.MonkeyPatch.context() as patched, client() as opened:
        patched.setattr(pages, "CRAWLER_PATIENCE_S", 60.0)
        yield opened
