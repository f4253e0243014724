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


@contextmanager
def serving(files: Mapping[str, bytes]) -> Iterator[str]:
    """Give the address of a server of ``files`` by path; what stands before a path says how it misbehaves."""

    class Answers(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_GET(self) -> None:
            _, how, *rest = self.path.split("/", 2)
            content = files.get(rest[0] if rest else how, b"")
            with suppress(BrokenPipeError, ConnectionResetError):
                self.answer(how, content)

        def answer(self, how: str, content: bytes) -> None:
            length = {"Content-Length": str(len(content))}
            match how:
                case "page":
                    self.send(PAGE, head={"Content-Type": "text/html"})
                case "page-called-csv":
                    self.send(PAGE)
                case "short":
                    self.send(content[: len(content) // 2], head=length)
                case "empty":
                    self.send(b"")
                case "short-unsaid":
                    self.send(content[:-5])
                case "failing":
                    self.send(b"", status=500)
                case "colourful":
                    self.send(b"", status=500, reason="\x1b[31mRed\x07")
                case "moved":
                    self.send(b"", status=302, head={"Location": "/" + self.path.split("/", 2)[2]})
                case "silent":
                    time.sleep(1.5)
                case _ if how in ELSEWHERE:
                    self.send(b"", status=302, head={"Location": ELSEWHERE[how]})
                case _:
                    self.send(content, head=length)

        def send(
            self, body: bytes, *, status: int = 200, reason: str | None = None, head: Mapping[str, str] = {}
        ) -> None:
            self.send_response(status, reason)
            for name, value in {"Content-Type": "text/csv", **head}.items():
                self.send_header(name, value)
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
