import asyncio
import json
import logging
import re
import socket
import urllib.request

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette
from starlette.testclient import TestClient

from benchmarks.servers import free_port
from tests.cases import cases
from tests.web.served import HOST, static_folder
from web import telemetry
from web.middleware import middleware
from web.routes import routes
from web.settings import Settings
from web.start import lifespan
from web.telemetry import Metrics, exposed, line_of, what_of


@pytest.fixture
def metrics():
    return Metrics(sessions=lambda: 3)


@pytest.fixture
def client(metrics):
    folder = static_folder()
    around = middleware(Settings(), static_folder=folder, metrics=metrics)
    app = Starlette(routes=routes(static_folder=folder), middleware=around)
    return TestClient(app, base_url=HOST)


@pytest.fixture
def lines():
    """Collect the lines about requests."""
    heard: list[str] = []

    class Heard(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            heard.append(record.getMessage())

    handler, level = Heard(), telemetry.lines.level
    telemetry.lines.addHandler(handler)
    telemetry.lines.setLevel(logging.INFO)
    yield heard
    telemetry.lines.removeHandler(handler)
    telemetry.lines.setLevel(level)


def value(metrics, name, **labels):
    count = metrics.registry.get_sample_value(name, labels)
    return 0.0 if count is None else count


def test_answers_are_counted_by_view_form_and_status(*, client, metrics):
    client.get("/fleet.csv")
    client.get("/fleet.csv?quarter=nonsense&nothing=1")
    assert value(metrics, "scaling_gap_answers_total", view="fleet", form="csv", status="200") == 1
    assert value(metrics, "scaling_gap_answers_total", view="fleet", form="csv", status="422") == 1
    assert value(metrics, "scaling_gap_answer_seconds_count", view="fleet", form="csv") == 2
    assert value(metrics, "scaling_gap_answer_seconds_sum", view="fleet", form="csv") > 0


def test_caches_queue_and_sessions_are_told(*, client, metrics):
    client.get("/fleet.bib")
    before = value(metrics, "scaling_gap_cache_hits_total", cache="files")
    client.get("/fleet.bib")
    client.get("/fleet.bib")
    assert value(metrics, "scaling_gap_cache_hits_total", cache="files") >= before + 1
    for cache in ("findings", "files", "pages"):
        held = value(metrics, "scaling_gap_cache_bytes", cache=cache)
        assert 0 <= held <= value(metrics, "scaling_gap_cache_bound_bytes", cache=cache)
    assert value(metrics, "scaling_gap_queue_jobs", lane="dear") == 0
    assert value(metrics, "scaling_gap_queue_wait_seconds", lane="ordinary") == 0
    assert value(metrics, "scaling_gap_sessions") == 3


def test_hostile_addresses_make_no_further_series(*, client, metrics):
    for path in ("/a", "/b/c", "/%00", "/fleet.exe", "/v/one", "/v/two.png", "/data/x.zip", "/../etc"):
        client.get(path)
    samples = [sample for family in metrics.registry.collect() for sample in family.samples]
    views = {one.labels["view"] for one in samples if one.name == "scaling_gap_answers_total"}
    assert views <= {"other", "short link", "data"}


@pytest.mark.parametrize(("path", "what"), cases(__file__)["addresses"])
def test_an_address_is_told_by_view_and_form(path, what):
    assert [*what_of(path)] == what


def test_an_answer_a_problem_and_the_log_name_their_request_alike(*, client, lines):
    answer = client.get("/fleet.csv?nothing=1")
    name = answer.headers["x-request-id"]
    assert re.fullmatch("[0-9a-f]{32}", name) and answer.json()["request"] == name
    [line] = map(json.loads, lines)
    assert (line["request"], line["view"], line["form"], line["status"]) == (name, "fleet", "csv", 422)
    assert (line["method"], line["path"], line["byte"]) == ("GET", "/fleet.csv", len(answer.content))
    assert line["seconds"] >= 0


def test_a_fault_of_ours_is_in_the_log_under_the_name_that_its_reader_is_told(*, client, caplog, monkeypatch):
    def broken(*_given, **_named):
        raise RuntimeError("the secret of the house")

    monkeypatch.setattr("web.view_files.answer", broken)
    monkeypatch.setattr("web.pages.answer", broken)
    got, page = client.get("/fleet.csv?since=2024&level=80"), client.get("/fleet?since=2024&level=80")
    detail = "This file could not be created. The link is fine: the error is ours and is in our log."
    assert (got.status_code, got.json()["detail"]) == (500, detail)
    assert "secret" not in got.text and "the secret of the house" in caplog.text
    file, document = (record.getMessage() for record in caplog.records)
    assert file == f"A file could not be created (request {got.json()['request']})."
    assert document == f"A page could not be created (request {page.headers['x-request-id']})."


@pytest.mark.parametrize(
    ("sent", "kept"),
    [("a1b2c3d4e5f6", True)]
    + [
        (text, False)
        for text in ("", "short", "x" * 65, "a b c d e f", "<script>alert(1)</script>", "ä" * 10)
    ],
)
def test_a_name_that_a_proxy_gave_is_kept_and_one_that_could_not_be_one_is_replaced(*, client, sent, kept):
    answers = [client.get("/healthz", headers={"X-Request-Id": sent.encode()}) for _ in range(2)]
    names = [answer.headers["x-request-id"] for answer in answers]
    assert names == [sent, sent] if kept else len(set(names)) == 2
    assert kept or all(re.fullmatch("[0-9a-f]{32}", name) for name in names)


def test_no_line_has_a_query_a_session_a_short_link_or_an_unknown_address(*, client, lines):
    private = (
        "/data.csv?find=secret",
        "/_stcore/upload_file/secret",
        "/media/secret",
        "/v/secret",
        "/secret",
    )
    for path in private:
        client.get(path)
    assert len(lines) == 5
    assert not [line for line in lines if "secret" in line]


def test_a_line_stays_one_line_whatever_the_address():
    path, request = "/data/\n\x00" + "x" * 500, {"request": "r", "method": "GET\nPOST-AND-MORE"}
    line = line_of(path, **request, status=404, seconds=0.1, byte=2)
    assert "\n" not in line
    assert len(line) < 400
    assert json.loads(line)["method"] == "GET\nPOST"


def test_who_hangs_up_is_counted_as_499(metrics):
    async def gone(_scope, _receive, _send):
        return

    from web.middleware.requests import Requests

    scope = {"type": "http", "path": "/fleet.png", "method": "GET", "headers": []}
    asyncio.run(Requests(gone, metrics=metrics)(scope, None, None))  # type: ignore[arg-type]
    assert value(metrics, "scaling_gap_answers_total", view="fleet", form="png", status="499") == 1


def test_counts_are_told_at_an_address_of_their_own_and_only_while_the_app_runs(metrics):
    metrics.answered("/fleet.png", 200, seconds=0.2)
    port = free_port()
    address = f"http://127.0.0.1:{port}/metrics"

    async def life():
        async with lifespan(None, settings=Settings(metrics=("127.0.0.1", port)), metrics=metrics):
            return await asyncio.to_thread(lambda: urllib.request.urlopen(address, timeout=9).read().decode())

    text = asyncio.run(life())
    families = {family.name for family in text_string_to_metric_families(text)}
    assert {"scaling_gap_answers", "scaling_gap_answer_seconds", "scaling_gap_cache_bytes"} <= families
    assert {"scaling_gap_queue_jobs", "scaling_gap_sessions"} <= families
    assert "process_resident_memory_bytes" in families
    with pytest.raises(OSError):
        urllib.request.urlopen(address, timeout=10)


def test_a_taken_port_is_told_in_a_line_and_the_app_goes_on(*, metrics, caplog):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with exposed(metrics, Settings(metrics=("127.0.0.1", port))):
            pass
    [record] = caplog.records
    words = f"METRICS: no metrics are exposed, since 127.0.0.1:{port} cannot be used: "
    assert record.getMessage().startswith(words)
