"""A server on loopback that gives files as they should be, and in every wrong way we know."""

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = b"<!DOCTYPE html><title>We are moving</title>"


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
                getattr(self, how.replace("-", "_"), self.plain)(content)

        def plain(self, content: bytes) -> None:
            self.head(200, **{"Content-Length": str(len(content))})
            self.wfile.write(content)

        def head(self, status: int, **headers: str) -> None:
            self.send_response(status)
            for name, value in ({"Content-Type": "text/csv"} | headers).items():
                self.send_header(name, value)
            self.end_headers()

        def page(self, _content: bytes) -> None:
            self.head(200, **{"Content-Type": "text/html"})
            self.wfile.write(PAGE)

        def page_called_csv(self, _content: bytes) -> None:
            self.plain(PAGE)

        def short(self, content: bytes) -> None:
            self.head(200, **{"Content-Length": str(len(content))})
            self.wfile.write(content[: len(content) // 2])

        def short_unsaid(self, content: bytes) -> None:
            self.head(200)
            self.wfile.write(content[: len(content) - 5])

        def failing(self, _content: bytes) -> None:
            self.head(500)

        def empty(self, _content: bytes) -> None:
            self.plain(b"")

        def elsewhere(self, _content: bytes) -> None:
            self.head(302, Location="https://example.org/notable_ai_models.csv")

        def other_port(self, _content: bytes) -> None:
            self.head(302, Location="http://127.0.0.1:1/notable_ai_models.csv")

        def no_port(self, _content: bytes) -> None:
            self.head(302, Location="http://127.0.0.1:99999/notable_ai_models.csv")

        def colourful(self, _content: bytes) -> None:
            self.send_response(500, "\x1b[31mRed\x07")
            self.end_headers()

        def moved(self, _content: bytes) -> None:
            self.head(302, Location="/" + self.path.split("/", 2)[2])

        def silent(self, _content: bytes) -> None:
            time.sleep(4.0)

        def slow(self, content: bytes) -> None:
            self.head(200)
            for letter in content[:60]:
                self.wfile.write(bytes([letter]))
                time.sleep(0.05)

        def dripping(self, _content: bytes) -> None:
            self.wfile.write(b"HTTP/1.0 200 OK\r\nX-Long: ")
            for _ in range(60):
                self.wfile.write(b"a")
                time.sleep(0.05)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
