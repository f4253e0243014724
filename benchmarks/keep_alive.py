"""The leanest reader: one connection, kept open, that asks for one answer after the other."""

import asyncio
from types import TracebackType
from urllib.parse import urlsplit

LATEST_S = 30


class Connection:
    """A connection to a server over HTTP/1.1, for GET and answers with a length."""

    def __init__(self, url: str) -> None:
        """Take the address of the server, as http://127.0.0.1:8501."""
        parts = urlsplit(url)
        self.host, self.port = parts.hostname or "", parts.port or 80
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter

    async def __aenter__(self) -> "Connection":
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port)
        return self

    async def __aexit__(  # noqa: PLR0917 - Python's own
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.writer.close()

    async def get(self, path: str) -> bytes:
        """Return the body of an answer, as it came (compressed).

        Raises
        ------
        RuntimeError
            If the answer is not 200, or has no length.
        TimeoutError
            If none comes within LATEST_S.
        """
        self.writer.write(
            f"GET {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nAccept-Encoding: gzip\r\n\r\n".encode()
        )
        async with asyncio.timeout(LATEST_S):
            head = await self.reader.readuntil(b"\r\n\r\n")
            status, *lines = head.decode("latin-1").split("\r\n")
            length = next((line[15:] for line in lines if line.lower().startswith("content-length:")), "")
            if " 200 " not in f"{status} " or not length:
                raise RuntimeError(f"{path}: got {status!r}; expected 200 with a length.")
            return await self.reader.readexactly(int(length))
