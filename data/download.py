"""Fetches a CSV file by its address, and takes nothing else for one."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial
from http.client import HTTPException, HTTPResponse
from threading import Thread
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

SILENCE_S = 30.0
PATIENCE_S = 180.0
MOST_BYTE = 64_000_000
_PIECE_BYTE = 65_536
_SHOWN = 200


class DownloadError(RuntimeError):
    """A file that could not be fetched, or is not what was requested.

    The text is one line with its address; characters that a terminal would act on are written as escapes.
    """

    def __init__(self, message: str) -> None:
        shown = (mark if mark.isprintable() else repr(mark)[1:-1] for mark in message)
        super().__init__("".join(shown))


class _SameServer(HTTPRedirectHandler):
    """Follows a redirect within the same scheme, host and port only."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):  # noqa: PLR0917 - urllib's
        if urlsplit(newurl)[:2] != urlsplit(req.full_url)[:2]:
            fp.close()
            raise DownloadError(
                f"{req.full_url} leads to {newurl[:_SHOWN]}, which is another place. See whether the file has moved "
                "there and, if so, change data/exports.toml."
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def csv_file(address: str, *, silence_s: float = SILENCE_S, patience_s: float = PATIENCE_S) -> bytes:
    """Return the bytes of a CSV file at an address.

    ``silence_s`` bounds how long nothing may come, ``patience_s`` how long all of it may take. [s]

    Raises
    ------
    DownloadError
        No answer, an error, another place, a web page, more than 64 MB, or a file that ends before its end.
    """
    if urlsplit(address).scheme not in ("http", "https"):
        raise DownloadError(f"an address begins with https:// or http://; got {address[:_SHOWN]!r}.")
    came: Future[bytes] = Future()
    Thread(target=_settle, args=(came, partial(_fetched, address, silence_s=silence_s)), daemon=True).start()
    try:
        return came.result(patience_s)
    except TimeoutError:
        raise DownloadError(
            f"{address} is too slow: not all of it came in {patience_s:g} s. Try again later."
        ) from None


def _settle(came: Future[bytes], fetch: Callable[[], bytes]) -> None:
    """Fetch in a thread of its own, since who sends a header byte by byte is never silent, and never done."""
    try:
        came.set_result(fetch())
    except BaseException as fault:  # it is the asker's
        came.set_exception(fault)


def _fetched(address: str, *, silence_s: float) -> bytes:
    ask = Request(address, headers={"Accept": "text/csv", "User-Agent": "scaling-gap refresh"})
    try:
        with build_opener(_SameServer).open(ask, timeout=silence_s) as answer:
            content = b"".join(_pieces(answer, address=address))
            length = answer.headers.get("Content-Length", "")
            kind = answer.headers.get_content_type()
    except HTTPError as fault:
        fault.close()
        raise DownloadError(f"{address} answers {fault.code} {fault.reason}. Try again later.") from None
    except TimeoutError:
        raise DownloadError(f"{address} is silent for {silence_s:g} s. Try again later.") from None
    except (URLError, HTTPException, OSError) as fault:
        reason = getattr(fault, "reason", fault)
        raise DownloadError(
            f"{address} cannot be fetched: {reason}. Check the network and the address."
        ) from None
    if length.isdigit() and len(content) != int(length):
        raise DownloadError(f"{address} ends after {len(content):,} of {int(length):,} bytes. Try again.")
    _refuse_a_page(content, address=address, kind=kind)
    return content


def _pieces(answer: HTTPResponse, *, address: str) -> Iterator[bytes]:
    read_byte = 0
    while piece := answer.read1(_PIECE_BYTE):
        read_byte += len(piece)
        if read_byte > MOST_BYTE:
            raise DownloadError(
                f"{address} is larger than {MOST_BYTE:,} bytes, which no export of Epoch AI is."
            )
        yield piece


def _refuse_a_page(content: bytes, *, address: str, kind: str) -> None:
    start = content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if kind in ("text/html", "application/xhtml+xml") or start == b"<":
        raise DownloadError(
            f"{address} answers with a web page, not with CSV. See in a browser what it says."
        )
    if not start:
        raise DownloadError(f"{address} is empty. Try again later.")
    if not content.endswith((b"\n", b"\r")):
        raise DownloadError(f"{address} ends in the middle of a line. Try again.")
