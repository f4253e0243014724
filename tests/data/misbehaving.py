"""A server on loopback that gives files as they should be, and in every wrong way we know."""

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = b"<!DOCTYPE html><title>We are moving</title>"
ELSEWHERE = {
    "elsewhere": "https://example.org/notable_ai_models.csv",
    "other-port": "http://127.0.0.1:1/notable_ai_models.csv",
    "no-port": "http://127.0.0.1:99999/notable_ai_models.csv",
}
"""Where an answer leads to that is another place."""

RED = "\x1b[31mRed\x07"


def answer(how: str, content: bytes, *, place: str) -> tuple[int, bytes, dict[str, str]]:
    """Return status, body and headers of an answer about a file at a place."""
    length = {"Content-Length": str(len(content))}
    answers = {
        "page": (200, PAGE, {"Content-Type": "text/html"}),
        "page-called-csv": (200, PAGE, {}),
        "short": (200, content[: len(content) // 2], length),
        "empty": (200, b"", {}),
        "short-unsaid": (200, content[:-5], {}),
        "failing": (500, b"", {}),
        "colourful": (500, b"", {}),
        **{name: (302, b"", {"Location": there}) for name, there in {"moved": place, **ELSEWHERE}.items()},
    }
    return answers.get(how, (200, content, length))


@contextmanager
def serving(files: Mapping[str, bytes]) -> Iterator[str]:
    """Give the address of a server of ``files`` by path; what stands before a path says how it misbehaves."""

    class Answers(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_GET(self) -> None:
            _, how, *rest = self.path.split("/", 2)
            name = rest[0] if rest else how
            status, body, headers = answer(how, files.get(name, b""), place=f"/{name}")
            if how == "silent":
                time.sleep(1.5)
            with suppress(BrokenPipeError, ConnectionResetError):
                self.send_response(status, RED if how == "colourful" else None)
                for header in {"Content-Type": "text/csv", **headers}.items():
                    self.send_header(*header)
                self.end_headers()
                self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
