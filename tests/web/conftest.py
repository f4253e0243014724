"""The site that the tests of the web read."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from tests.web.served import client, let_readers_wait


@pytest.fixture(scope="session", autouse=True)
def patient_readers() -> Iterator[None]:
    """Readers wait for as long as a busy machine takes."""
    with pytest.MonkeyPatch.context() as patched:
        let_readers_wait(patched)
        yield


@pytest.fixture(scope="session")
def site() -> Iterator[TestClient]:
    """Our routes as they are served, one server for all tests, which keeps what it made for the next."""
    with client() as opened:
        yield opened
