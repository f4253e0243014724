"""Download of a CSV file. Responses of any other kind are rejected."""

from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

SILENCE_S = 30.0
MOST_BYTE = 64_000_000
_SHOWN = 200


class DownloadError(RuntimeError):
    """Error if a file cannot be downloaded, or is not the requested one.

    The text is one line with its address; terminal control characters are escaped.
    """

    def __init__(self, message: str) -> None:
        shown = (mark if mark.isprintable() else repr(mark)[1:-1] for mark in message)
        super().__init__("".join(shown))


class _SameServer(HTTPRedirectHandler):
    """Handler that follows redirects only to the same scheme, host and port."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):  # noqa: PLR0917 - urllib's
        if urlsplit(newurl)[:2] != urlsplit(req.full_url)[:2]:
            fp.close()
            raise DownloadError(
                f"{req.full_url} leads to {newurl[:_SHOWN]}, which is another place. See whether the file has moved "
                "there and, if so, change data/exports.toml."
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def csv_file(address: str, *, silence_s: float = SILENCE_S) -> bytes:
    """Return the bytes of the CSV file at an address. ``silence_s`` is the longest time allowed without data [s].

    Raises DownloadError if there is no response, an error, a redirect elsewhere, a web page, more than 64 MB, or a
    truncated file.
    """
    if urlsplit(address).scheme not in ("http", "https"):
        raise DownloadError(f"an address begins with https:// or http://; got {address[:_SHOWN]!r}.")
    ask = Request(address, headers={"Accept": "text/csv", "User-Agent": "scaling-gap refresh"})
    try:
        with build_opener(_SameServer).open(ask, timeout=silence_s) as answer:
            content, headers = answer.read(MOST_BYTE + 1), answer.headers
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
    if len(content) > MOST_BYTE:
        raise DownloadError(f"{address} is larger than {MOST_BYTE:,} bytes, which no export of Epoch AI is.")
    length, start = headers.get("Content-Length", ""), content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if length.isdigit() and len(content) != int(length):
        raise DownloadError(f"{address} ends after {len(content):,} of {int(length):,} bytes. Try again.")
    if headers.get_content_type() in ("text/html", "application/xhtml+xml") or start == b"<":
        raise DownloadError(
            f"{address} answers with a web page, not with CSV. See in a browser what it says."
        )
    if not start:
        raise DownloadError(f"{address} is empty. Try again later.")
    if not content.endswith((b"\n", b"\r")):
        raise DownloadError(f"{address} ends in the middle of a line. Try again.")
    return content
